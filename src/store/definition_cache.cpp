#include "store/definition_cache.h"

#include <limits>

namespace holdfast {

std::shared_ptr<const Definition> DefinitionCache::find(const DefinitionRef& ref) const {
    const std::lock_guard lock(mutex_);
    const auto found = definitions_.find(ref);
    return found == definitions_.end() ? nullptr : found->second;
}

std::shared_ptr<const Definition> DefinitionCache::newest(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    auto above = definitions_.upper_bound({key, std::numeric_limits<std::uint32_t>::max()});
    if (above == definitions_.begin()) return nullptr;
    --above;
    return above->first.key == key ? above->second : nullptr;
}

void DefinitionCache::add(std::shared_ptr<const Definition> definition) {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = definition->source ? definition->source->size() : 0;
    if (definitions_.size() >= most_definitions || source_bytes_ + bytes > most_source_bytes) {
        definitions_.clear();
        source_bytes_ = 0;
    }
    if (definitions_.emplace(definition->ref, std::move(definition)).second) source_bytes_ += bytes;
}

void DefinitionCache::clear() {
    const std::lock_guard lock(mutex_);
    definitions_.clear();
    source_bytes_ = 0;
}

}  // namespace holdfast
