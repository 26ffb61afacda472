#include "store/postgres/connection/columns.h"
#include "store/postgres/connection/trip.h"
#include "store/postgres/store.h"
#include "store/tables/audit_table.h"

namespace holdfast::postgres {
namespace {

void undo_audit(Connection& connection) {
    if (connection.is_lost()) return;
    connection.queue("rollback_round");
    if (!connection.exchange()) connection.drop();
}

// The head, locked, and the last row that may be forgotten.
struct Locked {
    AuditHead head;
    std::optional<std::uint64_t> old;
    Digest old_hash;
};

Reply<Locked> lock(Connection& connection, const AuditAppend& append) {
    Locked locked;
    Trip trip(connection);
    trip.query("begin_claim", {}, ignore);
    trip.query("begin_audit", Parameters().add(append.tenant), ignore);
    trip.query_rows("lock_audit_head", Parameters().add(append.tenant),
                    [&](Row& row) { locked.head = read_row<tables::AuditHeads>(row); });
    if (auto done = trip.run(); !done) return std::unexpected(done.error());
    return locked;
}

Reply<void> find_old(Connection& connection, const AuditAppend& append, Locked& locked) {
    if (!append.forget_before) return {};
    Trip trip(connection);
    trip.query_rows("find_old_audit",
                    Parameters()
                        .add(append.tenant)
                        .add(*append.forget_before)
                        .add(locked.head.forgotten)
                        .add(locked.head.newest + append.rows.size()),
                    [&](Row& row) {
                        locked.old = row.int8();
                        locked.old_hash = row.digest();
                    });
    return trip.run();
}

// Returns how many rows are removed.
std::size_t queue_writes(Connection& connection, const AuditAppend& append, const Locked& locked) {
    std::vector<AuditRow> rows = append.rows;
    for (AuditRow& row : rows) row.tenant = append.tenant;
    AuditHead head = chain_audit(locked.head, rows);
    if (!rows.empty()) {
        Parameters columns;
        add_columns<tables::AuditRows>(columns, rows, std::identity());
        connection.queue("insert_audit", columns);
    }
    std::size_t removed = 0;
    if (locked.old) {
        removed = *locked.old - head.forgotten;
        head.forgotten = *locked.old;
        head.anchor = locked.old_hash;
        connection.queue("forget_audit", Parameters().add(append.tenant).add(head.forgotten));
    }
    connection.queue("write_audit_head", Parameters()
                                             .add(append.tenant)
                                             .add(head.newest)
                                             .add(head.hash)
                                             .add(head.forgotten)
                                             .add(head.anchor));
    connection.queue("commit_claim");
    return removed;
}

Reply<std::size_t> append_audit(Connection& connection, const AuditAppend& append) {
    auto locked = lock(connection, append);
    if (locked)
        if (auto found = find_old(connection, append, *locked); !found)
            locked = std::unexpected(found.error());
    if (!locked) {
        undo_audit(connection);
        return std::unexpected(locked.error());
    }
    const std::size_t removed = queue_writes(connection, append, *locked);
    auto results = connection.exchange();
    if (results) return removed;
    undo_audit(connection);
    Failure failure = results.error();
    if (failure.kind == FailureKind::lost) failure.kind = FailureKind::unknown;
    return std::unexpected(std::move(failure));
}

Reply<AuditPage> audit_page(Connection& connection, const AuditQuery& query) {
    AuditHead head;
    Trip first(connection);
    first.query_rows("read_audit_head", Parameters().add(query.tenant),
                     [&](Row& row) { head = read_row<tables::AuditHeads>(row); });
    if (auto done = first.run(); !done) return std::unexpected(done.error());
    const AuditRange range = range_of(query, head);
    const std::int64_t step = query.order == AuditOrder::oldest_first ? 1 : -1;
    std::vector<AuditRow> found;
    Parameters parameters;
    parameters.add(query.tenant).add(range.first).add(range.last).add(query.action);
    parameters.add(query.user).add(query.credential).add(query.address).add(query.from);
    parameters.add(query.before).add(step).add(std::uint64_t{query.limit});
    Trip second(connection);
    second.query_rows("read_audit", parameters,
                      [&](Row& row) { found.push_back(read_row<tables::AuditRows>(row)); });
    if (auto done = second.run(); !done) return std::unexpected(done.error());
    return page_of(query, head, std::move(found));
}

}  // namespace

Result<std::size_t> PostgresStore::append_audit(const AuditAppend& append) {
    return run([&](Connection& connection) { return postgres::append_audit(connection, append); });
}

Result<AuditPage> PostgresStore::answer(const AuditQuery& query) {
    return browse([&](Connection& connection) { return audit_page(connection, query); });
}

}  // namespace holdfast::postgres
