#include "store/postgres/connection/columns.h"
#include "store/postgres/connection/trip.h"
#include "store/postgres/store.h"
#include "store/tables/key_table.h"

namespace holdfast::postgres {
namespace {

void undo_keys(Connection& connection) {
    if (connection.is_lost()) return;
    connection.queue("rollback_round");
    if (!connection.exchange()) connection.drop();
}

void queue_end(Trip& trip, const EndKey& end, bool& ended) {
    const bool now = end.at <= end.now;
    Parameters parameters;
    parameters.add(end.id).add(end.tenant).add(end.now);
    if (!now) parameters.add(end.at);
    trip.query_rows(now ? "revoke_key" : "expire_key", parameters,
                    [&ended](Row&) { ended = true; });
}

void queue_add(Trip& trip, const ApiKey& key, Moment forget_before) {
    const auto or_null = [](const std::string& text) {
        return text.empty() ? std::nullopt : std::optional(text);
    };
    Parameters parameters;
    parameters.add(key.id).add(key.tenant).add(key.name).add(key.user);
    parameters.array(key.groups).array(key.roles).array(key.definitions).add(key.secret);
    parameters.add(key.created_at).add(or_null(key.created_by)).add(key.expires_at);
    parameters.add(or_null(key.replaces)).add(std::string(name_of(key.kind)));
    parameters.add(or_null(key.parent));
    trip.query(key.kind == KeyKind::key ? "forget_keys" : "forget_sessions",
               Parameters().add(forget_before), ignore);
    trip.query("insert_key", parameters, ignore);
}

// False: there was nothing to end, and the transaction is rolled back.
Reply<bool> change_keys(Connection& connection, const KeyChange& change) {
    bool ended = !change.end;
    Trip trip(connection);
    trip.query("begin_claim", {}, ignore);
    if (change.end || change.renew || change.add) trip.query("lock_keys", {}, ignore);
    if (change.end) queue_end(trip, *change.end, ended);
    if (const auto& renew = change.renew)
        trip.query("renew_session", Parameters().add(renew->id).add(renew->now).add(renew->until),
                   ignore);
    if (change.add) queue_add(trip, *change.add, change.forget_before);
    if (!change.uses.empty())
        trip.query("note_key_uses",
                   Parameters().array(change.uses, &KeyUse::id).array(change.uses, &KeyUse::at),
                   ignore);
    if (auto done = trip.run(); !done) {
        undo_keys(connection);
        return std::unexpected(done.error());
    }
    connection.queue(ended ? "commit_claim" : "rollback_round");
    auto results = connection.exchange();
    if (results) return ended;
    undo_keys(connection);
    Failure failure = results.error();
    if (ended && failure.kind == FailureKind::lost) failure.kind = FailureKind::unknown;
    return std::unexpected(std::move(failure));
}

Reply<std::vector<ApiKey>> keys(Connection& connection, const KeyQuery& query) {
    std::optional<std::string> kind;
    if (query.kind) kind = name_of(*query.kind);
    Parameters parameters;
    parameters.add(query.after).add(std::uint64_t{query.limit}).add(query.tenant).add(kind);
    connection.queue("read_keys", parameters);
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    std::vector<ApiKey> found;
    for (Row row : results->front()) found.push_back(read_row<tables::ApiKeys>(row));
    return found;
}

}  // namespace

Result<bool> PostgresStore::change_keys(const KeyChange& change) {
    return run([&](Connection& connection) { return postgres::change_keys(connection, change); });
}

Result<std::vector<ApiKey>> PostgresStore::answer(const KeyQuery& query) {
    return run([&](Connection& connection) { return postgres::keys(connection, query); });
}

}  // namespace holdfast::postgres
