#include <algorithm>

#include "store/memory/store.h"

namespace holdfast::memory {
namespace {

constexpr std::size_t most_forgotten = 10'000;

bool matches(const AuditQuery& query, const AuditRow& row) {
    return (!query.action || row.action == *query.action) &&
           (!query.user || row.user == *query.user) &&
           (!query.credential || row.credential == *query.credential) &&
           (!query.address || row.address == *query.address) &&
           (!query.from || row.at >= *query.from) && (!query.before || row.at < *query.before);
}

std::size_t forget(AuditHead& head, std::deque<AuditRow>& rows, Moment before) {
    std::size_t removed = 0;
    while (rows.size() > 1 && rows.front().at < before && removed < most_forgotten) {
        head.forgotten = rows.front().number;
        head.anchor = rows.front().hash;
        rows.pop_front();
        ++removed;
    }
    return removed;
}

}  // namespace

Result<std::size_t> MemoryStore::append_audit(const AuditAppend& append) {
    const std::lock_guard lock(mutex_);
    auto& [head, rows] = tables_.audit[append.tenant];
    std::vector<AuditRow> added = append.rows;
    for (AuditRow& row : added) row.tenant = append.tenant;
    head = chain_audit(head, added);
    rows.insert(rows.end(), added.begin(), added.end());
    return append.forget_before ? forget(head, rows, *append.forget_before) : 0;
}

Result<AuditPage> MemoryStore::answer(const AuditQuery& query) {
    const std::lock_guard lock(mutex_);
    const auto& [head, rows] = tables_.audit[query.tenant];
    const AuditRange range = range_of(query, head);
    std::vector<AuditRow> found;
    for (const AuditRow& row : rows)
        if (row.number >= range.first && row.number <= range.last && matches(query, row))
            found.push_back(row);
    if (query.order == AuditOrder::newest_first) std::ranges::reverse(found);
    return page_of(query, head, std::move(found));
}

}  // namespace holdfast::memory
