// The part of a round's first round trip that locks and reads signals and continuations.
#pragma once

#include "store/postgres/connection/trip.h"
#include "store/read_set.h"
#include "store/signals.h"

namespace holdfast::postgres {

// Call after the queries for the instances. Does nothing if the round reads no signals. `reads` and
// `loaded` must outlive the trip.
void query_signals(Trip& trip, const ReadSet& reads, LoadedSignals& loaded);

}  // namespace holdfast::postgres
