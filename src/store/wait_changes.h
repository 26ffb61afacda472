// What a commit writes about the waits of one instance.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "store/changes.h"

namespace holdfast {

struct WaitChanges {
    // In the tables in which events, timers and completions look a wait up.
    std::vector<const Waiting*> unregistered;
    std::vector<const Waiting*> registered;
    // In the table of the waits of instances that have too many for their row.
    std::vector<const Waiting*> deleted;
    std::vector<const Waiting*> inserted;
};

// How many waits of an instance a store keeps in its row; if there are more, all are rows of their
// own. On PostgreSQL one, as in the versions before, whose nodes may work beside this one.
enum class WaitsInRow : std::size_t { one = 1, four = 4 };
constexpr bool fit(std::span<const Waiting> waits, WaitsInRow most) {
    return waits.size() <= static_cast<std::size_t>(most);
}

// Null: the instance does not exist then.
WaitChanges wait_changes(const Instance* before, const Instance* after, WaitsInRow most);

// As its row has them. Absent: there are none, or too many.
std::optional<std::string> waits_in_row(const Instance& instance, WaitsInRow most);

// Whether somebody looks for the waits for it. What the engine sends has a target, whose waits are
// loaded with it, or a correlation by which limiters and those who wait for a turn are found.
bool is_looked_up(const EventKey& key);

}  // namespace holdfast
