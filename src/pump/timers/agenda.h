// When to look into the store next, in the store's own time. Not safe from several threads: its
// owner locks.
#pragma once

#include <optional>

#include "round/commit_listener.h"

namespace holdfast {

// The earliest timer that a commit left armed.
inline std::optional<Moment> earliest_due(const Touched& touched) {
    std::optional<Moment> earliest;
    for (const auto& [id, instance, held] : touched.instances) {
        if (!instance || !is_registered(*instance)) continue;
        const auto& until = instance->waiting->wait.until;
        if (until && (!earliest || *until < *earliest)) earliest = until;
    }
    return earliest;
}

class Agenda {
public:
    void begin_look() {
        looking_ = true;
        heard_.reset();
    }
    // `next`: when the look found the next thing to be due. True: something earlier was heard of
    // meanwhile that the look may have missed, so look again.
    bool end_look(std::optional<Moment> next) {
        looking_ = false;
        planned_ = next;
        return heard_ && is_earlier(*heard_);
    }
    // Something comes due then. True: whoever sleeps until `planned` must look now.
    bool note_due(Moment due) {
        if (looking_) {
            if (!heard_ || due < *heard_) heard_ = due;
            return false;
        }
        return is_earlier(due);
    }
    std::optional<Moment> planned() const { return planned_; }
    // Somebody else has looked, and knows the whole picture. Not during a look.
    void plan(std::optional<Moment> next) { planned_ = next; }
    bool is_looking() const { return looking_; }

private:
    bool is_earlier(Moment due) const { return !planned_ || due < *planned_; }

    bool looking_ = false;
    std::optional<Moment> planned_;  // absent: nothing is due, ever
    std::optional<Moment> heard_;    // during the current look
};

}  // namespace holdfast
