#include "store/postgres/definition_cache.h"

#include <limits>

namespace holdfast::postgres {

std::shared_ptr<const Definition> DefinitionCache::find(const DefinitionRef& ref) const {
    const std::lock_guard lock(mutex_);
    const auto found = definitions_.find(ref);
    return found == definitions_.end() ? nullptr : found->second;
}

std::uint32_t DefinitionCache::newest_known(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    auto above = definitions_.upper_bound({key, std::numeric_limits<std::uint32_t>::max()});
    if (above == definitions_.begin()) return 0;
    const DefinitionRef& newest = (--above)->first;
    return newest.key == key ? newest.version : 0;
}

void DefinitionCache::add(std::shared_ptr<const Definition> definition) {
    const std::lock_guard lock(mutex_);
    definitions_.emplace(definition->ref, std::move(definition));
}

}  // namespace holdfast::postgres
