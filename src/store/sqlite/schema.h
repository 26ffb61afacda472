// Brings a SQLite file to the schema of this program.
#pragma once

#include "store/sqlite/database.h"

namespace holdfast::sqlite {

// The number of the newest migration that this program knows.
int newest_schema();

// Applies what is missing, each migration in a transaction of its own, up to `target`.
// newer_schema: the file was written by a newer holdfast.
Result<void> migrate(Database& database, int target = newest_schema());

}  // namespace holdfast::sqlite
