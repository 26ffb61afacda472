// Every read of the store as a value: what is asked, and the type of its answer.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "store/audit.h"
#include "store/keys.h"
#include "store/nodes.h"
#include "store/pruning.h"
#include "store/query.h"
#include "store/record_query.h"
#include "store/standing.h"
#include "store/stream_query.h"

namespace holdfast {

// Whether the store can be reached and read.
struct Ping {
    using Answer = void;
};

// The time by the store's clock.
struct FindTime {
    using Answer = Moment;
};

struct FindInstance {
    using Answer = std::optional<FoundInstance>;

    InstanceId id;
    Depth depth = Depth::row;
};

// The rows of those that exist, in any order. One query on a remote store.
struct FindRows {
    using Answer = std::vector<Instance>;

    std::span<const InstanceId> ids;
};

struct HistoryQuery {
    using Answer = HistoryPage;

    InstanceId instance;
    Version from = 1;
    std::size_t limit = 50;
};

// Version 0: the newest. Null: no such definition.
struct FindDefinition {
    using Answer = std::shared_ptr<const Definition>;

    DefinitionRef ref;
    std::string tenant = "default";
};

// The retention of each definition, by its newest version, where it sets one.
struct ListRetentions {
    using Answer = std::map<std::string, Retention>;
};

struct IndexState {
    json::Path path;
    bool ready = false;
};

struct ListIndexes {
    using Answer = std::vector<IndexState>;
};

// Where an event is, or its fate. Empty: never accepted, or deleted by retention.
struct FindEvent {
    using Answer = KnownEvent;

    EventId id;
};

struct PendingEventQuery {
    using Answer = PendingPage;

    EventQuery events;
};

struct DeadEventQuery {
    using Answer = DeadPage;

    EventQuery events;
};

// Absent: nothing is recorded at that index of the current run.
struct FindJournalEntry {
    using Answer = std::optional<JournalEntry>;

    InstanceId instance;
    std::uint64_t index = 0;
};

// Journals of current runs, each in order: one list per part.
struct ListJournals {
    using Answer = std::vector<std::vector<JournalEntry>>;

    std::span<const JournalPart> parts;
};

struct DueTimer {
    InstanceId instance;
    TokenId token;
    Moment due;

    bool operator==(const DueTimer&) const = default;
};

struct DueTimers {
    std::vector<DueTimer> due;   // earliest first
    std::optional<Moment> next;  // due time of the first timer that is not in `due`
    Moment now;                  // by the store's clock
};

// Timers that are due by the store's clock. Claims nothing: firing one twice does no harm.
struct FindDueTimers {
    using Answer = DueTimers;

    std::size_t limit = 0;
};

// Absent: no such task.
struct FindTask {
    using Answer = std::optional<HumanTask>;

    TaskId id;
};

struct ListNodes {
    using Answer = std::vector<NodeRow>;
};

// Absent: no such node or worker, or its row is gone.
struct FindNode {
    using Answer = std::optional<NodeRow>;

    NodeId id;
};

struct ListHostLocks {
    using Answer = std::vector<HostLock>;
};

struct FindDeadLetter {
    using Answer = std::optional<DeadLetter>;

    SignalId id;
};

// A moment stored by a job; compared with the clock before the job deletes (I28).
struct FindMark {
    using Answer = std::optional<Moment>;

    std::string name;
};

// A query, and the place for its answer.
template <class Query>
struct Question {
    const Query& query;
    Result<typename Query::Answer>& answer;
};

template <class... Queries>
using QuestionOf = std::variant<Question<Queries>...>;

using AnyQuestion =
    QuestionOf<Ping, FindTime, FindInstance, FindStanding, FindRows, InstanceQuery, HistoryQuery,
               ConflictQuery, CheckpointQuery, FindDefinition, DefinitionQuery, VersionQuery,
               ListRetentions, ListIndexes, FindEvent, PendingEventQuery, DeadEventQuery,
               FindJournalEntry, ListJournals, FindDueTimers, FindTask, TaskQuery, TaskEventQuery,
               ListNodes, FindNode, ListHostLocks, FindDeadLetter, DeadLetterQuery, JobQuery,
               IncidentQuery, FindStale, FindStranded, FindMark, StreamQuery, CountBacklog,
               CountWaitsBefore, KeyQuery, AuditQuery>;

}  // namespace holdfast
