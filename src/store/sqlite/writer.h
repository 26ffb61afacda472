// Commits rounds to a SQLite file through the one connection that writes.
#pragma once

#include <mutex>

#include "store/options.h"
#include "store/sqlite/database.h"
#include "store/sqlite/index_paths.h"
#include "store/store.h"

namespace holdfast::sqlite {

// The connection that makes every write and every checkpoint: with two of them SQLite 3.40 may
// corrupt the WAL when it resets it. Rounds and index backfills take turns.
struct WriteSide {
    std::mutex mutex;
    std::unique_ptr<Database> database;
    std::vector<IndexPath> index_paths;
    std::map<DefinitionRef, std::shared_ptr<const Definition>>
        definitions;  // immutable, so never stale
    Moment latest;    // time as rounds see it never runs backwards
};

class SqliteWriter final : public Writer {
public:
    SqliteWriter(WriteSide& side, const StoreOptions& options) : side_(side), options_(options) {}

    Result<std::variant<Committed, Unknown>> commit(const Round& round,
                                                    const Decide& decide) override;
    Result<Fate> fate(const RoundId& round) override;

private:
    Result<std::size_t> run(const Round& round, const Decide& decide);

    WriteSide& side_;
    const StoreOptions& options_;
};

}  // namespace holdfast::sqlite
