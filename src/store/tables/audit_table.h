// The columns of the audit.
#pragma once

#include "store/audit.h"
#include "store/tables/decode.h"

namespace holdfast::tables {

struct AuditRows {
    static constexpr std::string_view name = "audit";
    using Row = AuditRow;

    template <class Visit, class SomeRow>
    static void columns(Visit& visit, SomeRow& row) {
        visit("tenant", row.tenant);
        visit("number", row.number);
        visit("at", row.at);
        visit("action", row.action);
        visit("target", row.target);
        visit("status", row.status);
        visit("user_id", or_null(row.user));
        visit("by_user", or_null(row.by));
        visit("credential", or_null(row.credential));
        visit("address", or_null(row.address));
        visit("node", row.node);
        visit("times", row.count);
        visit("detail", row.detail);
        visit("hash", row.hash);
    }
};

struct AuditHeads {
    static constexpr std::string_view name = "audit_heads";
    using Row = AuditHead;

    template <class Visit, class SomeHead>
    static void columns(Visit& visit, SomeHead& head) {
        visit("newest", head.newest);
        visit("hash", head.hash);
        visit("forgotten", head.forgotten);
        visit("anchor", head.anchor);
    }
};

}  // namespace holdfast::tables
