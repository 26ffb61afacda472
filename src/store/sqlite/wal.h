// The write-ahead log of a SQLite file: its checkpoints, and the mark by which a start notices that
// it is missing or cut (ADR 20).
#pragma once

#include "store/sqlite/database_file.h"
#include "store/sqlite/writer.h"

namespace holdfast::sqlite {

// `wal`: as it was before SQLite opened the file. corrupt: it is missing or cut, and with it go
// acknowledged changes. Changes neither the file nor what is left of the WAL.
Result<void> check_wal(Database& database, const std::string& wal_path,
                       const std::optional<FileState>& wal);
// Takes over the checkpoints and marks the file as one that needs its WAL.
Result<void> keep_wal(WriteSide& side, const std::string& wal_path);
// The file is about to be closed: it needs no WAL afterwards.
void release_wal(WriteSide& side);

}  // namespace holdfast::sqlite
