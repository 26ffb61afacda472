#include "store/residents.h"

#include <algorithm>

#include "program/traits.h"

namespace holdfast {
namespace {

// Of a process in the rounds, journal and children are not as simple as a flow's: their places are
// in the rows. One with a document may be large. An index that went back may have entries of the
// journal after it.
bool is_kept(const InstanceChange& change) {
    if (!change.after || change.corrupt || change.misplaced || change.cleared) return false;
    const Instance& after = *change.after;
    return is_open(after.status) && traits_of(after).may_be_resident && after.waits.size() <= 1 &&
           !after.program.retry && after.state.is_empty_object() &&
           after.state_metadata.is_empty_object() && after.children == Children{} &&
           (!change.before || after.index >= change.before->index);
}

}  // namespace

void Residents::forget_all() {
    residents_.clear();
    order_.clear();
}

void Residents::doubt(const InstanceId& id) {
    forget(id);
    if (doubted_.size() >= capacity_) doubted_.clear();
    doubted_.insert(id);
}

void Residents::learn(const InstanceId& id, const KnownSignal* loaded) {
    Resident* resident = edit(id);
    if (!resident || resident->continuation) return;
    resident->continuation = loaded ? *loaded : KnownSignal{};
}

Resident* Residents::keep(const InstanceChange& change) {
    if (!is_kept(change)) {
        forget(change.after ? change.after->id : change.before->id);
        return nullptr;
    }
    const InstanceId& id = change.after->id;
    // Somebody else has changed it since: what was known beside the row may be wrong, too.
    if (const Resident* old = find(id);
        old && !(change.before && change.before->rev == old->instance.rev))
        forget(id);
    const auto [found, added] = residents_.try_emplace(id);
    Resident& resident = found->second;
    resident.instance = *change.after;
    if (!added) return &resident;
    resident.may_have_some = doubted_.contains(id);
    // Nobody can have referred to an id that was never used.
    if (!change.before && change.after->rev == 1) {
        resident.no_inbox = resident.no_waiters = resident.no_tasks = true;
        resident.continuation.emplace();
    }
    order_.push_back(id);
    while (residents_.size() > capacity_ || order_.size() > 2 * capacity_) {
        if (order_.front() != id) residents_.erase(order_.front());
        order_.pop_front();
    }
    return &resident;
}

void Residents::note(const Changes& changes) {
    for (const auto& [id, event] : changes.mail->queued)
        if (event.target)
            if (Resident* target = edit(*event.target)) {
                target->no_inbox = false;
                target->may_have_some = true;
            }
    for (const InstanceChange* change : changes.instances) {
        if (!change->after) continue;
        for (const Waiting& waiting : change->after->waits)
            for (const InstanceId& awaited : waiting.wait.workflows)
                if (Resident* resident = edit(awaited)) {
                    resident->no_waiters = false;
                    resident->may_have_some = true;
                }
    }
    for (const TaskEvent& event : changes.tasks->events)
        if (Resident* resident = edit(event.instance)) {
            resident->no_tasks = false;
            resident->may_have_some = true;
        }
    const ContinuationChanges& continuations = changes.continuations;
    for (const InstanceId& id : continuations.deleted)
        if (Resident* resident = edit(id)) resident->continuation.emplace();
    for (const SignalRow& row : continuations.inserted)
        if (Resident* resident = edit(row.instance)) {
            resident->continuation.emplace();
            resident->continuation->queued = row;
        }
    for (const InstanceId& id : continuations.progressed)
        if (Resident* resident = edit(id); resident && resident->continuation)
            resident->continuation->queued->attempts = 1;
    note_journal(changes);
}

void Residents::note_journal(const Changes& changes) {
    for (const InstanceId& id : *changes.cleared_journals)
        if (Resident* resident = edit(id)) resident->newest.reset();
    for (const Step* step : changes.steps) {
        Resident* resident = edit(step->instance);
        if (!resident) continue;
        if (step->index >= resident->instance.index)
            forget(step->instance);
        else if (step->index + 1 == resident->instance.index)
            resident->newest.emplace(JournalEntry{*step, {}}).step.value.forget_value();
    }
    for (const Winner* winner : changes.winners) {
        Resident* resident = edit(winner->instance);
        if (resident && winner->index + 1 == resident->instance.index && resident->newest)
            resident->newest->winner = *winner;
    }
}

}  // namespace holdfast
