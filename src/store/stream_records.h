// What a commit writes into the stream of changes.
#pragma once

#include "model/stream.h"
#include "store/changes.h"

namespace holdfast {

// History first, in order of acceptance, then checkpoints, tasks and dead letters.
RoundRecords records_of(const Changes& changes);
bool has_records(const Changes& changes);
// The same as it is stored; empty: nothing that the stream tells.
std::string encode_records(const Changes& changes);

}  // namespace holdfast
