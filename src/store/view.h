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

    // An operation begins: if it throws LoadMore, its changes are rolled back.
    void save();
    void roll_back() { undo_.roll_back(); }
    // Who submitted the operation that begins, which finds only what belongs to that tenant.
    void set_caller(const Caller* caller) { caller_ = caller; }
    bool may_find(std::string_view tenant) const { return !caller_ || caller_->may_find(tenant); }
    // Whether the id belongs, or belonged before it was cleared, to another tenant.
    bool is_foreign(const InstanceId& id) const;
    // Throws LoadMore unless the round read all of this: not one thing at a time.
    void expect(const ReadSet& needed) const;
    // Likewise, unless the instance is known to this depth.
    void expect_depth(const InstanceId& id, Depth depth) const;

    // The result of a pure function: carried by the operation, or computed now. Throws LoadMore if
    // that takes more effort than a round may spend: it is computed outside, where `compute` gives
    // a result even if its effort is exhausted.
    template <class T, class Compute>
    T computed(const Digest& key, const Compute& compute) {
        return std::any_cast<T>(compute_or_find(
            {key, [compute](Effort& effort) { return std::any(T(compute(effort))); }}));
    }
    // The results that the operation carries, which begins.
    void set_computed(const Computed* computed) { computed_ = computed; }

    Moment now() const { return now_; }

    const Instance* find(const InstanceId& id) const;  // null: none, or another tenant's
    bool is_corrupt(const InstanceId& id) const { return entry(id).corrupt; }
    // The row may be another instance's: no repair of its documents helps.
    bool is_misplaced(const InstanceId& id) const { return entry(id).misplaced; }
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
        std::optional<Digest> shared_value{};  // that the payload refers to
    };
    // Version + 1 and one history row, chained on the one before (I10, I13).
    void accept(Instance& instance, Entry entry);
    // The same for a change by the engine: also records which node made it.
    void execute(Instance& instance, Entry entry);
    void set_node(std::string node) { node_ = std::move(node); }
    const std::string& node() const { return node_; }
    void set_self(Self self) { self_ = std::move(self); }
    const Self& self() const { return self_; }

    SignalBox& signals() { return signals_; }
    const SignalBox& signals() const { return signals_; }
    TaskBox& tasks() { return tasks_; }
    const TaskBox& tasks() const { return tasks_; }
    // The holder of its continuation made progress: its attempts are reset.
    void progress(const InstanceId& id) { touch(id).progressed = true; }
    // Its continuation is queued again under an old id.
    void redrive(const InstanceId& id, const SignalId& signal) { touch(id).redriven = signal; }

    const Definition* newest_definition(const TenantKey& key) const;
    // The version of an instance of this round, or any. Null: never defined.
    const Definition* definition(const Instance& instance) const;
    const Definition* definition(const TenantRef& wanted) const;
    const Program& program(const Instance& instance) const;
    void add(std::shared_ptr<const Definition> definition);

    const Checkpoint* checkpoint(const InstanceId& id, const std::string& name) const;
    void put(Checkpoint checkpoint);
    // Absent: that version is in the future, was pruned, or is older than a clear.
    std::optional<StateAt> state_at(const InstanceId& id, Version version) const;

    const KeyedOutcome* answer(const TenantKey& client_key) const;
    void put(KeyedOutcome answer);
    void add(ConflictRow conflict);

    Mailbox& mail() { return mail_; }
    const Mailbox& mail() const { return mail_; }
    // Everything stored about an event; empty also if it is another tenant's.
    KnownEvent known_event(const EventId& id) const;
    // The wait of a loaded or registered row. Null: it has ended.
    const Waiting* current(const WaitRow& row) const;
    bool is_current(const WaitRow& row) const { return current(row) != nullptr; }

    // Null: nothing is recorded there.
    const Step* step(const InstanceId& id, std::uint64_t index) const;
    const Winner* winner(const InstanceId& id, std::uint64_t index) const;
    void record(Step step);
    void record(Winner winner);
    // Stores a value once, for what refers to it by its digest.
    void share(const Document& value);
    std::optional<Document> shared_value(const Digest& digest) const;
    // For a continue-as, which begins with an empty journal.
    void clear_journal(const InstanceId& id);

    // A wait begins in this round, or is registered again.
    void register_wait(const InstanceId& id, const Waiting& waiting);
    // The current waits for this instance's end, oldest first. Absent: there may be more than
    // most_receivers.
    std::optional<std::vector<WaitRow>> completion_waiters(const InstanceId& id) const;
    // Those that were open when the round began, and new ones. Absent: likewise.
    std::optional<std::vector<InstanceId>> children(const InstanceId& parent) const;
    std::vector<InstanceId> under_key(const BusinessKeyRef& key) const;

    // Taken once, when all operations are decided.
    const Changes& changes() const;
    // Every instance this round touched.
    std::vector<InstanceTouch> touched() const;
    // The instances that somebody may poll for on another node: they ended or stopped in this
    // round, or a wait of their outside runner did.
    std::vector<InstanceId> awoken() const;
    const std::vector<ConflictRow>& conflicts() const { return conflicts_; }
    QueuedSignals queued_signals() const;

private:
    std::any compute_or_find(Computation computation);
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
    // A new continuation, if this node leased it to itself.
    std::optional<HeldContinuation> held_by_self(const SignalRow& fresh) const;
    ContinuationChanges continuation_changes() const;
    Changes difference() const;
    void append(const Instance& instance, Entry entry);

    const ReadSet& reads_;
    const Computed* computed_ = nullptr;
    const Caller* caller_ = nullptr;  // null: the engine
    std::uint64_t effort_spent_ = 0;  // on computations of this round
    UndoLog undo_;
    Moment now_;
    std::string node_;
    std::map<InstanceId, InstanceChange> instances_;
    std::map<InstanceId, Lineage> lineages_;
    std::map<TenantKey, std::shared_ptr<const Definition>> newest_;
    std::map<TenantRef, std::shared_ptr<const Definition>> definitions_;
    std::map<ReadSet::StateVersion, StateAt> states_;
    std::map<ReadSet::CheckpointName, Checkpoint> checkpoints_;
    std::map<TenantKey, KeyedOutcome> answers_;

    std::vector<HistoryRow> history_;
    std::vector<ConflictRow> conflicts_;
    std::vector<std::shared_ptr<const Definition>> new_definitions_;
    std::map<ReadSet::CheckpointName, Checkpoint> new_checkpoints_;
    std::map<TenantKey, KeyedOutcome> new_answers_;
    Mailbox mail_;
    SignalBox signals_;
    TaskBox tasks_;
    Self self_;
    std::map<std::pair<InstanceId, std::uint64_t>, Step> steps_;
    std::map<std::pair<InstanceId, std::uint64_t>, Winner> winners_;
    std::map<std::pair<InstanceId, std::uint64_t>, Step> new_steps_;
    std::map<std::pair<InstanceId, std::uint64_t>, Winner> new_winners_;
    std::set<InstanceId> cleared_journals_;
    std::map<Digest, Document> values_;
    std::map<Digest, Document> new_values_;
    std::map<InstanceId, Loading<WaitRow>> completions_;
    std::map<InstanceId, std::vector<WaitRow>> fresh_completions_;
    std::map<InstanceId, Loading<InstanceId>> children_;
    std::map<BusinessKeyRef, std::vector<InstanceId>> under_keys_;
    mutable std::optional<Changes> changes_;
    std::set<InstanceId> slept_;  // suspended at some point of the round
};

}  // namespace holdfast
