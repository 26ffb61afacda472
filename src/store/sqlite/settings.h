// What every connection to a SQLite file is told when it opens.
#pragma once

#include "store/sqlite/database.h"

namespace holdfast::sqlite {

// WAL with FULL: a commit is on the disk before it is acknowledged (I36).
inline constexpr const char* writer_pragmas =
    "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;"
    "pragma trusted_schema = off; pragma mmap_size = 0; pragma cache_size = -8192;"
    "pragma wal_autocheckpoint = 2000;";
inline constexpr const char* reader_pragmas =
    "pragma query_only = on; pragma trusted_schema = off; pragma mmap_size = 0;"
    "pragma cache_size = -2048;";

// refused: the file would lose acknowledged changes with the machine, whatever it was told (I36).
Result<void> check_durability(Database& database);

}  // namespace holdfast::sqlite
