// Reads the events, waits and journal entries that a round needs.
#pragma once

#include "store/sqlite/rows/load.h"

namespace holdfast::sqlite {

// `bring_along` loads an instance that a wait or a parent led to.
using BringAlong = std::function<Result<void>(const InstanceId&)>;

Result<void> load_mail(Database& database, const ReadSet& reads, Loaded& loaded,
                       const BringAlong& bring_along);

}  // namespace holdfast::sqlite
