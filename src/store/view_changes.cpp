// What a commit writes, and whom it concerns.
#include "store/view.h"

namespace holdfast {

namespace {

bool has_children(const Instance& instance) { return instance.children != Children{}; }

// Those that other rows of the round refer to, and those of its events.
std::map<Digest, const Document*> large_values(const std::map<Digest, Document>& shared,
                                               const MailChanges& mail) {
    std::map<Digest, const Document*> values;
    for (const auto& [digest, value] : shared) values.emplace(digest, &value);
    const auto add = [&](const Event& event) {
        if (const auto digest = shared_digest(event)) values.emplace(*digest, &event.value);
    };
    for (const auto& [id, event] : mail.queued) add(event);
    for (const auto& [id, dead] : mail.buried) add(dead.event);
    return values;
}

}  // namespace

const Changes& View::changes() const {
    if (!changes_) changes_ = difference();
    return *changes_;
}

Changes View::difference() const {
    Changes changes;
    changes.history = &history_;
    changes.conflicts = &conflicts_;
    changes.definitions = &new_definitions_;
    for (const auto& [id, change] : instances_) {
        if (!change.dirty || !(change.before || change.after)) continue;
        const auto need = reads_.instances().find(id);
        const bool is_whole =
            need != reads_.instances().end() && need->second.depth == Depth::whole;
        HF_ASSERT(is_whole || !change.before || change.cleared || !change.after ||
                      !has_children(*change.after),
                  "only an instance that was read whole is given rows");
        changes.instances.push_back(&change);
    }
    for (const auto& [name, checkpoint] : new_checkpoints_)
        changes.checkpoints.push_back(&checkpoint);
    for (const auto& [key, answer] : new_answers_) changes.answers.push_back(&answer);
    changes.mail = &mail_.changes();
    for (const auto& [key, step] : new_steps_) changes.steps.push_back(&step);
    for (const auto& [key, winner] : new_winners_) changes.winners.push_back(&winner);
    changes.values = large_values(new_values_, mail_.changes());
    changes.now = now_;
    changes.cleared_journals = &cleared_journals_;
    changes.signals = &signals_.changes();
    changes.continuations = continuation_changes();
    changes.tasks = &tasks_.changes();
    return changes;
}

std::vector<InstanceTouch> View::touched() const {
    std::vector<InstanceTouch> touched;
    const std::vector<SignalRow>& fresh = changes().continuations.inserted;
    auto next = fresh.begin();  // in the same order
    for (const auto& [id, change] : instances_) {
        if (!change.dirty) continue;
        InstanceTouch& touch = touched.emplace_back(id, change.after ? &*change.after : nullptr);
        if (next != fresh.end() && next->instance == id) touch.held = held_by_self(*next++);
    }
    return touched;
}

std::vector<InstanceId> View::awoken() const {
    std::vector<InstanceId> awoken;
    for (const auto& [id, change] : instances_)
        if (change.dirty && change.ends_polls()) awoken.push_back(id);
    return awoken;
}

QueuedSignals View::queued_signals() const {
    QueuedSignals signals{.free = !signals_.changes().fan_outs.empty()};
    for (const SignalRow& row : changes().continuations.inserted)
        (row.leased_by ? signals.leased : signals.free) = true;
    for (const auto& [id, row] : signals_.changes().enqueued) {
        signals.leased |= row.leased_by.has_value();
        signals.free |= !row.leased_by && row.visible_at <= now_;
    }
    return signals;
}

// A clear deletes the continuation.
bool View::keeps_continuation(const InstanceChange& change) const {
    if (!change.before || !needs_continuation(*change.before) || change.cleared) return false;
    return !slept_.contains(change.before->id);
}

std::optional<SignalRow> View::new_continuation(const InstanceChange& change) const {
    if (!change.after || !needs_continuation(*change.after) || keeps_continuation(change))
        return std::nullopt;
    const Instance& instance = *change.after;
    SignalRow row{
        .id = change.redriven.value_or(SignalId{derive(instance.id.value, instance.version)}),
        .instance = instance.id,
        .type = SignalType::internal_continue,
        .program = instance.definition.key,  // whose nodes may claim it
        .enqueued_at = now_,
        .visible_at = now_};
    // From the version: the same however the operations are folded, and higher than that of any
    // continuation that the instance had.
    const KnownSignal* old = signals_.loaded_continuation(instance.id);
    row.epoch = std::max(instance.version - 1, old ? old->queued->epoch : 0);
    if (self_.node && self_.has_room && self_.programs.contains(instance.definition.key))
        lease_to(*self_.node, row);
    return row;
}

std::optional<HeldContinuation> View::held_by_self(const SignalRow& fresh) const {
    if (!fresh.leased_by) return std::nullopt;
    HeldContinuation held{fresh.id, {*fresh.leased_by, fresh.epoch}, {}};
    const auto first = new_steps_.lower_bound({fresh.instance, 0});
    for (auto at = first; at != new_steps_.end() && at->first.first == fresh.instance; ++at) {
        JournalEntry& entry = held.journal.emplace_back(at->second);
        if (const auto won = new_winners_.find(at->first); won != new_winners_.end())
            entry.winner = won->second;
    }
    return held;
}

ContinuationChanges View::continuation_changes() const {
    ContinuationChanges changes;
    for (const auto& [id, change] : instances_) {
        if (!change.dirty) continue;
        const bool had = change.before && needs_continuation(*change.before);
        const bool needs = change.after && needs_continuation(*change.after);
        const bool keeps = needs && keeps_continuation(change);
        if (had && !keeps) changes.deleted.push_back(id);
        if (auto fresh = new_continuation(change)) changes.inserted.push_back(*std::move(fresh));
        const KnownSignal* stored = signals_.loaded_continuation(id);
        if (keeps && change.progressed && stored && stored->queued->attempts > 1)
            changes.progressed.push_back(id);
    }
    return changes;
}

}  // namespace holdfast
