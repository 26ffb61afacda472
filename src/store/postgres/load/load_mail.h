// The part of a round's first trip that reads events, waits, the journal and children.
#pragma once

#include <functional>
#include <vector>

#include "store/postgres/connection/trip.h"
#include "store/view.h"

namespace holdfast::postgres {

// Lives until the trip has run. Waits and children whose instances did not come back locked are
// left out, and their list is marked as longer.
class MailLoad {
public:
    using IsLocked = std::function<bool(const InstanceId&)>;

    MailLoad(const ReadSet& reads, Loaded& loaded, IsLocked is_locked)
        : reads_(reads), loaded_(loaded), is_locked_(std::move(is_locked)) {}

    // Whether the round locks instances that it cannot name: waiters and children.
    bool wants_waiters() const;
    // What lock_instances_and_waiters takes after the explicit ids.
    void add_waiters(Parameters& parameters) const;

    // Asks for everything that the round reads; all of it after the locks.
    void ask(Trip& trip);

private:
    void ask_waits(Trip& trip);
    void ask_completions(Trip& trip);
    void ask_children(Trip& trip);
    void ask_inboxes(Trip& trip);
    void ask_whole_inboxes(Trip& trip);
    void ask_sizes(Trip& trip);
    void ask_broadcasts(Trip& trip);
    void ask_events(Trip& trip);
    void ask_journal(Trip& trip);

    Loading<WaitRow> oldest_locked(std::vector<WaitRow> rows,
                                   const ReadSet::Channel& channel) const;
    void take_broadcast(Row& row);

    const ReadSet& reads_;
    Loaded& loaded_;
    IsLocked is_locked_;
};

}  // namespace holdfast::postgres
