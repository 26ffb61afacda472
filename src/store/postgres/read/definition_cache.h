// Caches definitions: a version never changes, but a failover may lose it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "model/definition.h"

namespace holdfast::postgres {

// Thread-safe.
class DefinitionCache {
public:
    // Null: not cached.
    std::shared_ptr<const Definition> find(const DefinitionRef& ref) const;
    // The newest cached version of this key. Null: none.
    std::shared_ptr<const Definition> newest(const std::string& key) const;
    void add(std::shared_ptr<const Definition> definition);
    // After a lost connection: the next one may reach a server without some of these definitions.
    void clear();

private:
    mutable std::mutex mutex_;
    std::map<DefinitionRef, std::shared_ptr<const Definition>> definitions_;
};

}  // namespace holdfast::postgres
