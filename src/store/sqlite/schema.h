// Migrates a SQLite file to the schema of this binary.
#pragma once

#include "store/sqlite/database.h"

namespace holdfast::sqlite {

// The number of the newest migration in this binary.
int newest_schema();

// Applies the pending migrations up to `target`, each in its own transaction.
// newer_schema: the file was written by a newer holdfast.
Result<void> migrate(Database& database, int target = newest_schema());

}  // namespace holdfast::sqlite
