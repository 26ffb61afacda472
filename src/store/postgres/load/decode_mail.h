// Rows of the event, wait and journal tables as values of the model, as decode.h does it for the
// others.
#pragma once

#include "model/event.h"
#include "model/journal.h"
#include "store/postgres/connection/rows.h"
#include "store/view.h"

namespace holdfast::postgres {

Event event_row(Row& row);
// After the name or the id that is awaited.
WaitRow wait_row(Row& row);
DeadEvent dead_event_row(Row& row);
FateRow fate_row(Row& row);
JournalEntry journal_row(Row& row);

// A row of load_known_events: a queued event or a dead one.
void add_known_event(Row& row, KnownEvent& known);
// The event that such a row is about.
EventId event_of(Row row);

}  // namespace holdfast::postgres
