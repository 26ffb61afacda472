// Writes the changes of a round, inside its transaction: only what changed.
#pragma once

#include "store/sqlite/rows/load.h"
#include "store/sqlite/writer.h"

namespace holdfast::sqlite {

// The number of rows written.
Result<std::size_t> write(WriteSide& side, const StoreOptions& options, const Round& round,
                          Moment now, const Changes& changes, Sequences& sequences);

}  // namespace holdfast::sqlite
