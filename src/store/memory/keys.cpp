#include <algorithm>

#include "store/memory/store.h"

namespace holdfast::memory {
namespace {

using Stored = std::map<std::string, ApiKey>;

bool is_key(const ApiKey& key) { return key.kind == KeyKind::key; }

// The newest key stays, and the newest of all, whose number the next one follows.
void forget(Stored& keys, const ApiKey& added, Moment before) {
    std::uint64_t kept = 0;
    for (const auto& [id, key] : keys)
        if (is_key(key) || !is_key(added)) kept = std::max(kept, key.change);
    std::erase_if(keys, [&](const auto& item) {
        const ApiKey& key = item.second;
        const bool old = (key.revoked_at && *key.revoked_at < before) ||
                         (key.expires_at && *key.expires_at < before);
        return old && is_key(key) == is_key(added) && key.change < kept;
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
    if (const auto& renew = change.renew) {
        const auto found = keys.find(renew->id);
        const bool goes_on = found != keys.end() && found->second.kind == KeyKind::session &&
                             !found->second.has_ended(renew->now);
        if (goes_on && *found->second.expires_at < renew->until) {
            found->second.expires_at = renew->until;
            found->second.change = ++tables_.newest_key_change;
        }
    }
    if (change.add) {
        forget(keys, *change.add, change.forget_before);
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
        if (key.change > query.after && (!query.tenant || key.tenant == *query.tenant) &&
            (!query.kind || key.kind == *query.kind))
            found.push_back(key);
    std::ranges::sort(found, {}, &ApiKey::change);
    if (found.size() > query.limit) found.resize(query.limit);
    return found;
}

}  // namespace holdfast::memory
