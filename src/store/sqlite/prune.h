// Retention in a SQLite file.
#pragma once

#include "store/pruning.h"
#include "store/sqlite/writer.h"

namespace holdfast::sqlite {

// Deletes one batch. Call inside a transaction; that of a dry run is to be rolled back.
Result<Pruned> prune(WriteSide& side, const Prune& prune, Moment now);
// Trims one page of histories. Call inside a transaction.
Result<TrimmedHistories> trim_histories(Database& database, const TrimHistories& trim, Moment now);
Result<StalePage> find_stale(Database& database, const FindStale& query);
Result<bool> holds_lock(Database& database, const HostLock& lock, Moment now);

}  // namespace holdfast::sqlite
