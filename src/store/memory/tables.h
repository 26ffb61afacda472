// The tables of a memory store and the steps of a round on them: load, check, apply. The
// simulation does the same steps, with time passing between them.
#pragma once

#include <deque>
#include <map>

#include "store/store.h"

namespace holdfast::memory {

// A commit changes them as a whole.
struct Tables {
    std::map<InstanceId, Loaded::Row> instances;
    std::map<std::pair<InstanceId, Version>, HistoryRow> history;
    std::map<InstanceId, HistoryAnchor> history_anchors;
    std::map<OperationId, ConflictRow> conflicts;
    std::map<TenantRef, std::shared_ptr<const Definition>> definitions;
    std::map<ReadSet::CheckpointName, Checkpoint> checkpoints;
    std::map<TenantKey, KeyedOutcome> answers;
    std::map<RoundId, CommitStatus> rounds;
    std::map<std::uint64_t, RoundRecords> stream;  // by position
    std::uint64_t forgotten = 0;                   // positions up to here are deleted
    std::map<EventId, Event> pending;
    std::map<EventId, std::vector<FateRow>> fates;
    std::map<EventId, DeadEvent> dead;
    std::map<std::pair<InstanceId, std::uint64_t>, Step> steps;
    std::map<std::pair<InstanceId, std::uint64_t>, Winner> winners;
    struct SharedValue {
        Document value;
        Moment at;  // when it was last written
    };
    std::map<Digest, SharedValue> values;
    std::map<SignalId, SignalRow> queue;
    std::map<InstanceId, SignalId> continuations;  // those in the queue, by instance (I47)
    std::map<SignalId, ScheduledSignal> schedule;
    std::map<SignalId, DeadLetter> dead_letters;
    std::map<std::pair<InstanceId, SignalId>, Moment> processed;
    std::map<NodeId, NodeRow> nodes;
    std::map<std::string, HostLock> host_locks;
    std::map<std::string, Moment> marks;
    std::map<std::string, ApiKey> keys;
    std::uint64_t newest_key_change = 0;
    struct AuditChain {
        AuditHead head;
        std::deque<AuditRow> rows;
    };
    std::map<std::string, AuditChain> audit;  // by tenant
    std::map<TaskId, HumanTask> tasks;
    std::map<std::pair<TaskId, Version>, TaskEvent> task_events;
    std::map<json::Path, bool> index_paths;  // whether it is ready
    Moment latest;
};

// The row that answers for an id; hidden if it is another's (I17).
Loaded::Row row_for(const InstanceId& id, const Loaded::Row& row);
// The definition of a loaded instance, if it was put.
void load_definition(const Tables& tables, const TenantRef& wanted, Loaded& loaded);
// What the round reads, as of the last commit.
Loaded load(const Tables& tables, const ReadSet& reads);
// The constraints that the databases check: a commit that breaks one is refused as a whole.
Result<void> check(const Tables& tables, const Changes& changes);
std::size_t count_rows(const Changes& changes);
void apply(Tables& tables, const RoundId& round, const Changes& changes);
// The instance is gone: from now on the keys of its operations grow old.
void release_answers(Tables& tables, const InstanceId& id);

}  // namespace holdfast::memory
