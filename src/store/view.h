// The data of one round: what was loaded, with the changes of its operations.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/assert.h"
#include "model/children_diff.h"
#include "model/conflict.h"
#include "model/history.h"
#include "store/changes.h"
#include "store/continuation.h"
#include "store/loaded.h"

namespace holdfast {

class View {
public:
    // `reads` outlives the view.
    View(const ReadSet& reads, Loaded loaded);
    View(const View&) = delete;
    View& operator=(const View&) = delete;

    // An operation begins: if it asks for something that the round did not read (LoadMore is
    // thrown), its changes are rolled back.
    void save() { undo_.save(); }
    void roll_back() { undo_.roll_back(); }
    // Throws LoadMore unless the round read all of this: for an operation that learns late what it
    // needs, and would otherwise be told one thing at a time.
    void expect(const ReadSet& needed) const;

    Moment now() const { return now_; }

    // Null: no such instance.
    const Instance* find(const InstanceId& id) const;
    bool is_corrupt(const InstanceId& id) const { return entry(id).corrupt; }
    // Its documents were repaired in this round.
    void mark_sound(const InstanceId& id) { touch(id).corrupt = false; }
    // Marks the row as touched: its rev is incremented once per round.
    Instance& edit(const InstanceId& id);
    // Adds an instance under a free id; its version continues from the last one that the id had.
    Instance& insert(Instance instance);
    void clear(const InstanceId& id, const Cause& cause);

    struct Entry {
        HistoryType type;
        std::string payload;  // canonical JSON
        std::optional<std::string> state_metadata;
        Cause cause;
    };
    // Version + 1 and one history row, chained on the one before (I10, I13).
    void accept(Instance& instance, Entry entry);
    // The same for a change by the engine: also records which node made it.
    void execute(Instance& instance, Entry entry);
    void set_node(std::string node) { node_ = std::move(node); }
    const std::string& node() const { return node_; }
    void set_self(Self self) { self_ = std::move(self); }

    SignalBox& signals() { return signals_; }
    const SignalBox& signals() const { return signals_; }
    TaskBox& tasks() { return tasks_; }
    const TaskBox& tasks() const { return tasks_; }
    // The holder of the instance's continuation made progress: its attempts are reset.
    void progress(const InstanceId& id) { touch(id).progressed = true; }
    // Its continuation is queued again under an old id.
    void redrive(const InstanceId& id, const SignalId& signal) { touch(id).redriven = signal; }

    // Null: no such key.
    const Definition* newest_definition(const std::string& key) const;
    // The definition version of an instance of this round. Null: never defined.
    const Definition* definition(const DefinitionRef& ref) const;
    void add(std::shared_ptr<const Definition> definition);

    const Checkpoint* checkpoint(const InstanceId& id, const std::string& name) const;
    void put(Checkpoint checkpoint);

    // Absent: that version is in the future, was pruned, or is older than a clear.
    std::optional<StateAt> state_at(const InstanceId& id, Version version) const;

    const KeyedOutcome* answer(const std::string& client_key) const;
    void put(KeyedOutcome answer);

    void add(ConflictRow conflict);

    Mailbox& mail() { return mail_; }
    const Mailbox& mail() const { return mail_; }
    // Whether a loaded or registered wait is still the current wait of its instance.
    bool is_current(const WaitRow& row) const;

    // Null: nothing is recorded there.
    const Step* step(const InstanceId& id, std::uint64_t index) const;
    const Winner* winner(const InstanceId& id, std::uint64_t index) const;
    void record(Step step);
    void record(Winner winner);
    // For a continue-as, which begins with an empty journal.
    void clear_journal(const InstanceId& id);

    // The current waits for this instance's end, oldest first.
    std::vector<WaitRow> completion_waiters(const InstanceId& id) const;
    // A wait for the end of `awaited` begins in this round.
    void register_completion(const InstanceId& awaited, const Instance& waiter);
    std::vector<InstanceId> children(const InstanceId& parent) const;

    Changes changes() const;
    struct Touch {
        InstanceId id;
        const Instance* instance = nullptr;    // as it is now; null: cleared
        std::optional<HeldContinuation> held;  // leased to this node, which runs it
    };
    // Every instance this round touched.
    std::vector<Touch> touched() const;
    // The instances without a program whose wait this round ended.
    std::vector<InstanceId> awoken() const;
    const std::vector<ConflictRow>& conflicts() const { return conflicts_; }
    struct QueuedSignals {
        bool free = false;    // the commit queues some that no node has leased
        bool leased = false;  // it leases continuations to this node
    };
    QueuedSignals queued_signals() const;

private:
    template <class T>
    static bool is_complete(const std::map<InstanceId, Loading<T>>& lists, const InstanceId& id) {
        const auto found = lists.find(id);
        return found != lists.end() && !found->second.more;
    }
    const InstanceChange& entry(const InstanceId& id) const;
    // For a change: logs what it was at the savepoint.
    InstanceChange& touch(const InstanceId& id);
    void expect_step(const InstanceId& id, std::uint64_t index) const;
    void forget_journal(const InstanceId& id);
    // Whether it keeps its continuation: it was running throughout the round. One that was
    // suspended and woken gets a new one, because its runner was answered that it is suspended.
    bool keeps_continuation(const InstanceChange& change) const;
    // The continuation that this instance gets with this commit. Absent: it has one, or needs none.
    std::optional<SignalRow> new_continuation(const InstanceChange& change) const;
    // Its new continuation, if this node leased it to itself.
    std::optional<HeldContinuation> held_by_self(const InstanceChange& change) const;
    ContinuationChanges continuation_changes() const;
    void append(const InstanceId& id, Version version, const Digest& previous, Entry entry);

    const ReadSet& reads_;
    UndoLog undo_;
    Moment now_;
    std::string node_;
    std::map<InstanceId, InstanceChange> instances_;
    std::map<InstanceId, Lineage> lineages_;
    std::map<std::string, std::shared_ptr<const Definition>> newest_;
    std::map<DefinitionRef, std::shared_ptr<const Definition>> definitions_;
    std::map<ReadSet::StateVersion, StateAt> states_;
    std::map<ReadSet::CheckpointName, Checkpoint> checkpoints_;
    std::map<std::string, KeyedOutcome> answers_;

    std::vector<HistoryRow> history_;
    std::vector<ConflictRow> conflicts_;
    std::vector<std::shared_ptr<const Definition>> new_definitions_;
    std::map<ReadSet::CheckpointName, Checkpoint> new_checkpoints_;
    std::map<std::string, KeyedOutcome> new_answers_;
    Mailbox mail_;
    SignalBox signals_;
    TaskBox tasks_;
    Self self_;
    std::map<std::pair<InstanceId, std::uint64_t>, Step> steps_;
    std::map<std::pair<InstanceId, std::uint64_t>, Winner> winners_;
    std::map<std::pair<InstanceId, std::uint64_t>, Step> new_steps_;
    std::map<std::pair<InstanceId, std::uint64_t>, Winner> new_winners_;
    std::set<InstanceId> cleared_journals_;
    std::map<InstanceId, Loading<WaitRow>> completions_;
    std::map<InstanceId, std::vector<WaitRow>> fresh_completions_;
    std::map<InstanceId, Loading<InstanceId>> children_;
    std::set<InstanceId> slept_;  // suspended at some point of the round
};

}  // namespace holdfast
