#include "store/audit.h"

#include <algorithm>

namespace holdfast {
namespace {

constexpr std::uint64_t most_looked_at = 20'000;

}  // namespace

AuditRange range_of(const AuditQuery& query, const AuditHead& head) {
    AuditRange range{head.forgotten + 1, head.newest};
    if (query.order == AuditOrder::oldest_first) {
        range.first = std::max(range.first, query.place.value_or(0) + 1);
        range.last = std::min(range.last, range.first + most_looked_at - 1);
        return range;
    }
    if (query.place)
        range.last = std::min(range.last, std::max(*query.place, std::uint64_t{1}) - 1);
    if (range.last >= most_looked_at)
        range.first = std::max(range.first, range.last - most_looked_at + 1);
    return range;
}

AuditPage page_of(const AuditQuery& query, const AuditHead& head, std::vector<AuditRow> items) {
    AuditPage page{.head = head, .items = std::move(items), .next = {}};
    const AuditRange range = range_of(query, head);
    const bool up = query.order == AuditOrder::oldest_first;
    if (page.items.size() > query.limit) page.items.resize(query.limit);
    const std::uint64_t end = up ? range.last : range.first;
    const std::uint64_t reached =
        page.items.size() == query.limit && query.limit > 0 ? page.items.back().number : end;
    const bool more = up ? reached < head.newest : reached > head.forgotten + 1;
    if (range.first <= range.last && more) page.next = reached;
    return page;
}

AuditHead chain_audit(AuditHead head, std::vector<AuditRow>& rows) {
    for (AuditRow& row : rows) {
        row.number = ++head.newest;
        row.hash = audit_hash(head.hash, audit_json(row));
        head.hash = row.hash;
    }
    return head;
}

}  // namespace holdfast
