#include "store/postgres/nodes.h"

#include "store/postgres/connection/trip.h"
#include "store/postgres/load/decode_signals.h"

namespace holdfast::postgres {
namespace {

std::int64_t count_of(std::chrono::microseconds time) { return time.count(); }

Reply<Rows> fetch(Connection& connection, std::string_view statement,
                  const Parameters& parameters = {}) {
    connection.queue(statement, parameters);
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    return std::move(results->front());
}

Reply<void> execute(Connection& connection, std::string_view statement,
                    const Parameters& parameters) {
    auto rows = fetch(connection, statement, parameters);
    if (!rows) return std::unexpected(rows.error());
    return {};
}

HostLock host_lock(Row& row) {
    HostLock lock;
    lock.name = row.text();
    lock.owner = row.text();
    lock.until = row.moment();
    lock.term = row.int8();
    return lock;
}

void roll_back(Connection& connection) {
    if (connection.is_lost()) return;
    connection.queue("rollback_round");
    if (!connection.exchange()) connection.drop();
}

}  // namespace

Reply<void> join(Connection& connection, const NodeId& id, const std::string& name,
                 std::chrono::microseconds lease) {
    return execute(connection, "join_node", Parameters().add(id).add(name).add(count_of(lease)));
}

Reply<Beat> beat(Connection& connection, const NodeId& id, std::chrono::microseconds lease,
                 const std::vector<std::string>& programs) {
    auto rows =
        fetch(connection, "beat_node", Parameters().add(id).add(count_of(lease)).array(programs));
    if (!rows) return std::unexpected(rows.error());
    Row row = (*rows)[0];
    Beat beat;
    beat.now = row.moment();
    beat.alive = row.boolean();
    beat.others = row.int8();
    beat.claimable_at = row.optional(&Row::moment);
    beat.due_at = row.optional(&Row::moment);
    return beat;
}

Reply<void> leave(Connection& connection, const NodeId& id) {
    return execute(connection, "leave_node", Parameters().add(id));
}

Reply<std::vector<NodeRow>> nodes(Connection& connection) {
    auto rows = fetch(connection, "read_nodes");
    if (!rows) return std::unexpected(rows.error());
    std::vector<NodeRow> found;
    for (Row row : *rows) {
        NodeRow& node = found.emplace_back();
        node.id = row.id<NodeId>();
        node.name = row.text();
        node.started_at = row.moment();
        node.beat_at = row.moment();
        node.lease_until = row.moment();
    }
    return found;
}

Reply<Claimed> claim(Connection& connection, const Claim& claim) {
    Claimed claimed;
    Trip trip(connection);
    trip.query("begin_claim", {}, ignore);
    trip.query("move_due_signals", {}, ignore);
    trip.query_rows(
        "claim_signals",
        Parameters().add(claim.node).array(claim.programs).add(std::uint64_t{claim.limit}),
        [&](Row& row) { claimed.signals.push_back(signal_row(row)); });
    trip.query_rows("read_claimable", Parameters().add(claim.node).array(claim.programs),
                    [&](Row& row) {
                        claimed.now = row.moment();
                        claimed.next = row.optional(&Row::moment);
                    });
    if (auto done = trip.run(); !done) {
        roll_back(connection);
        return std::unexpected(done.error());
    }
    connection.queue("commit_claim");
    auto results = connection.exchange();
    // If the connection was lost during COMMIT, the leases may be ours: return them. Acting on an
    // invalid lease changes nothing, but an unknown lease would block its signal as long as the
    // node lives.
    if (!results && results.error().kind != FailureKind::lost) {
        roll_back(connection);
        return std::unexpected(results.error());
    }
    return claimed;
}

Reply<void> give_back(Connection& connection, const SignalId& id, const Lease& lease,
                      std::chrono::microseconds pause, GiveBack attempt) {
    Parameters parameters;
    parameters.add(id).add(lease.node).add(lease.epoch).add(count_of(pause));
    parameters.add(std::uint64_t{attempt == GiveBack::was_not_begun});
    return execute(connection, "give_back_signal", parameters);
}

Reply<std::optional<HostLock>> lock_host(Connection& connection, const std::string& name,
                                         const std::string& owner, std::chrono::microseconds time) {
    auto rows =
        fetch(connection, "take_host_lock", Parameters().add(name).add(owner).add(count_of(time)));
    if (!rows) return std::unexpected(rows.error());
    if (rows->size() == 0) return std::nullopt;
    Row row = (*rows)[0];
    return host_lock(row);
}

Reply<std::vector<HostLock>> host_locks(Connection& connection) {
    auto rows = fetch(connection, "read_host_locks");
    if (!rows) return std::unexpected(rows.error());
    std::vector<HostLock> locks;
    for (Row row : *rows) locks.push_back(host_lock(row));
    return locks;
}

Reply<std::optional<Moment>> mark(Connection& connection, const std::string& name) {
    auto rows = fetch(connection, "read_mark", Parameters().add(name));
    if (!rows) return std::unexpected(rows.error());
    if (rows->size() == 0) return std::nullopt;
    return (*rows)[0].moment();
}

Reply<void> set_mark(Connection& connection, const std::string& name, Moment at) {
    return execute(connection, "set_mark", Parameters().add(name).add(at));
}

Reply<Moment> now(Connection& connection) {
    auto rows = fetch(connection, "read_clock");
    if (!rows) return std::unexpected(rows.error());
    return (*rows)[0].moment();
}

Reply<std::map<std::string, Retention>> retentions(Connection& connection) {
    auto rows = fetch(connection, "read_retentions");
    if (!rows) return std::unexpected(rows.error());
    const auto time = [](Row& row) -> std::optional<std::chrono::microseconds> {
        const auto count = row.optional(&Row::int8);
        if (!count) return std::nullopt;
        return std::chrono::microseconds(static_cast<std::int64_t>(*count));
    };
    std::map<std::string, Retention> retentions;
    for (Row row : *rows) {
        Retention& retention = retentions[row.text()];
        retention.keep_for = time(row);
        retention.stale_after = time(row);
    }
    return retentions;
}

}  // namespace holdfast::postgres
