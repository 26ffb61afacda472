#include "store/residents.h"

#include <algorithm>

#include "model/children_diff.h"
#include "program/traits.h"

namespace holdfast {
namespace {

// Of a process with its documents and rows.
constexpr std::size_t most_bytes = 8'192;
constexpr std::size_t most_rows = 64;
constexpr std::size_t most_waits = 32;

bool is_small(const Instance& process) {
    const Children& rows = process.children;
    if (rows.active.size() + rows.completed.size() + rows.variables.size() > most_rows ||
        !rows.conditions.empty() || !rows.forks.empty() || process.waits.size() > most_waits)
        return false;
    std::size_t bytes = process.state.text().size() + process.state_metadata.text().size();
    for (const VariableScope& row : rows.variables) bytes += row.variables.text().size();
    return bytes <= most_bytes;
}

// Of a flow the row alone, and one with a document may be large.
bool is_simple(const Instance& flow) {
    return flow.waits.size() <= 1 && flow.state.is_empty_object() &&
           flow.state_metadata.is_empty_object() && flow.children == Children{};
}

bool is_whole(const ReadSet& reads, const InstanceChange& change) {
    if (!change.before) return true;
    const auto need = reads.instances().find(change.after->id);
    return need != reads.instances().end() && need->second.depth == Depth::whole;
}

// An index that went back may have entries of the journal after it.
bool is_kept(const ReadSet& reads, const InstanceChange& change) {
    if (!change.after || change.corrupt || change.misplaced || change.cleared) return false;
    const Instance& after = *change.after;
    if (!is_open(after.status) || after.program.retry ||
        (change.before && after.index < change.before->index))
        return false;
    if (traits_of(after).moves_alone) return is_whole(reads, change) && is_small(after);
    return traits_of(after).may_be_resident && is_simple(after);
}

}  // namespace

void Residents::forget(const InstanceId& id) {
    const auto found = residents_.find(id);
    if (found == residents_.end()) return;
    for (const SignalId& job : found->second.jobs) jobs_.erase(job);
    residents_.erase(found);
}

void Residents::forget_all() {
    residents_.clear();
    jobs_.clear();
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

Resident* Residents::keep(const ReadSet& reads, const InstanceChange& change) {
    if (!is_kept(reads, change)) {
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
    resident.instance.state.forget_value();
    resident.instance.state_metadata.forget_value();
    if (traits_of(resident.instance).moves_alone) {
        resident.depth = Depth::whole;
        keep_places(change.before ? change.before->children : Children{},
                    resident.instance.children);
    }
    if (!added) return &resident;
    resident.may_have_some = doubted_.contains(id);
    // Nobody can have referred to an id that was never used.
    if (!change.before && change.after->rev == 1) {
        resident.no_inbox = resident.no_waiters = resident.no_tasks = true;
        resident.continuation.emplace();
    }
    order_.push_back(id);
    while (residents_.size() > capacity_ || order_.size() > 2 * capacity_) {
        if (order_.front() != id) forget(InstanceId(order_.front()));
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
    note_jobs(*changes.signals);
}

// The others are free, or held by others, who may give them back.
void Residents::note_jobs(const SignalChanges& signals) {
    for (const SignalId& id : signals.consumed) jobs_.erase(id);
    for (const auto& [id, row] : signals.enqueued) {
        if (row.type != SignalType::job || !row.leased_by || signals.buried.contains(id)) continue;
        if (Resident* resident = edit(row.instance); resident && jobs_.emplace(id, row).second)
            resident->jobs.push_back(id);
    }
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
