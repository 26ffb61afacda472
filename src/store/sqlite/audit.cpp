#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/store.h"
#include "store/tables/audit_table.h"

namespace holdfast::sqlite {
namespace {

Result<AuditHead> read_head(Database& database, const std::string& tenant) {
    AuditHead head;
    HF_CHECK(for_each_row(database["read_audit_head"].bind(tenant),
                          [&](Statement& row) { head = read_row<tables::AuditHeads>(row); }));
    return head;
}

Result<std::size_t> forget(Database& database, const std::string& tenant, AuditHead& head,
                           Moment before) {
    std::size_t removed = 0;
    HF_CHECK(
        for_each_row(database["find_old_audit"].bind(tenant, before, head.forgotten, head.newest),
                     [&](Statement& row) {
                         const auto number = static_cast<std::uint64_t>(row.integer());
                         removed = number - head.forgotten;
                         head.forgotten = number;
                         head.anchor = row.digest();
                     }));
    if (removed > 0) HF_CHECK(database["forget_audit"].bind(tenant, head.forgotten).run());
    return removed;
}

}  // namespace

Result<std::size_t> SqliteStore::append_audit(const AuditAppend& append) {
    return transact(write_side_, [&](Database& database) -> Result<std::size_t> {
        HF_TRY(AuditHead head, read_head(database, append.tenant));
        std::vector<AuditRow> rows = append.rows;
        for (AuditRow& row : rows) row.tenant = append.tenant;
        head = chain_audit(head, rows);
        for (const AuditRow& row : rows) {
            Statement& statement = database["insert_audit"];
            const BoundColumns<tables::AuditRows> columns(statement.bind(), row);
            HF_CHECK(statement.run());
        }
        std::size_t removed = 0;
        if (append.forget_before) {
            HF_TRY(removed, forget(database, append.tenant, head, *append.forget_before));
        }
        HF_CHECK(database["write_audit_head"]
                     .bind(append.tenant, head.newest, head.hash, head.forgotten, head.anchor)
                     .run());
        return removed;
    });
}

Result<AuditPage> SqliteStore::answer(const AuditQuery& query) {
    ReaderPool::Lease reader(list_readers_);
    HF_TRY(const AuditHead head, read_head(*reader, query.tenant));
    const AuditRange range = range_of(query, head);
    const std::int64_t step = query.order == AuditOrder::oldest_first ? 1 : -1;
    std::vector<AuditRow> found;
    HF_CHECK(for_each_row(
        (*reader)["read_audit"].bind(query.tenant, range.first, range.last, query.action,
                                     query.user, query.credential, query.address, query.from,
                                     query.before, step, std::uint64_t{query.limit}),
        [&](Statement& row) { found.push_back(read_row<tables::AuditRows>(row)); }));
    return page_of(query, head, std::move(found));
}

}  // namespace holdfast::sqlite
