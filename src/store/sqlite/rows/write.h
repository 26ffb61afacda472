// Writes the changed rows of a round, inside its transaction.
#pragma once

#include "store/sqlite/rows/load.h"
#include "store/sqlite/writer.h"

namespace holdfast::sqlite {

// Returns the number of rows written.
Result<std::size_t> write(WriteSide& side, const StoreOptions& options, const Round& round,
                          Moment now, const Changes& changes, Sequences& sequences);

}  // namespace holdfast::sqlite
