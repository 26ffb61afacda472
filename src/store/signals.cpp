#include "store/signals.h"

#include <algorithm>
#include <chrono>

#include "base/assert.h"
#include "store/continuation.h"

namespace holdfast {
namespace {

// Until somebody acts.
constexpr std::chrono::microseconds longest_hold = std::chrono::days(3'650);

}  // namespace

SignalId fan_out_id(const OperationId& operation, const Uuid& target) {
    std::string bytes(operation.value.bytes.begin(), operation.value.bytes.end());
    bytes.append(target.bytes.begin(), target.bytes.end());
    const Digest digest = sha256(bytes);
    SignalId id;
    std::copy_n(digest.bytes.begin(), id.value.bytes.size(), id.value.bytes.begin());
    return id;
}

KnownSignal SignalBox::known(const SignalId& id) const {
    if (!reads_.signals().contains(id)) {
        LoadMore more;
        more.also.signal(id);
        throw more;
    }
    KnownSignal known;
    if (const auto found = loaded_.signals.find(id); found != loaded_.signals.end())
        known = found->second;
    if (changes_.consumed.contains(id)) known.queued.reset();
    if (changes_.unburied.contains(id)) known.dead.reset();
    if (const auto found = changes_.enqueued.find(id); found != changes_.enqueued.end())
        known.queued = found->second;
    if (const auto found = changes_.scheduled.find(id); found != changes_.scheduled.end())
        known.scheduled = found->second;
    if (const auto found = changes_.buried.find(id); found != changes_.buried.end())
        known.dead = found->second;
    for (const ProcessedSignal& row : changes_.processed)
        if (row.signal == id) known.processed = row.instance;
    return known;
}

const KnownSignal* SignalBox::continuation(const InstanceId& id) const {
    if (reads_.continuations().contains(id)) return loaded_continuation(id);
    LoadMore more;
    more.also.continuation(id);
    throw more;
}

const KnownSignal* SignalBox::loaded_continuation(const InstanceId& id) const {
    const auto found = loaded_.continuations.find(id);
    return found == loaded_.continuations.end() || !found->second.queued ? nullptr : &found->second;
}

void SignalBox::enqueue(SignalRow row) {
    const SignalId id = row.id;
    undo_.assign(changes_.enqueued, id, std::move(row));
}

void SignalBox::enqueue_job(SignalRow row, const Self& self) {
    if (self.node && held_jobs_ < self.room_for_jobs && self.programs.contains(*row.program)) {
        lease_to(*self.node, row);
        ++undo_.change(held_jobs_);
    }
    enqueue(std::move(row));
}

std::vector<SignalRow> SignalBox::held_jobs() const {
    std::vector<SignalRow> jobs;
    for (const auto& [id, row] : changes_.enqueued)
        if (row.type == SignalType::job && row.leased_by) jobs.push_back(row);
    return jobs;
}

void SignalBox::schedule(ScheduledSignal signal) {
    const SignalId id = signal.signal.id;
    undo_.assign(changes_.scheduled, id, std::move(signal));
}

void SignalBox::drop(const SignalRow& row) {
    if (!undo_.erase(changes_.enqueued, row.id)) undo_.emplace(changes_.consumed, row.id);
}

void SignalBox::consume(const SignalRow& row, Moment now) {
    drop(row);
    if (!known(row.id).processed)
        undo_.append(changes_.processed, ProcessedSignal{row.instance, row.id, now});
}

void SignalBox::bury(DeadLetter letter) {
    const SignalId id = letter.signal.id;
    if (letter.signal.type != SignalType::internal_continue && !undo_.erase(changes_.enqueued, id))
        undo_.emplace(changes_.consumed, id);
    undo_.assign(changes_.buried, id, std::move(letter));
}

void SignalBox::hold(DeadLetter letter, Moment now) {
    SignalRow row = letter.signal;
    row.visible_at = now + longest_hold;
    requeue(std::move(row));
    const SignalId id = letter.signal.id;
    undo_.assign(changes_.buried, id, std::move(letter));
}

void SignalBox::requeue(SignalRow row) {
    if (!changes_.enqueued.contains(row.id)) undo_.emplace(changes_.consumed, row.id);
    enqueue(std::move(row));
}

void SignalBox::unbury(DeadLetter letter) {
    const SignalId id = letter.signal.id;
    if (!undo_.erase(changes_.buried, id)) undo_.emplace(changes_.unburied, id, std::move(letter));
}

void SignalBox::fan_out(SignalChanges::FanOut fan_out) {
    undo_.append(changes_.fan_outs, std::move(fan_out));
}

void SignalBox::moved(const InstanceId& instance, const SignalId& signal) {
    undo_.assign(changes_.moved, instance, signal);
}

void SignalBox::forget(const InstanceId& id) {
    undo_.erase(changes_.moved, id);
    undo_.erase_if(changes_.enqueued, [&](const auto& item) { return item.second.instance == id; });
    undo_.erase_if(changes_.scheduled,
                   [&](const auto& item) { return item.second.signal.instance == id; });
    const auto is_its = [&](const ProcessedSignal& row) { return row.instance == id; };
    if (std::ranges::any_of(changes_.processed, is_its))
        std::erase_if(undo_.change(changes_.processed), is_its);
    for (auto& [signal, known] : loaded_.signals) {
        const bool its_own = (known.queued && known.queued->instance == id) ||
                             (known.scheduled && known.scheduled->signal.instance == id) ||
                             known.processed == id;
        if (!its_own) continue;
        undo_.change(known).queued.reset();
        known.scheduled.reset();
        known.processed.reset();
    }
    if (const auto found = loaded_.continuations.find(id); found != loaded_.continuations.end())
        undo_.change(found->second) = {};
}

}  // namespace holdfast
