#include "store/sqlite/schema.h"

#include "store/sql.h"

namespace holdfast::sqlite {
namespace {

Result<void> apply(Database& database, const sql::Migration& migration) {
    // Safe to concatenate: number and name are embedded in this binary.
    const std::string record = "insert into schema_migrations (number, name) values (" +
                               std::to_string(migration.number) + ", '" +
                               std::string(migration.name) + "');";
    auto done = database.execute("begin immediate;" + std::string(migration.text) + ";" + record +
                                 "commit;");
    if (!done) {
        (void)database.execute("rollback;");
        done.error().message =
            "migration " + std::string(migration.name) + ": " + done.error().message;
    }
    return done;
}

}  // namespace

int newest_schema() { return sql::sqlite_migrations().back().number; }

Result<void> migrate(Database& database, int target) {
    auto made = database.execute(
        "create table if not exists schema_migrations (number integer primary key, name text not "
        "null);");
    if (!made) return made;
    const auto current =
        database.query_integer("select coalesce(max(number), 0) from schema_migrations");
    if (!current) return std::unexpected(current.error());
    if (*current > newest_schema())
        return fail(ErrorCode::newer_schema,
                    "database schema " + std::to_string(*current) +
                        " is not supported: this holdfast supports up to " +
                        std::to_string(newest_schema()) + ", start a newer holdfast");
    for (const sql::Migration& migration : sql::sqlite_migrations()) {
        if (migration.number <= *current || migration.number > target) continue;
        if (auto done = apply(database, migration); !done) return done;
    }
    return {};
}

}  // namespace holdfast::sqlite
