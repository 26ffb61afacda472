// Definitions that were read once: a version never changes, so nothing here goes stale.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "model/definition.h"

namespace holdfast::postgres {

// Safe from any thread. Never forgets: it holds at most what the definitions table holds.
class DefinitionCache {
public:
    // Null: not read yet.
    std::shared_ptr<const Definition> find(const DefinitionRef& ref) const;
    // The greatest version of this key that was read; 0: none.
    std::uint32_t newest_known(const std::string& key) const;
    void add(std::shared_ptr<const Definition> definition);

private:
    mutable std::mutex mutex_;
    std::map<DefinitionRef, std::shared_ptr<const Definition>> definitions_;
};

}  // namespace holdfast::postgres
