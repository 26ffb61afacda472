#include "store/postgres/load/decode_signals.h"

#include "store/postgres/connection/columns.h"
#include "store/tables/signal_tables.h"

namespace holdfast::postgres {

SignalRow signal_row(Row& row) { return read_row<tables::SignalQueue>(row); }

bool claimed_row(Row& row, SignalRow& signal) {
    tables::Decode decode(row);
    tables::SignalQueue::columns(decode, signal);
    return decode.unknown().empty();
}

ScheduledSignal scheduled_row(Row& row) {
    return tables::completed(read_row<tables::ScheduleQueue>(row));
}

DeadLetter dead_letter_row(Row& row) {
    return tables::completed(read_row<tables::DeadLetters>(row));
}

}  // namespace holdfast::postgres
