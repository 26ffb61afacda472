// The columns of what is recorded about instances: history, conflicts, checkpoints.
#pragma once

#include "model/checkpoint.h"
#include "model/conflict.h"
#include "model/history.h"
#include "store/tables/caller_columns.h"
#include "store/tables/forms.h"

namespace holdfast {

inline std::optional<HistoryType> parse_name(std::string_view name,
                                             std::type_identity<HistoryType>) {
    return parse_history_type(name);
}
inline std::optional<Resolution> parse_name(std::string_view name, std::type_identity<Resolution>) {
    return parse_resolution(name);
}

namespace tables {

struct History {
    static constexpr std::string_view name = "history";
    using Row = HistoryRow;

    template <class Visit, class SomeRow>
    static void columns(Visit& visit, SomeRow& row) {
        visit("instance_id", row.instance);
        visit("version", row.version);
        visit("type", row.type);
        visit("payload", row.payload);
        visit("state_metadata", row.state_metadata);
        visit("tenant", row.cause.caller.tenant);
        visit("user_id", or_null(row.cause.caller.user));
        visit("memberships", memberships(row.cause.caller));
        visit("operation_id", row.cause.operation);
        visit("correlation", or_null(row.cause.correlation));
        visit("at", row.at);
        visit("hash", row.hash);
        visit("value_digest", row.shared_value);
    }
};

// Of a row that refers to a value that is stored once.
struct SharedValue {
    static constexpr std::string_view name = "shared_value";
    using Row = std::optional<json::Document>;

    template <class Visit, class SomeValue>
    static void columns(Visit& visit, SomeValue& value) {
        visit("value", value);
    }
};

struct Conflicts {
    static constexpr std::string_view name = "conflicts";
    using Row = ConflictRow;

    template <class Visit, class SomeRow>
    static void columns(Visit& visit, SomeRow& row) {
        visit("operation_id", row.id);
        visit("instance_id", row.instance);
        visit("tenant", row.caller.tenant);
        visit("user_id", or_null(row.caller.user));
        visit("memberships", memberships(row.caller));
        visit("expected", row.expected);
        visit("actual", row.actual);
        visit("paths", texts(row.paths));
        visit("resolution", row.resolution);
        visit("at", row.at);
    }
};

// Without their instance, which is another column in each dialect.
struct Checkpoints {
    static constexpr std::string_view name = "checkpoints";
    using Row = Checkpoint;

    template <class Visit, class SomeRow>
    static void columns(Visit& visit, SomeRow& row) {
        visit("name", row.name);
        visit("version", row.version);
        visit("state", row.state);
        visit("state_metadata", row.state_metadata);
        visit("created_by", or_null(row.created_by));
        visit("created_at", row.created_at);
    }
};

}  // namespace tables
}  // namespace holdfast
