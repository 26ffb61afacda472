// The pragmas of every connection to a SQLite file.
#pragma once

#include "store/sqlite/database.h"

namespace holdfast::sqlite {

// WAL with synchronous = FULL: a commit is on disk before it is acknowledged (I36).
inline constexpr const char* writer_pragmas =
    "pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on;"
    "pragma trusted_schema = off; pragma mmap_size = 0; pragma cache_size = -8192;"
    "pragma wal_autocheckpoint = 0;";  // see wal.h
inline constexpr const char* reader_pragmas =
    "pragma query_only = on; pragma trusted_schema = off; pragma mmap_size = 0;"
    "pragma cache_size = -2048;";

// refused: the pragmas are not in effect, so a power failure could lose acknowledged changes (I36).
Result<void> check_durability(Database& database);

}  // namespace holdfast::sqlite
