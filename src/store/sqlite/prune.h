// Retention in a SQLite file.
#pragma once

#include "store/nodes.h"
#include "store/sqlite/writer.h"

namespace holdfast::sqlite {

// Deletes one batch. Call inside a transaction; that of a dry run is to be rolled back.
Result<Pruned> prune(WriteSide& side, const Prune& prune, Moment now);

}  // namespace holdfast::sqlite
