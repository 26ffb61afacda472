// A workflow instance: the row people see, its JSON state, and its normalised children.
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

// What a business calls this instance: an order number, and the parts that make it up.
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

// The version of a definition that an instance was started on and stays on.
struct DefinitionRef {
    std::string key;
    std::uint32_t version = 0;

    auto operator<=>(const DefinitionRef&) const = default;
};

struct Activity {
    ActivityInstanceId id;
    std::string activity;

    bool operator==(const Activity&) const = default;
};

struct VariableScope {
    ScopeId id;
    Document variables;

    bool operator==(const VariableScope&) const = default;
};

// One conditional flow out of a gateway; `evaluated` separates "not yet" from false.
struct Condition {
    ConditionId id;
    std::string sequence_flow;
    bool result = false;
    bool evaluated = false;

    bool operator==(const Condition&) const = default;
};

// A fork whose branches have not all arrived at their join.
struct OpenFork {
    ForkId id;
    ActivityInstanceId gateway;
    std::vector<TokenId> tokens;

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

// A step that failed and may yet succeed: what its attempts came to, in order.
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

// What the engine keeps of an instance that a program runs, beside its journal.
struct Program {
    bool rollback = false;   // something is to be undone if it is cancelled
    bool unwinding = false;  // it was cancelled and undoes what it did
    bool buried = false;     // its continuation is a dead letter: it rests until that is redriven
    std::optional<Retry> retry;

    bool operator==(const Program&) const = default;
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

    Version version = 0;  // the ETag: 1, 2, 3, ... one per accepted change (I13)
    std::uint64_t rev =
        0;                // the row guard: every touch moves it, also those that leave the version
    Digest history_hash;  // of the newest history row, the next one chains on it

    std::optional<UserId> started_by;
    std::optional<InstanceId> parent;
    Moment created_at;
    std::optional<Moment> execution_started_at;
    std::optional<Moment> completed_at;
    Moment updated_at;
    std::optional<UserId> last_modified_by;  // the user of the last user edit
    Moment last_modified_at;
    std::optional<LastCheckpoint> last_checkpoint;

    std::uint64_t run = 1;    // which life of the program this is; a continue-as begins the next
    std::uint64_t index = 0;  // of the next step or wait
    std::optional<Waiting> waiting;
    std::optional<Program> program;               // a program of some node runs it, nobody outside
    std::optional<Document> result;               // of an ended instance: its value, or its error
    std::optional<std::string> last_error;        // code
    std::optional<std::string> last_executed_by;  // the node that last moved it
    std::optional<Moment> last_executed_at;

    Document state;
    Document state_metadata;
    Children children;

    bool operator==(const Instance&) const = default;
};

// A wait is in the tables that events, timers and completions look into only while nothing holds it
// back.
inline bool is_registered(const Instance& instance) {
    return instance.waiting && instance.status == Status::suspended && !instance.paused &&
           !instance.quarantined;
}

// How much of an instance a reader needs.
enum class Depth { row, document, whole };

}  // namespace holdfast
