// When to query the store next, in the store's time. Not thread-safe: its owner locks.
#pragma once

#include <optional>

#include "round/commit_listener.h"

namespace holdfast {

// The earliest timer that a commit left set.
inline std::optional<Moment> earliest_due(const Touched& touched) {
    std::optional<Moment> earliest;
    for (const auto& [id, instance, held] : touched.instances) {
        if (!instance) continue;
        const auto until = summary_of(registered_waits(*instance)).until;
        if (until && (!earliest || *until < *earliest)) earliest = until;
    }
    return earliest;
}

class Agenda {
public:
    void begin_look() {
        looking_ = true;
        noted_.reset();
    }
    // `next`: the next due time that the look found. True: an earlier one was noted meanwhile that
    // the look may have missed, so look again.
    bool end_look(std::optional<Moment> next) {
        looking_ = false;
        planned_ = next;
        return noted_ && is_earlier(*noted_);
    }
    // Something comes due then. True: the thread that sleeps until `planned` must look now.
    bool note_due(Moment due) {
        if (looking_) {
            if (!noted_ || due < *noted_) noted_ = due;
            return false;
        }
        return is_earlier(due);
    }
    std::optional<Moment> planned() const { return planned_; }
    // A heartbeat found the next due time. Not during a look.
    void plan(std::optional<Moment> next) { planned_ = next; }
    bool is_looking() const { return looking_; }

private:
    bool is_earlier(Moment due) const { return !planned_ || due < *planned_; }

    bool looking_ = false;
    std::optional<Moment> planned_;  // absent: nothing will be due
    std::optional<Moment> noted_;    // during the current look
};

}  // namespace holdfast
