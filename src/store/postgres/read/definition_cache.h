// Definitions that were read once: a version never changes, unless a failover loses it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "model/definition.h"

namespace holdfast::postgres {

// Safe from any thread. Holds at most what the definitions table holds.
class DefinitionCache {
public:
    // Null: not read yet.
    std::shared_ptr<const Definition> find(const DefinitionRef& ref) const;
    // The greatest version of this key that was read. Null: none.
    std::shared_ptr<const Definition> newest(const std::string& key) const;
    void add(std::shared_ptr<const Definition> definition);
    // After a loss: the server that is there now may never have seen what the last one knew.
    void clear();

private:
    mutable std::mutex mutex_;
    std::map<DefinitionRef, std::shared_ptr<const Definition>> definitions_;
};

}  // namespace holdfast::postgres
