// The seam of reads: committed data, safe from any thread.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/nodes.h"
#include "store/query.h"
#include "store/view.h"

namespace holdfast {

class Reads {
public:
    virtual ~Reads() = default;

    virtual Result<Moment> now() = 0;
    virtual Result<void> ping() = 0;

    virtual Result<std::optional<FoundInstance>> find(const InstanceId& id, Depth depth) = 0;
    // The rows of those that exist, in any order. One query on a remote store.
    virtual Result<std::vector<Instance>> find_rows(std::span<const InstanceId> ids) {
        std::vector<Instance> rows;
        for (const InstanceId& id : ids) {
            HF_TRY(auto found, find(id, Depth::row));
            if (found) rows.push_back(std::move(found->instance));
        }
        return rows;
    }
    virtual Result<InstancePage> search(const InstanceQuery& query) = 0;
    // Rows from version `from` on, at most `limit`.
    virtual Result<HistoryPage> history(const InstanceId& id, Version from, std::size_t limit) = 0;
    virtual Result<ConflictPage> conflicts(const ConflictQuery& query) = 0;
    virtual Result<std::vector<Checkpoint>> checkpoints(const InstanceId& id) = 0;
    // Version 0: the newest. Absent: no such definition.
    virtual Result<std::shared_ptr<const Definition>> definition(const DefinitionRef& ref) = 0;
    // The newest version of each key.
    virtual Result<std::vector<DefinitionSummary>> definitions(const DefinitionQuery& query) = 0;

    // Where an event is, or its fate. Empty: never accepted, or deleted by retention.
    virtual Result<KnownEvent> event(const EventId& id) = 0;
    virtual Result<PendingPage> pending_events(const EventQuery& query) = 0;
    virtual Result<DeadPage> dead_events(const EventQuery& query) = 0;
    // Absent: nothing is recorded at that index of the current run.
    virtual Result<std::optional<JournalEntry>> journal(const InstanceId& id,
                                                        std::uint64_t index) = 0;
    // At most `limit` timers that are due by the store's clock. Claims nothing: firing one twice
    // does no harm.
    virtual Result<DueTimers> due_timers(std::size_t limit) = 0;

    // Absent: no such task.
    virtual Result<std::optional<HumanTask>> task(const TaskId& id) = 0;
    virtual Result<TaskPage> tasks(const TaskQuery& query) = 0;
    // Everything that happened to it, in order; empty: no such task.
    virtual Result<std::vector<TaskEvent>> task_events(const TaskId& id) = 0;

    // Journals of current runs, each in order: one list per part.
    virtual Result<std::vector<std::vector<JournalEntry>>> journals(
        std::span<const JournalPart> parts) = 0;
    Result<std::vector<JournalEntry>> journal_from(const InstanceId& id, std::uint64_t from,
                                                   std::size_t limit) {
        const JournalPart part{id, from, limit};
        HF_TRY(auto all, journals({&part, 1}));
        return std::move(all.front());
    }

    virtual Result<std::vector<NodeRow>> nodes() = 0;
    virtual Result<std::vector<HostLock>> host_locks() = 0;
    virtual Result<std::optional<DeadLetter>> dead_letter(const SignalId& id) = 0;
    virtual Result<DeadLetterPage> dead_letters(const SignalQuery& query) = 0;
    virtual Result<std::vector<IndexState>> indexes() = 0;
    virtual Result<StalePage> find_stale(const FindStale& query) = 0;
    virtual Result<StrandedPage> find_stranded(const FindStranded& query) = 0;
    // The retention of each definition, by its newest version, where it sets one.
    virtual Result<std::map<std::string, Retention>> retentions() = 0;
    // A moment stored by a job; compared with the clock before the job deletes (I28).
    virtual Result<std::optional<Moment>> mark(const std::string& name) = 0;
};

}  // namespace holdfast
