// History: one row per accepted change, in a hash chain that reveals tampering (002.10).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/caller.h"
#include "model/instance.h"

namespace holdfast {

enum class HistoryType {
    started,           // payload: the first state
    state_changed,     // payload: the new state
    written,           // payload: the new state (a write of the whole instance)
    restored,          // payload: the new state, taken from a checkpoint
    forked,            // payload: the first state, taken from another instance's checkpoint
    released,          // payload: the state that passed its checksum, or its replacement
    suspended,         // payload: {index, names, until, workflows}
    delivered,         // payload: {index, type, name, value or valueSha256}
    step_recorded,     // payload: {index, name, value or error}
    succeeded,         // payload: {result}
    failed,            // payload: {error}
    paused,            // payload: null, or {reason}
    resumed,           // payload: null, or {reason}
    continued,         // payload: {run}
    timers_cancelled,  // payload: {index, due}
    task_created,      // payload: {index, step, task, name}
    task_ended,        // payload: {task, outcome, by}
    cancelled,         // payload: {reason}
    incident_raised,   // payload: {code, detail}
    incident_settled,  // payload: {signal}
    cleared,           // payload: null
    migrated,          // payload: {from, to, mapping, reason}
    retried,           // payload: null, or {reason}
};

std::string_view name_of(HistoryType type);
std::optional<HistoryType> parse_history_type(std::string_view text);
// Whether the payload is the state as of that version.
constexpr bool carries_state(HistoryType type) { return type <= HistoryType::released; }

// Who is behind a change, and under which ids; part of every operation.
struct Cause {
    OperationId operation;
    Caller caller;
    std::string correlation;  // empty: none

    static Cause of_engine(const OperationId& operation) {
        return {.operation = operation, .caller = Caller::engine(), .correlation = {}};
    }
    const std::string& tenant() const { return caller.tenant; }

    bool operator==(const Cause&) const = default;

    static void describe(auto& cause, auto& with) {
        with("operation", cause.operation);
        with("caller", cause.caller);
        with("correlation", cause.correlation);
    }
};

struct HistoryRow {
    InstanceId instance;
    Version version = 0;  // also its sequence number
    HistoryType type = HistoryType::started;
    std::string payload;                        // canonical JSON
    std::optional<std::string> state_metadata;  // canonical JSON, if it changed
    Cause cause;                                // its tenant is that of the instance
    Moment at;
    Digest hash;
    std::optional<Digest> shared_value;   // that the payload refers to; not loaded
    std::optional<json::Document> value;  // the same, loaded

    bool operator==(const HistoryRow&) const = default;
};

// The last row that retention deleted from the history of an open instance.
struct HistoryAnchor {
    Version version = 0;
    Digest hash;
    // The documents as of that version: the base of a merge may be older than what is left.
    std::optional<std::string> state;  // canonical JSON
    std::optional<std::string> state_metadata;
    Moment at;

    bool operator==(const HistoryAnchor&) const = default;
};

// SHA-256 of the previous row's hash (zeros before the first) and this row in canonical JSON:
// groups, roles and `by` are members only if there are any, the tenant only if it is not `default`.
Digest chain(const Digest& previous, const HistoryRow& row);

}  // namespace holdfast
