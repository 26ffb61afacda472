#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/store.h"
#include "store/tables/key_table.h"

namespace holdfast::sqlite {
namespace {

Result<bool> end_key(Database& database, const EndKey& end) {
    if (end.at <= end.now) {
        HF_CHECK(database["revoke_key"].bind(end.id, end.tenant, end.now).run());
    } else {
        HF_CHECK(database["expire_key"].bind(end.id, end.tenant, end.now, end.at).run());
    }
    return database.changed() == 1;
}

Result<void> add_key(Database& database, ApiKey key, Moment forget_before) {
    const char* forget = key.kind == KeyKind::key ? "forget_keys" : "forget_sessions";
    HF_CHECK(database[forget].bind(forget_before).run());
    HF_CHECK(for_each_row(database["read_key_change"].bind(), [&](Statement& row) {
        key.change = static_cast<std::uint64_t>(row.integer()) + 1;
    }));
    Statement& statement = database["insert_key"];
    const BoundColumns<tables::ApiKeys> columns(statement.bind(), key);
    return statement.run();
}

}  // namespace

Result<bool> SqliteStore::change_keys(const KeyChange& change) {
    return transact(write_side_, [&](Database& database) -> Result<bool> {
        if (change.end) {
            HF_TRY(const bool ended, end_key(database, *change.end));
            if (!ended) return false;
        }
        if (const auto& renew = change.renew)
            HF_CHECK(database["renew_session"].bind(renew->id, renew->now, renew->until).run());
        if (change.add) {
            HF_CHECK(add_key(database, *change.add, change.forget_before));
        }
        for (const auto& [id, at] : change.uses)
            HF_CHECK(database["note_key_use"].bind(id, at).run());
        return true;
    });
}

Result<std::vector<ApiKey>> SqliteStore::answer(const KeyQuery& query) {
    ReaderPool::Lease reader(readers_);
    std::vector<ApiKey> found;
    std::optional<std::string_view> kind;
    if (query.kind) kind = name_of(*query.kind);
    HF_CHECK(for_each_row(
        (*reader)["read_keys"].bind(query.after, std::uint64_t{query.limit}, query.tenant, kind),
        [&](Statement& row) { found.push_back(read_row<tables::ApiKeys>(row)); }));
    return found;
}

}  // namespace holdfast::sqlite
