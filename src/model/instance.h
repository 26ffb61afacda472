// A workflow instance: its row, its JSON state and metadata, and its normalised children.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids/digest.h"
#include "base/ids/uuid.h"
#include "base/json/document.h"
#include "base/time/moment.h"
#include "model/wait.h"

namespace holdfast {

using json::Document;

using Version = std::uint64_t;

// The business name of an instance, for example an order number, and its named parts.
struct BusinessReference {
    std::string key;  // empty: none
    std::map<std::string, std::string> parts;

    bool operator==(const BusinessReference&) const = default;
};

enum class Status { running, suspended, succeeded, failed, cancelled };

std::string_view name_of(Status status);
std::optional<Status> parse_status(std::string_view text);
constexpr bool is_open(Status status) {
    return status == Status::running || status == Status::suspended;
}

// The definition version of an instance, fixed when it starts.
struct DefinitionRef {
    std::string key;
    std::uint32_t version = 0;

    auto operator<=>(const DefinitionRef&) const = default;
};

// Where a child stands in its list, as its row says: it stays when others go, so that their end
// writes no row of it. Children are equal wherever they stand.
struct Place {
    std::int64_t position = -1;  // below zero: not stored yet

    bool operator==(const Place&) const { return true; }
};

struct Activity {
    ActivityInstanceId id;
    std::string activity;
    Place place{};

    bool operator==(const Activity&) const = default;
};

struct VariableScope {
    ScopeId id;
    Document variables;
    Place place{};

    bool operator==(const VariableScope&) const = default;
};

// One conditional flow out of a gateway; `evaluated` distinguishes "not yet" from false.
struct Condition {
    ConditionId id;
    std::string sequence_flow;
    bool result = false;
    bool evaluated = false;
    Place place{};

    bool operator==(const Condition&) const = default;
};

// A parallel fork whose branches have not all reached their join.
struct OpenFork {
    ForkId id;
    ActivityInstanceId gateway;
    std::vector<TokenId> tokens;
    Place place{};

    bool operator==(const OpenFork&) const = default;
};

struct Children {
    std::vector<Activity> active;
    std::vector<Activity> completed;
    std::vector<VariableScope> variables;
    std::map<ActivityInstanceId, std::vector<Condition>> conditions;  // by gateway
    std::vector<OpenFork> forks;

    bool operator==(const Children&) const = default;
};

struct LastCheckpoint {
    std::string name;
    Version version = 0;
    Moment at;

    bool operator==(const LastCheckpoint&) const = default;
};

// A failed step that will be retried: the errors of its attempts, in order.
struct Retry {
    struct Attempt {
        Document error;  // any JSON value
        Moment at;

        bool operator==(const Attempt&) const = default;
    };
    std::uint64_t index = 0;
    std::vector<Attempt> attempts;

    bool operator==(const Retry&) const = default;
};

// Who moves an instance on: a runner outside, by calls; a node that holds its continuation and runs
// its program; or its program alone, within the rounds.
enum class RunBy { outside, node, rounds };

std::string_view name_of(RunBy run_by);
std::optional<RunBy> parse_run_by(std::string_view text);

// What a program keeps about an instance in addition to the journal.
struct ProgramState {
    bool rollback = false;   // has undo steps to run if it is cancelled
    bool unwinding = false;  // was cancelled and is running its undo steps
    std::optional<Retry> retry;

    bool operator==(const ProgramState&) const = default;
};

struct Instance {
    InstanceId id;
    std::string tenant = "default";
    DefinitionRef definition;
    BusinessReference business;
    Status status = Status::running;
    bool paused = false;
    bool incident = false;
    bool quarantined = false;

    Version version = 0;    // the ETag: 1, 2, 3, ... one per accepted change (I13)
    std::uint64_t rev = 0;  // optimistic lock: changes with every write, unlike the version
    Digest history_hash;    // of the newest history row

    std::string started_by;  // user; empty: nobody in particular
    std::optional<InstanceId> parent;
    Moment created_at;
    std::optional<Moment> execution_started_at;
    std::optional<Moment> completed_at;
    Moment updated_at;
    std::string last_modified_by;  // the user of the last user edit
    Moment last_modified_at;
    std::optional<LastCheckpoint> last_checkpoint;

    std::uint64_t run = 1;       // continue-as starts the next run
    std::uint64_t index = 0;     // of the next step or wait
    std::vector<Waiting> waits;  // by waited_longer
    RunBy run_by = RunBy::outside;
    bool buried = false;  // its continuation is a dead letter: does not run until it is redriven
    ProgramState program;
    std::optional<Document> result;               // of an ended instance: its value, or its error
    std::optional<std::string> last_error;        // code
    std::optional<std::string> cancel_reason;     // as whoever cancelled it said
    std::optional<std::string> last_executed_by;  // the node that last ran it
    std::optional<Moment> last_executed_at;

    Document state;
    Document state_metadata;
    Children children;

    bool operator==(const Instance&) const = default;
};

// Whether its waits have rows in the tables that events, timers and completions look up: not while
// it is paused or quarantined.
inline bool takes_deliveries(const Instance& instance) {
    return instance.status == Status::suspended && !instance.paused && !instance.quarantined;
}
// The waits that events, timers and completions can end.
inline std::span<const Waiting> registered_waits(const Instance& instance) {
    return takes_deliveries(instance) ? instance.waits : std::span<const Waiting>{};
}
void add_wait(Instance& instance, Waiting waiting);
// Absent: it has no such wait.
std::optional<Waiting> take_wait(Instance& instance, const TokenId& token);

// How much of an instance to load.
enum class Depth { row, document, whole };

}  // namespace holdfast
