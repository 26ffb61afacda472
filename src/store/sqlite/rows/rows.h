// Decodes SQLite rows to model values.
#pragma once

#include <functional>

#include "store/query.h"
#include "store/sqlite/database.h"
#include "store/view.h"

namespace holdfast::sqlite {

// An instance with its integer key, which its child tables use.
struct StoredInstance {
    std::int64_t seq = 0;
    Loaded::Row row;
    std::uint64_t snapshot_version = 0;  // snapshot schema of the holdfast that wrote it
};

// Absent: no such instance. Children only at Depth::whole.
Result<std::optional<StoredInstance>> load_instance(Database& database, const InstanceId& id,
                                                    Depth depth);

Result<std::shared_ptr<const Definition>> load_definition(Database& database,
                                                          const DefinitionRef& ref);
Result<std::shared_ptr<const Definition>> load_newest_definition(Database& database,
                                                                 const std::string& key);

HistoryRow read_history_row(Statement& row);
ConflictRow read_conflict_row(Statement& row);
Checkpoint read_checkpoint(Statement& row, const InstanceId& instance);

// Steps a bound statement to its end.
Result<void> for_each_row(Statement& statement, const std::function<void(Statement&)>& visit);

std::vector<std::uint8_t> to_blob(const std::vector<TokenId>& tokens);

}  // namespace holdfast::sqlite
