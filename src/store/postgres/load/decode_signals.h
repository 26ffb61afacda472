// Decodes rows of the signal tables, as decode.h does for the others.
#pragma once

#include "model/signal.h"
#include "store/postgres/connection/rows.h"

namespace holdfast::postgres {

SignalRow signal_row(Row& row);
// False: it has a value that is none of ours.
bool claimed_row(Row& row, SignalRow& signal);
ScheduledSignal scheduled_row(Row& row);
DeadLetter dead_letter_row(Row& row);

}  // namespace holdfast::postgres
