// The part of a round's first round trip that reads events, waits, the journal and children.
#pragma once

#include <functional>
#include <vector>

#include "store/postgres/connection/trip.h"
#include "store/view.h"

namespace holdfast::postgres {

// Must outlive the trip. Waits and children whose instances were not locked are left out, and their
// list is marked with `more`.
class MailLoad {
public:
    using IsLocked = std::function<bool(const InstanceId&)>;

    MailLoad(const ReadSet& reads, Loaded& loaded, IsLocked is_locked)
        : reads_(reads), loaded_(loaded), is_locked_(std::move(is_locked)) {}

    // Whether the round locks instances that it does not name: waiters and children.
    bool wants_waiters() const;
    // The parameters of lock_instances_and_waiters after the explicit ids.
    void add_waiters(Parameters& parameters) const;

    // Queues the queries for everything that the round reads; call after the locks.
    void query(Trip& trip);

private:
    void query_waits(Trip& trip);
    void query_completions(Trip& trip);
    void query_children(Trip& trip);
    void query_keys(Trip& trip);
    using Lists = std::map<std::pair<InstanceId, EventKey>, std::size_t>;
    using LoadedLists = std::map<std::pair<InstanceId, EventKey>, Loading<Event>>;
    static void query_lists(Trip& trip, std::string_view statement, const Lists& lists,
                            LoadedLists& loaded);
    void query_ending_inboxes(Trip& trip);
    void query_sizes(Trip& trip);
    void query_broadcasts(Trip& trip);
    void query_events(Trip& trip);
    void query_receipts(Trip& trip);
    void query_journal(Trip& trip);
    void query_values(Trip& trip);

    Loading<WaitRow> oldest_locked(std::vector<WaitRow> rows,
                                   const ReadSet::Channel& channel) const;
    void take_broadcast(Row& row);

    const ReadSet& reads_;
    Loaded& loaded_;
    IsLocked is_locked_;
};

}  // namespace holdfast::postgres
