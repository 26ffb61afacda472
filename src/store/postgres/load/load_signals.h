// The part of a round's first trip that locks and reads signals and continuations.
#pragma once

#include "store/postgres/connection/trip.h"
#include "store/read_set.h"
#include "store/signals.h"

namespace holdfast::postgres {

// After the instances were asked for; nothing where no signal is read. Both outlive the trip.
void ask_signals(Trip& trip, const ReadSet& reads, LoadedSignals& loaded);

}  // namespace holdfast::postgres
