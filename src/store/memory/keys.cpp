#include <algorithm>

#include "store/memory/store.h"

namespace holdfast::memory {
namespace {

void forget(std::map<std::string, ApiKey>& keys, Moment before) {
    const auto newest =
        std::ranges::max_element(keys, {}, [](const auto& item) { return item.second.change; });
    if (newest == keys.end()) return;
    std::erase_if(keys, [before, kept = newest->second.change](const auto& item) {
        const ApiKey& key = item.second;
        const bool old = (key.revoked_at && *key.revoked_at < before) ||
                         (key.expires_at && *key.expires_at < before);
        return old && key.change < kept;
    });
}

}  // namespace

Result<bool> MemoryStore::change_keys(const KeyChange& change) {
    const std::lock_guard lock(mutex_);
    auto& keys = tables_.keys;
    if (const auto& end = change.end) {
        const auto found = keys.find(end->id);
        if (found == keys.end() || found->second.tenant != end->tenant ||
            found->second.has_ended(end->now))
            return false;
        ApiKey& key = found->second;
        key.change = ++tables_.newest_key_change;
        if (end->at <= end->now)
            key.revoked_at = end->now;
        else
            key.expires_at = std::min(key.expires_at.value_or(end->at), end->at);
    }
    if (change.add) {
        forget(keys, change.forget_before);
        ApiKey added = *change.add;
        added.change = ++tables_.newest_key_change;
        keys.emplace(added.id, std::move(added));
    }
    for (const auto& [id, at] : change.uses)
        if (const auto used = keys.find(id); used != keys.end())
            used->second.last_used_at = std::max(used->second.last_used_at.value_or(at), at);
    return true;
}

Result<std::vector<ApiKey>> MemoryStore::answer(const KeyQuery& query) {
    const std::lock_guard lock(mutex_);
    std::vector<ApiKey> found;
    for (const auto& [id, key] : tables_.keys)
        if (key.change > query.after && (!query.tenant || key.tenant == *query.tenant))
            found.push_back(key);
    std::ranges::sort(found, {}, &ApiKey::change);
    if (found.size() > query.limit) found.resize(query.limit);
    return found;
}

}  // namespace holdfast::memory
