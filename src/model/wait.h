// Waits: what a suspended instance sleeps for. Any one condition wakes it (001.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids/uuid.h"
#include "base/time/moment.h"

namespace holdfast {

// Which queued events a wait accepts, by when they were accepted.
enum class Since { any, created, wait };

std::string_view name_of(Since since);
std::optional<Since> parse_since(std::string_view text);

struct Wait {
    std::vector<std::string> names;     // of events
    std::optional<Moment> until;        // the earliest timer
    std::vector<InstanceId> workflows;  // whose completion also wakes it
    Since since = Since::any;
    bool retry = false;  // `until` ends a pause before the step at this index is tried again

    bool operator==(const Wait&) const = default;
};

// A wait that is registered. The token belongs to this one registration: a timer or a signal that
// carries another is stale (I19).
struct Waiting {
    TokenId token;
    Wait wait;
    Moment began_at;
    OperationId operation;  // orders waits that began in one moment

    bool operator==(const Waiting&) const = default;
};

enum class WaitingKind { none, task_completion, timer, event, sub_workflow, retry, job, several };

std::string_view name_of(WaitingKind kind);
std::optional<WaitingKind> parse_waiting_kind(std::string_view text);
// What the runtime columns show of a wait.
WaitingKind kind_of(const std::optional<Waiting>& waiting);

}  // namespace holdfast
