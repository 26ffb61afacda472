// The world as one round sees it: what was loaded, and what the round's operations made of it.
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
    View(const ReadSet& reads, Loaded loaded);

    Moment now() const { return now_; }

    // Null: there is no such instance. Only instances that the round's reads name may be asked for.
    const Instance* find(const InstanceId& id) const;
    // Whether the round read it at all.
    bool knows(const InstanceId& id) const { return instances_.contains(id); }
    bool is_corrupt(const InstanceId& id) const { return entry(id).corrupt; }
    // Its documents were repaired in this round.
    void mark_sound(const InstanceId& id) { entry(id).corrupt = false; }
    // Marks the row as touched: its rev moves once, however many operations touch it.
    Instance& edit(const InstanceId& id);
    // Adds an instance under an id that is free; it goes on after the last version that the id ever
    // had.
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
    // The same for a move of the engine: the row shows which node made it.
    void execute(Instance& instance, Entry entry);
    void set_node(std::string node) { node_ = std::move(node); }
    const std::string& node() const { return node_; }
    void set_self(Self self) { self_ = std::move(self); }

    SignalBox& signals() { return signals_; }
    const SignalBox& signals() const { return signals_; }
    TaskBox& tasks() { return tasks_; }
    const TaskBox& tasks() const { return tasks_; }
    // Whoever holds the lease of this instance's continuation has got somewhere.
    void progress(const InstanceId& id) { entry(id).progressed = true; }
    // Its continuation comes back under an old id.
    void redrive(const InstanceId& id, const SignalId& signal) { entry(id).redriven = signal; }

    // Null: no such key.
    const Definition* newest_definition(const std::string& key) const;
    // The version that an instance of this round is on. Null: nobody ever defined it.
    const Definition* definition(const DefinitionRef& ref) const;
    void add(std::shared_ptr<const Definition> definition);

    const Checkpoint* checkpoint(const InstanceId& id, const std::string& name) const;
    void put(Checkpoint checkpoint);

    // Absent: that version is in the future, was pruned, or belongs to a life before a clear.
    std::optional<StateAt> state_at(const InstanceId& id, Version version) const;

    const KeyedOutcome* answer(const std::string& client_key) const;
    void put(KeyedOutcome answer);

    void add(ConflictRow conflict);

    Mailbox& mail() { return mail_; }
    const Mailbox& mail() const { return mail_; }
    // Whether a wait that was loaded or registered is still the one its instance sleeps in.
    bool is_current(const WaitRow& row) const;

    // Null: nothing stands there.
    const Step* step(const InstanceId& id, std::uint64_t index) const;
    const Winner* winner(const InstanceId& id, std::uint64_t index) const;
    // Whether that place of the journal was read, however empty.
    bool has_step(const InstanceId& id, std::uint64_t index) const {
        return read_steps_.contains({id, index});
    }
    void record(Step step);
    void record(Winner winner);
    // A continue-as begins with an empty journal.
    void clear_journal(const InstanceId& id);

    // The waits for this instance's end that still stand, oldest first.
    std::vector<WaitRow> completion_waiters(const InstanceId& id) const;
    // Whether all of them were read.
    bool has_completion_waiters(const InstanceId& id) const {
        return is_complete(completions_, id);
    }
    // A wait for another's end begins in this round.
    void register_completion(const InstanceId& awaited, const Instance& waiter);
    std::vector<InstanceId> children(const InstanceId& parent) const;
    bool has_children(const InstanceId& parent) const { return is_complete(children_, parent); }

    // How often the round has changed anything: a refusal must leave it as it was.
    std::size_t writes() const {
        return writes_ + mail_.writes() + signals_.writes() + tasks_.writes();
    }
    Changes changes() const;
    struct Touch {
        InstanceId id;
        const Instance* instance = nullptr;    // as it is now; null: cleared
        std::optional<HeldContinuation> held;  // that this node is to run
    };
    // Every instance this round touched.
    std::vector<Touch> touched() const;
    // The instances without a program whose wait is over with this round.
    std::vector<InstanceId> awoken() const;
    // Whether the commit leaves signals that nobody has leased.
    bool frees_signals() const;

private:
    template <class T>
    static bool is_complete(const std::map<InstanceId, Loading<T>>& lists, const InstanceId& id) {
        const auto found = lists.find(id);
        return found != lists.end() && !found->second.more;
    }
    const InstanceChange& entry(const InstanceId& id) const;
    InstanceChange& entry(const InstanceId& id);
    void forget_journal(const InstanceId& id);
    // Whether it keeps the continuation that it has: it was awake all through the round. One that
    // slept and was woken gets a new one, for whoever ran it was told that it sleeps.
    bool keeps_continuation(const InstanceChange& change) const;
    // The continuation that this instance gets with this commit. Absent: it has one, or needs none.
    std::optional<SignalRow> new_continuation(const InstanceChange& change) const;
    // Its continuation, if this node holds it.
    std::optional<HeldContinuation> held_by_self(const InstanceChange& change) const;
    ContinuationChanges continuation_changes() const;
    void append(const InstanceId& id, Version version, const Digest& previous, Entry entry);

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
    std::set<std::pair<InstanceId, std::uint64_t>> read_steps_;
    std::map<std::pair<InstanceId, std::uint64_t>, Step> steps_;
    std::map<std::pair<InstanceId, std::uint64_t>, Winner> winners_;
    std::map<std::pair<InstanceId, std::uint64_t>, Step> new_steps_;
    std::map<std::pair<InstanceId, std::uint64_t>, Winner> new_winners_;
    std::set<InstanceId> cleared_journals_;
    std::map<InstanceId, Loading<WaitRow>> completions_;
    std::map<InstanceId, std::vector<WaitRow>> fresh_completions_;
    std::map<InstanceId, Loading<InstanceId>> children_;
    std::size_t writes_ = 0;
    std::set<InstanceId> slept_;  // at some point of the round
};

}  // namespace holdfast
