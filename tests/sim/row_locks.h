// Row locks like those of PostgreSQL: shared or exclusive, held until the transaction ends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace holdfast::sim {

using TransactionNumber = std::uint64_t;
enum class LockMode { shared, exclusive };

class RowLocks {
public:
    bool can_take(const std::string& row, TransactionNumber who, LockMode mode) const {
        const auto held = held_.find(row);
        if (held == held_.end()) return true;
        if (held->second.exclusive && *held->second.exclusive != who) return false;
        if (mode == LockMode::shared) return true;
        for (const TransactionNumber other : held->second.shared)
            if (other != who) return false;
        return true;
    }
    void take(const std::string& row, TransactionNumber who, LockMode mode) {
        Holders& holders = held_[row];
        if (mode == LockMode::exclusive)
            holders.exclusive = who;
        else
            holders.shared.insert(who);
    }
    void release_all(TransactionNumber who) {
        for (auto at = held_.begin(); at != held_.end();) {
            Holders& holders = at->second;
            holders.shared.erase(who);
            if (holders.exclusive == who) holders.exclusive.reset();
            at = !holders.exclusive && holders.shared.empty() ? held_.erase(at) : std::next(at);
        }
    }
    bool empty() const { return held_.empty(); }

private:
    struct Holders {
        std::optional<TransactionNumber> exclusive;
        std::set<TransactionNumber> shared;
    };
    std::map<std::string, Holders> held_;
};

}  // namespace holdfast::sim
