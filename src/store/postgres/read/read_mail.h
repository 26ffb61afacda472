// Queries of the read side for events, the journal and timers.
#pragma once

#include "store/postgres/connection/connection.h"
#include "store/queries.h"

namespace holdfast::postgres {

Reply<KnownEvent> known_event(Connection& connection, const EventId& id);
Reply<PendingPage> pending_events(Connection& connection, const EventQuery& query);
Reply<DeadPage> dead_events(Connection& connection, const EventQuery& query);
Reply<std::optional<JournalEntry>> journal_entry(Connection& connection, const InstanceId& id,
                                                 std::uint64_t index);
// One statement for the timers and the clock that decides which are due.
Reply<DueTimers> due_timers(Connection& connection, std::size_t limit);

}  // namespace holdfast::postgres
