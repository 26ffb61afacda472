// Loads the read set of a round, inside its transaction.
#pragma once

#include <map>

#include "store/read_set.h"
#include "store/sqlite/writer.h"
#include "store/view.h"

namespace holdfast::sqlite {

Result<Loaded> load(WriteSide& side, const ReadSet& reads, Moment now, Sequences& sequences);

}  // namespace holdfast::sqlite
