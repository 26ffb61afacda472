#include "store/postgres/nodes.h"

#include "store/postgres/connection/columns.h"
#include "store/postgres/connection/trip.h"
#include "store/postgres/load/decode_signals.h"
#include "store/tables/definition_table.h"
#include "store/tables/node_tables.h"

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

template <class Table>
Reply<std::vector<typename Table::Row>> fetch_all(Connection& connection,
                                                  std::string_view statement,
                                                  const Parameters& parameters = {}) {
    auto rows = fetch(connection, statement, parameters);
    if (!rows) return std::unexpected(rows.error());
    std::vector<typename Table::Row> all;
    for (Row row : *rows) all.push_back(read_row<Table>(row));
    return all;
}

void roll_back(Connection& connection) {
    if (connection.is_lost()) return;
    connection.queue("rollback_round");
    if (!connection.exchange()) connection.drop();
}

}  // namespace

Reply<void> join(Connection& connection, const Joining& joining) {
    Parameters parameters;
    parameters.add(joining.id).add(joining.name).add(count_of(joining.lease));
    parameters.add(name_of(joining.kind)).array(joining.programs);
    return execute(connection, "join_node", parameters);
}

Reply<Beat> beat(Connection& connection, const NodeId& id, std::chrono::microseconds lease,
                 const std::vector<std::string>& programs, Following follows) {
    auto rows = fetch(
        connection, "beat_node",
        Parameters().add(id).add(count_of(lease)).array(programs).add(follows == Following::yes));
    if (!rows) return std::unexpected(rows.error());
    Row row = (*rows)[0];
    Beat beat;
    beat.now = row.moment();
    beat.alive = row.boolean();
    beat.others = row.int8();
    beat.claimable_at = row.optional(&Row::moment);
    beat.due_at = row.optional(&Row::moment);
    beat.followed = row.boolean();
    beat.newest_change = row.int8();
    return beat;
}

Reply<void> leave(Connection& connection, const NodeId& id) {
    return execute(connection, "leave_node", Parameters().add(id));
}

Reply<std::vector<NodeRow>> nodes(Connection& connection) {
    return fetch_all<tables::Nodes>(connection, "read_nodes");
}

Reply<std::optional<NodeRow>> node(Connection& connection, const NodeId& id) {
    auto found = fetch_all<tables::Nodes>(connection, "read_node", Parameters().add(id));
    if (!found) return std::unexpected(found.error());
    if (found->empty()) return std::nullopt;
    return std::move(found->front());
}

Reply<Backlog> backlog(Connection& connection, const CountBacklog& query) {
    connection.queue("count_backlog", Parameters().add(query.most));
    connection.queue("count_open", Parameters().add(query.most).add(query.groups));
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    Backlog found;
    const auto count = [](Row& row) { return static_cast<std::uint64_t>(row.int8()); };
    Row row = results->front()[0];
    found.incidents = count(row);
    found.tasks = count(row);
    found.dead_letters = count(row);
    found.dead_events = count(row);
    found.signals = count(row);
    found.oldest_signal = row.optional(&Row::moment);
    found.timers = count(row);
    found.next_timer = row.optional(&Row::moment);
    found.now = row.moment();
    for (Row group : results->back()) {
        Backlog::Open& open = found.open.emplace_back();
        open.definition = group.text();
        open.status = group.text();
        open.count = count(group);
    }
    return found;
}

Reply<StrandedPage> find_stranded(Connection& connection, const FindStranded& query) {
    auto rows =
        fetch(connection, "read_stranded",
              Parameters().add(query.after.value_or(SignalId{})).add(std::uint64_t{query.look_at}));
    if (!rows) return std::unexpected(rows.error());
    StrandedPage page;
    std::optional<SignalId> last;
    for (Row row : *rows) {
        page.now = row.moment();
        last = row.optional(&Row::id<SignalId>);
        if (!last) return page;  // the queue has no more
        Stranded one{.signal = *last, .instance = row.id<InstanceId>()};
        one.program = row.text();
        one.visible_at = row.moment();
        one.incident = row.boolean();
        if (row.boolean()) page.items.push_back(std::move(one));
    }
    if (rows->size() == query.look_at) page.next = last;
    return page;
}

Reply<Claimed> claim(Connection& connection, const Claim& claim) {
    Claimed claimed;
    Trip trip(connection);
    trip.query("begin_claim", {}, ignore);
    trip.query("move_due_signals", {}, ignore);
    trip.query_rows("claim_signals",
                    Parameters()
                        .add(claim.node)
                        .array(claim.programs)
                        .add(std::uint64_t{claim.limit})
                        .add(claim.anyones == AnyonesSignals::taken),
                    [&](Row& row) {
                        SignalRow signal;
                        if (claimed_row(row, signal))
                            claimed.signals.push_back(std::move(signal));
                        else
                            claimed.corrupt.push_back(signal.id);
                    });
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
    if (results) return claimed;
    roll_back(connection);
    // If the connection was lost during COMMIT, the leases may be ours or not. Nothing is handed
    // out: a claim that was rolled back leaves the epoch as it was, so the next one would lease the
    // same signal under the same epoch, and two workers would hold a valid lease. The caller ends
    // this life, and with it the leases that it may have.
    Failure failure = results.error();
    if (failure.kind == FailureKind::lost) failure.kind = FailureKind::unknown;
    return std::unexpected(std::move(failure));
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
    return read_row<tables::HostLocks>(row);
}

Reply<std::vector<HostLock>> host_locks(Connection& connection) {
    return fetch_all<tables::HostLocks>(connection, "read_host_locks");
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

Reply<std::vector<DefinitionSummary>> definitions(Connection& connection,
                                                  const DefinitionQuery& query) {
    return fetch_all<tables::DefinitionSummaries>(
        connection, "read_definition_keys",
        Parameters().add(query.after).add(std::uint64_t(query.limit)).add(query.tenant));
}

Reply<std::vector<DefinitionSummary>> versions(Connection& connection, const VersionQuery& query) {
    return fetch_all<tables::DefinitionSummaries>(connection, "read_definition_versions",
                                                  Parameters()
                                                      .add(query.key)
                                                      .add(std::uint64_t(query.before))
                                                      .add(std::uint64_t(query.limit))
                                                      .add(query.tenant));
}

// The bounds before the rows, in statements of their own (read_stream_bounds); what is forgotten
// after them: it may be more than what the rows show, never less.
Reply<StreamPage> stream(Connection& connection, const StreamQuery& query) {
    connection.queue("read_stream_bounds");
    connection.queue("read_stream", Parameters()
                                        .add(query.after.value_or(0))
                                        .add(std::uint64_t{query.after ? query.limit : 0}));
    connection.queue("read_forgotten");
    auto results = connection.exchange();
    if (!results) return std::unexpected(results.error());
    StreamPage page;
    Row bounds = (*results)[0][0];
    page.reached = bounds.int8();
    page.newest = bounds.int8();
    for (Row row : (*results)[1]) {
        const std::uint64_t position = row.int8();
        if (position > page.reached) break;
        auto round = decode_records(row.text());
        if (!round)
            return std::unexpected(Failure{FailureKind::corrupt, "", round.error().message});
        page.rows.push_back({position, *std::move(round)});
    }
    if (query.after && page.rows.size() == query.limit) page.reached = page.rows.back().position;
    page.forgotten = (*results)[2][0].int8();
    return page;
}

}  // namespace holdfast::postgres
