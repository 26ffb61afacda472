// Decodes rows of events, waits, timers and journal entries.
#pragma once

#include "store/mailbox.h"
#include "store/queries.h"
#include "store/sqlite/database.h"

namespace holdfast::sqlite {

Event read_event(Statement& row);
DeadEvent read_dead_event(Statement& row);
WaitRow read_wait_row(Statement& row);

Result<KnownEvent> load_known_event(Database& database, const EventId& id);
Result<std::optional<JournalEntry>> load_journal_entry(Database& database, const InstanceId& id,
                                                       std::uint64_t index);
Result<std::vector<JournalEntry>> load_journal_from(Database& database, const InstanceId& id,
                                                    std::uint64_t index, std::size_t limit);
Result<PendingPage> read_pending(Database& database, const EventQuery& query);
Result<DeadPage> read_dead(Database& database, const EventQuery& query);
Result<DueTimers> read_due_timers(Database& database, std::size_t limit, Moment now);

}  // namespace holdfast::sqlite
