#include "store/postgres/load/decode_mail.h"

#include "store/postgres/connection/columns.h"
#include "store/tables/mail_tables.h"
#include "store/tables/record_tables.h"

namespace holdfast::postgres {

Event event_row(Row& row) { return read_row<tables::Events>(row); }

WaitRow wait_row(Row& row) {
    WaitRow wait;
    wait.instance = row.id<InstanceId>();
    wait.token = row.id<TokenId>();
    wait.began_at = row.moment();
    wait.operation = row.id<OperationId>();
    return wait;
}

DeadEvent dead_event_row(Row& row) { return read_row<tables::DeadEvents>(row); }

FateRow fate_row(Row& row) { return read_row<tables::EventFates>(row); }

JournalEntry journal_row(Row& row) {
    const auto instance = row.id<InstanceId>();
    const std::uint64_t index = row.int8();
    JournalEntry entry{read_row<tables::Steps>(row), std::nullopt};
    if (auto shared = read_row<tables::SharedValue>(row)) entry.step.value = *std::move(shared);
    entry.step.instance = instance;
    entry.step.index = index;
    if (Row(row).null()) return entry;
    Winner& winner = entry.winner.emplace(read_row<tables::Winners>(row));
    winner.instance = instance;
    winner.index = index;
    return entry;
}

void add_known_event(Row& row, KnownEvent& known) {
    Row again = row;
    Event event = event_row(row);
    if (row.null())
        known.queued = std::move(event);
    else
        known.dead = dead_event_row(again);
}

EventId event_of(Row row) { return row.id<EventId>(); }

}  // namespace holdfast::postgres
