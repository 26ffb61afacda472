#include "store/signals.h"

#include "base/assert.h"
#include "base/defect.h"

namespace holdfast {

SignalId fan_out_id(const OperationId& operation, const InstanceId& instance) {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    for (int i = 0; i < 8; ++i) high = high << 8 | instance.value.bytes[i];
    for (int i = 8; i < 16; ++i) low = low << 8 | instance.value.bytes[i];
    return {derive(derive(operation.value, high), low)};
}

KnownSignal SignalBox::known(const SignalId& id) const {
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
    for (const ProcessedSignal& row : changes_.processed) known.processed |= row.signal == id;
    return known;
}

const KnownSignal* SignalBox::continuation(const InstanceId& id) const {
    const auto found = loaded_.continuations.find(id);
    return found == loaded_.continuations.end() || !found->second.queued ? nullptr : &found->second;
}

void SignalBox::enqueue(SignalRow row) {
    const SignalId id = row.id;
    changes_.enqueued.insert_or_assign(id, std::move(row));
    ++writes_;
}

void SignalBox::schedule(ScheduledSignal signal) {
    const SignalId id = signal.signal.id;
    changes_.scheduled.insert_or_assign(id, std::move(signal));
    ++writes_;
}

void SignalBox::consume(const SignalRow& row, Moment now) {
    if (changes_.enqueued.erase(row.id) == 0) changes_.consumed.insert(row.id);
    if (!known(row.id).processed && !defect("processed_not_kept"))
        changes_.processed.push_back({row.instance, row.id, now});
    ++writes_;
}

void SignalBox::bury(DeadLetter letter) {
    const SignalId id = letter.signal.id;
    if (letter.signal.type != SignalType::internal_continue && changes_.enqueued.erase(id) == 0 &&
        !defect("buried_and_kept"))
        changes_.consumed.insert(id);
    ++writes_;
    if (defect("buried_and_lost")) return;
    changes_.buried.insert_or_assign(id, std::move(letter));
}

void SignalBox::unbury(const SignalId& id) {
    if (changes_.buried.erase(id) == 0) changes_.unburied.insert(id);
    ++writes_;
}

void SignalBox::fan_out(SignalChanges::FanOut fan_out) {
    changes_.fan_outs.push_back(std::move(fan_out));
    ++writes_;
}

void SignalBox::forget(const InstanceId& id) {
    std::erase_if(changes_.enqueued, [&](const auto& item) { return item.second.instance == id; });
    std::erase_if(changes_.scheduled,
                  [&](const auto& item) { return item.second.signal.instance == id; });
    std::erase_if(changes_.processed,
                  [&](const ProcessedSignal& row) { return row.instance == id; });
    for (auto& [signal, known] : loaded_.signals) {
        const bool its_own = (known.queued && known.queued->instance == id) ||
                             (known.scheduled && known.scheduled->signal.instance == id);
        if (!its_own) continue;
        known.queued.reset();
        known.scheduled.reset();
    }
    if (const auto found = loaded_.continuations.find(id); found != loaded_.continuations.end())
        found->second = {};
}

}  // namespace holdfast
