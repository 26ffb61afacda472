// What the engine may do with an instance. Everybody else asks these questions and never compares
// who moves an instance on, so that another answer is one line here.
#pragma once

#include "model/instance.h"

namespace holdfast {

struct Traits {
    bool moves_alone = false;       // within the rounds: no runner acts for it
    bool needs_lease = false;       // its runner acts under the lease of its continuation (I29)
    bool has_continuation = false;  // while it runs, a signal brings it to a node (I47)
    bool reacts_to_edits = false;   // of its state: its program may wait for a condition
    bool is_polled = false;         // its runner polls for the end of its wait
    bool may_be_forked = false;     // it has no journal or tokens that belong to the old instance
    bool may_be_resident = false;   // a store may keep it in memory between rounds
};

constexpr Traits traits_of(RunBy run_by) {
    switch (run_by) {
        case RunBy::outside: return {.is_polled = true, .may_be_forked = true};
        case RunBy::node:
            return {.needs_lease = true, .has_continuation = true, .may_be_resident = true};
        case RunBy::rounds:
            return {.moves_alone = true, .has_continuation = true, .reacts_to_edits = true};
    }
    return {};
}
inline Traits traits_of(const Instance& instance) { return traits_of(instance.run_by); }

}  // namespace holdfast
