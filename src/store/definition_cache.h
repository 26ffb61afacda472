// Caches definitions with their compiled programs: a version never changes, but a failover may lose
// it. Bounded: when it is full, it begins anew.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "model/caller.h"
#include "model/definition.h"

namespace holdfast {

// Thread-safe.
class DefinitionCache {
public:
    static constexpr std::size_t most_definitions = 1'000;
    static constexpr std::size_t most_source_bytes = std::size_t{64} << 20;

    // Null: not cached.
    std::shared_ptr<const Definition> find(const TenantRef& wanted) const;
    // The newest cached version of this key. Null: none.
    std::shared_ptr<const Definition> newest(const TenantKey& key) const;
    void add(std::shared_ptr<const Definition> definition);
    // After a lost connection: the next one may reach a server without some of these definitions.
    void clear();

private:
    mutable std::mutex mutex_;
    std::map<TenantRef, std::shared_ptr<const Definition>> definitions_;
    std::size_t source_bytes_ = 0;
};

}  // namespace holdfast
