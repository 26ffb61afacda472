#include "store/postgres/schema.h"

#include <limits>

#include "store/sql.h"

namespace holdfast::postgres {
namespace {

constexpr std::chrono::milliseconds between_tries{100};

int newest_migration() { return sql::postgres_migrations().back().number; }

Error newer_schema(int found) {
    return {ErrorCode::newer_schema,
            "database schema " + std::to_string(found) +
                " is not supported: this holdfast supports up to " +
                std::to_string(newest_migration()) + ", start a newer holdfast",
            {}};
}

Reply<int> last_applied(Connection& connection) {
    connection.queue("create_schema_migrations");
    connection.queue_once(sql::text_of(sql::postgres_statements(), "last_migration"));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    return static_cast<int>(results->back()[0].int4());
}

Reply<void> apply(Connection& connection, const sql::Migration& migration) {
    if (auto done = connection.script("begin"); !done) return done;
    if (auto done = connection.script(std::string(migration.text)); !done) return done;
    Parameters parameters;
    parameters.add(static_cast<std::uint32_t>(migration.number)).add(migration.name);
    connection.queue("record_migration", parameters);
    connection.queue("commit_round");
    if (auto done = connection.exchange(); !done) return std::unexpected(done.error());
    return {};
}

}  // namespace

Reply<LockOutcome> take_advisory_lock(Connection& connection, AdvisoryLock lock,
                                      const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        connection.queue("try_lock", Parameters().add(static_cast<std::int64_t>(lock)));
        auto results = connection.exchange();
        if (!results) return std::unexpected(results.error());
        if (results->front()[0].boolean()) return LockOutcome::taken;
        pause(between_tries);
    }
    return LockOutcome::stopped;
}

Result<void> migrate(const Address& address) {
    return migrate_to(address, std::numeric_limits<int>::max());
}

Result<void> migrate_to(const Address& address, int last) {
    auto connection = Connection::open(address, Role::maintenance);
    if (!connection) return std::unexpected(to_error(connection.error()));
    if (auto lock = take_advisory_lock(**connection, AdvisoryLock::migrate, {}); !lock)
        return std::unexpected(to_error(lock.error()));
    const auto applied = last_applied(**connection);
    if (!applied) return std::unexpected(to_error(applied.error()));
    if (*applied > newest_migration()) return std::unexpected(newer_schema(*applied));
    for (const sql::Migration& migration : sql::postgres_migrations()) {
        if (migration.number <= *applied || migration.number > last) continue;
        if (auto done = apply(**connection, migration); !done) {
            Error error = to_error(done.error());
            error.message = "migration " + std::string(migration.name) + ": " + error.message;
            return std::unexpected(std::move(error));
        }
    }
    return {};
}

}  // namespace holdfast::postgres
