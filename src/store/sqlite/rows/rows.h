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
// Without its documents, which are unread.
Result<std::optional<StoredInstance>> load_instance_row(Database& database, const InstanceId& id);

Result<std::shared_ptr<const Definition>> load_definition(Database& database,
                                                          const TenantRef& wanted);
Result<std::shared_ptr<const Definition>> load_newest_definition(Database& database,
                                                                 const TenantKey& key);

HistoryAnchor read_history_anchor(Statement& row);
Checkpoint read_checkpoint(Statement& row, const InstanceId& instance);

// Steps a bound statement to its end.
Result<void> for_each_row(Statement& statement, const std::function<void(Statement&)>& visit);

// Reads one item more than the limit of a page, and ends the page before it. Ends earlier with the
// item that exceeds the bytes. True: `items` is a full page, and more follow.
template <class Item>
Result<bool> read_page(Statement& statement, std::size_t limit, std::size_t bytes,
                       std::vector<Item>& items, const std::function<Item(Statement&)>& read) {
    std::size_t read_bytes = 0;
    for (;;) {
        HF_TRY(const Stepped stepped, statement.step());
        if (stepped == Stepped::done) break;
        read_bytes += statement.row_bytes();
        if (items.size() == limit || (read_bytes > bytes && !items.empty())) {
            statement.reset();
            return true;
        }
        items.push_back(read(statement));
        if (auto sound = statement.check(); !sound) {
            statement.reset();  // while it stands, its connection reads nothing newer
            return std::unexpected(sound.error());
        }
    }
    statement.reset();
    return false;
}

std::vector<std::uint8_t> to_blob(const std::vector<TokenId>& tokens);

}  // namespace holdfast::sqlite
