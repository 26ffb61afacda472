#include "store/definition_cache.h"

#include <limits>

namespace holdfast {

std::shared_ptr<const Definition> DefinitionCache::find(const TenantRef& wanted) const {
    const std::lock_guard lock(mutex_);
    const auto found = definitions_.find(wanted);
    return found == definitions_.end() ? nullptr : found->second;
}

std::shared_ptr<const Definition> DefinitionCache::newest(const TenantKey& key) const {
    const std::lock_guard lock(mutex_);
    auto above = definitions_.upper_bound(
        {key.tenant, {key.key, std::numeric_limits<std::uint32_t>::max()}});
    if (above == definitions_.begin()) return nullptr;
    --above;
    const auto& [found, definition] = *above;
    return found.tenant == key.tenant && found.ref.key == key.key ? definition : nullptr;
}

void DefinitionCache::add(std::shared_ptr<const Definition> definition) {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = definition->source ? definition->source->size() : 0;
    if (definitions_.size() >= most_definitions || source_bytes_ + bytes > most_source_bytes) {
        definitions_.clear();
        source_bytes_ = 0;
    }
    TenantRef key{definition->tenant, definition->ref};
    if (definitions_.emplace(std::move(key), std::move(definition)).second) source_bytes_ += bytes;
}

void DefinitionCache::clear() {
    const std::lock_guard lock(mutex_);
    definitions_.clear();
    source_bytes_ = 0;
}

}  // namespace holdfast
