// What a commit writes about the waits of one instance.
#pragma once

#include <vector>

#include "store/changes.h"

namespace holdfast {

struct WaitChanges {
    // In the tables in which events, timers and completions look a wait up.
    std::vector<const Waiting*> unregistered;
    std::vector<const Waiting*> registered;
    // In the table of the waits of instances that have several. The only wait of an instance is in
    // its row.
    std::vector<const Waiting*> deleted;
    std::vector<const Waiting*> inserted;
};

// Null: the instance does not exist then.
WaitChanges wait_changes(const Instance* before, const Instance* after);

// The wait that is stored in the row of the instance. Null: it has none, or several.
const Waiting* only_wait(const Instance& instance);

}  // namespace holdfast
