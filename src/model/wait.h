// Waits: the conditions that an instance waits for. Any one condition ends its wait (001.6). An
// instance may have several waits at a time; each ends alone (001.24).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids/uuid.h"
#include "base/time/moment.h"
#include "model/channel.h"

namespace holdfast {

// Which queued events a wait accepts, by their time of acceptance: any, since the instance was
// created, or since the wait began.
enum class Since { any, created, wait };

std::string_view name_of(Since since);
std::optional<Since> parse_since(std::string_view text);

struct Wait {
    std::vector<EventKey> names;        // of events
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
    OperationId operation;                      // orders waits that began at the same time
    std::optional<ActivityInstanceId> owner{};  // the activity that waits

    bool operator==(const Waiting&) const = default;
};

enum class WaitingKind { none, task_completion, timer, event, sub_workflow, retry, job, several };

std::string_view name_of(WaitingKind kind);
std::optional<WaitingKind> parse_waiting_kind(std::string_view text);
WaitingKind kind_of(const Waiting& waiting);

// In the order in which the waits of an instance are listed and stored.
bool waited_longer(const Waiting& a, const Waiting& b);
// Null: none has this token.
const Waiting* find_wait(std::span<const Waiting> waits, const TokenId& token);
// The one whose timer is due first; without timers, the oldest. It stands for all of them in the
// runtime columns (004.13). Null: there is none.
const Waiting* due_first(std::span<const Waiting> waits);

// What the runtime columns show.
struct WaitSummary {
    WaitingKind kind = WaitingKind::none;
    std::optional<TokenId> token;
    std::optional<Moment> until;
};
WaitSummary summary_of(std::span<const Waiting> waits);

}  // namespace holdfast
