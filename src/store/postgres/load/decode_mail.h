// Decodes rows of the event, wait and journal tables, as decode.h does for the others.
#pragma once

#include "model/event.h"
#include "model/journal.h"
#include "store/postgres/connection/rows.h"
#include "store/view.h"

namespace holdfast::postgres {

Event event_row(Row& row);
// Without the leading channel or awaited id.
WaitRow wait_row(Row& row);
DeadEvent dead_event_row(Row& row);
FateRow fate_row(Row& row);
JournalEntry journal_row(Row& row);

// A row of load_known_events: a queued event or a dead one.
void add_known_event(Row& row, KnownEvent& known);
// The event id of such a row.
EventId event_of(Row row);

}  // namespace holdfast::postgres
