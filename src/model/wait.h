// Waits: the conditions that a suspended instance waits for. Any one of them wakes it (001.6).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids/uuid.h"
#include "base/time/moment.h"

namespace holdfast {

// Which queued events a wait accepts, by their time of acceptance: any, since the instance was
// created, or since the wait began.
enum class Since { any, created, wait };

std::string_view name_of(Since since);
std::optional<Since> parse_since(std::string_view text);

struct Wait {
    std::vector<std::string> names;     // of events
    std::optional<Moment> until;        // the earliest timer
    std::vector<InstanceId> workflows;  // whose completion also wakes it
    Since since = Since::any;
    bool retry = false;  // `until` ends the backoff before the step at this index is retried

    bool operator==(const Wait&) const = default;
};

// A registered wait. The token identifies this registration: a timer or a signal with another token
// is stale (I19).
struct Waiting {
    TokenId token;
    Wait wait;
    Moment began_at;
    OperationId operation;  // orders waits that began at the same time

    bool operator==(const Waiting&) const = default;
};

enum class WaitingKind { none, task_completion, timer, event, sub_workflow, retry, job, several };

std::string_view name_of(WaitingKind kind);
std::optional<WaitingKind> parse_waiting_kind(std::string_view text);
// The kind of wait that the runtime columns show.
WaitingKind kind_of(const std::optional<Waiting>& waiting);

}  // namespace holdfast
