// The seam of the audit: rows are added behind the last one, and only retention removes the oldest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/audit_row.h"

namespace holdfast {

// Where the chain of a tenant begins and ends.
struct AuditHead {
    std::uint64_t newest = 0;     // number of the last row; 0: there is none
    Digest hash;                  // of that row
    std::uint64_t forgotten = 0;  // number of the last row that retention has removed; 0: none
    Digest anchor;                // of that row

    bool operator==(const AuditHead&) const = default;
};

struct AuditAppend {
    std::string tenant = "default";
    std::vector<AuditRow> rows;  // their numbers and hashes are given by the store
    // The oldest rows, up to the first one that is not older than this, are removed: at most 10,000
    // at once, and never the newest.
    std::optional<Moment> forget_before = {};
};

enum class AuditOrder { oldest_first, newest_first };

struct AuditPage {
    AuditHead head;
    std::vector<AuditRow> items;
    std::optional<std::uint64_t> next;  // the place of the next page; absent: that was the last
};

// At most 20,000 rows are looked at for a page.
struct AuditQuery {
    using Answer = AuditPage;

    std::string tenant = "default";
    AuditOrder order = AuditOrder::oldest_first;
    std::optional<std::uint64_t> place = {};  // behind this number, in the order
    std::size_t limit = 100;
    std::optional<std::string> action = {};
    std::optional<std::string> user = {};
    std::optional<std::string> credential = {};
    std::optional<std::string> address = {};
    std::optional<Moment> from = {};
    std::optional<Moment> before = {};
};

class Audit {
public:
    virtual ~Audit() = default;

    // Returns how many rows were removed. Writers of all nodes are put in order.
    virtual Result<std::size_t> append_audit(const AuditAppend& append) = 0;
};

// The numbers that a page looks at; empty if `first` is larger.
struct AuditRange {
    std::uint64_t first = 1;
    std::uint64_t last = 0;
};
AuditRange range_of(const AuditQuery& query, const AuditHead& head);
// What `items` of that range make; they are in the order of the query.
AuditPage page_of(const AuditQuery& query, const AuditHead& head, std::vector<AuditRow> items);
// Gives the rows their numbers and hashes, and returns the head behind them.
AuditHead chain_audit(AuditHead head, std::vector<AuditRow>& rows);

}  // namespace holdfast
