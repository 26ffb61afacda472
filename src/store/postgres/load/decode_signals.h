// Decodes rows of the signal tables, as decode.h does for the others.
#pragma once

#include "model/signal.h"
#include "store/postgres/connection/rows.h"

namespace holdfast::postgres {

SignalRow signal_row(Row& row);
ScheduledSignal scheduled_row(Row& row);
DeadLetter dead_letter_row(Row& row);

}  // namespace holdfast::postgres
