// The programs of this node, by definition key. Filled before the engine opens.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "pump/signals/signal_handler.h"

namespace holdfast {

class Programs {
public:
    void add(std::string key, SignalHandler& handler) {
        handlers_.insert_or_assign(std::move(key), &handler);
    }
    // Null: this node has no such program.
    SignalHandler* find(const std::string& key) const {
        const auto found = handlers_.find(key);
        return found == handlers_.end() ? nullptr : found->second;
    }
    std::vector<std::string> keys() const {
        std::vector<std::string> keys;
        for (const auto& [key, handler] : handlers_) keys.push_back(key);
        return keys;
    }
    void drop(const NodeId& life) const {
        std::set<SignalHandler*> called;
        for (const auto& [key, handler] : handlers_)
            if (called.insert(handler).second) handler->drop(life);
    }

private:
    std::map<std::string, SignalHandler*> handlers_;
};

}  // namespace holdfast
