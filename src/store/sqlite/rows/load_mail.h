// Loads the events, waits and journal entries of a round's read set.
#pragma once

#include "store/sqlite/rows/load.h"

namespace holdfast::sqlite {

// Loads an instance that was found by a wait or as a child.
using LoadRelated = std::function<Result<void>(const InstanceId&)>;

Result<void> load_mail(WriteSide& side, const ReadSet& reads, Loaded& loaded,
                       const LoadRelated& load_related);

}  // namespace holdfast::sqlite
