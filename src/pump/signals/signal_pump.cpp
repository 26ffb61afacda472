#include "pump/signals/signal_pump.h"

#include <algorithm>

#include "base/log.h"
#include "model/job.h"

namespace holdfast {
namespace {

constexpr std::size_t claim_burst = 64;
constexpr std::size_t handled_at_once = 16;
// Of suspects beyond the limit, while others are being tried.
constexpr std::chrono::microseconds suspect_pause = std::chrono::milliseconds(50);

constexpr std::chrono::microseconds blocked_pause = std::chrono::seconds(1);
// Nothing tells that a paused workflow goes on, and there may be thousands.
constexpr std::chrono::microseconds hindered_pause = std::chrono::seconds(5);

Lease lease_of(const SignalRow& signal) { return {*signal.leased_by, signal.epoch}; }

// The store, not the signal, is to blame: worth a retry.
bool is_transient(ErrorCode code) {
    return code == ErrorCode::unavailable || code == ErrorCode::outcome_unknown ||
           code == ErrorCode::overloaded || code == ErrorCode::shutting_down;
}

}  // namespace

void report_corrupt(const Claimed& claimed) {
    for (const SignalId& id : claimed.corrupt)
        log::error("signal.corrupt", {{"signal", to_string(id)}});
}

Work work_of(SignalRow signal, std::shared_ptr<const Instance> instance) {
    Work work{.instance = signal.instance,
              .type = signal.type,
              .lease = lease_of(signal),
              .attempts = signal.attempts,
              .id = signal.id,
              .program = signal.program.value_or(""),
              .instance_row = std::move(instance)};
    if (signal.type == SignalType::job)
        if (const auto spec = job_in(signal)) work.pause = pause_after(*spec, signal.attempts);
    work.signal = std::move(signal);
    return work;
}

std::shared_ptr<const Instance> instance_of(const SignalRow& job, const Touched& touched) {
    const auto of =
        std::ranges::lower_bound(touched.instances, job.instance, {}, &TouchedInstance::id);
    return of != touched.instances.end() && of->id == job.instance ? of->instance : nullptr;
}

Result<SignalPump::Looked> SignalPump::look() {
    HF_CHECK(parts_.life.join());
    HF_CHECK(return_leases());
    HF_CHECK(act(std::exchange(unfinished_, {})));
    for (;;) {
        const auto life = parts_.life.id();
        if (!life) return Looked{};  // rejoining triggers another look
        const std::size_t room = parts_.work_queue.room_for_claims();
        HF_TRY(auto claimed, claim(*life, room));
        parts_.metrics.signals_claimed.Increment(static_cast<double>(claimed.signals.size()));
        if (!claimed.signals.empty()) {
            HF_CHECK(act(std::move(claimed.signals)));
            HF_CHECK(return_leases());
            continue;
        }
        Looked looked{.starved = room == 0, .full = room == 0};
        if (!claimed.next) return looked;
        looked.next = NextDue{*claimed.next, *claimed.next - claimed.now};
        if (looked.next->in > std::chrono::microseconds(0)) return looked;
        // Due but not claimable: an earlier signal of its instance is being handled.
        looked.starved = true;
        looked.next->in = blocked_pause;
        return looked;
    }
}

// Without room for handlers, claims only signals that need none: they must not wait (I43).
Result<Claimed> SignalPump::claim(const NodeId& life, std::size_t room) {
    Claim claim{.node = life, .limit = claim_burst};
    if (room > 0) {
        claim.programs = parts_.programs.keys();
        claim.limit = std::min(room, claim_burst);
    }
    parts_.metrics.claims.Increment();
    auto claimed = parts_.store.claim(claim);
    // The result was lost: this life may hold signals that it does not know of.
    if (!claimed && claimed.error().code == ErrorCode::outcome_unknown) parts_.life.end();
    if (claimed) report_corrupt(*claimed);
    return claimed;
}

Result<void> SignalPump::act(std::vector<SignalRow> signals) {
    const auto life = parts_.life.id();
    std::vector<SignalRow> waits;
    std::vector<SignalRow> works;
    std::vector<SignalRow> dead;
    std::vector<op::BurySignal> letters;
    for (SignalRow& signal : signals) {
        if (signal.leased_by != life) continue;  // of a life that is over
        if (auto letter = dead_letter_for(signal)) {
            letters.push_back(*std::move(letter));
            dead.push_back(std::move(signal));
        } else if (ends_a_wait(signal.type)) {
            waits.push_back(std::move(signal));
        } else {
            works.push_back(std::move(signal));
        }
    }
    const auto dispatched = dispatch(std::move(works));
    // A few at a time: what others submit gets into the rounds between.
    Result<void> handled;
    for (std::size_t first = 0; first < waits.size(); first += handled_at_once) {
        const auto end = waits.begin() + std::min(first + handled_at_once, waits.size());
        if (auto some = handle({waits.begin() + first, end}); !some) handled = some;
    }
    const auto buried = bury(letters, dead);
    if (!dispatched) return dispatched;
    return handled ? buried : handled;
}

// Leases that are not used now are returned before any work begins: their attempt does not count.
Result<void> SignalPump::dispatch(std::vector<SignalRow> signals) {
    std::size_t suspects = parts_.work_queue.room_for_suspects();
    std::vector<SignalRow> begun;
    for (SignalRow& signal : signals) {
        const bool suspicious = is_suspect(signal.attempts);
        if (!suspicious || suspects > 0)
            begun.push_back(std::move(signal));
        else
            queue_return(signal.id, lease_of(signal), suspect_pause, GiveBack::was_not_begun);
        if (suspicious && suspects > 0) --suspects;
    }
    const auto returned = return_leases();
    const auto instances = instances_of(begun);
    for (SignalRow& signal : begun) {
        const auto found = instances.find(signal.instance);
        parts_.work_queue.offer(
            work_of(std::move(signal), found == instances.end() ? nullptr : found->second),
            WorkQueue::Origin::claimed);
    }
    return returned;
}

// Read after the claim: the leases keep others from changing them. If it fails, the handlers read.
std::unordered_map<InstanceId, std::shared_ptr<const Instance>> SignalPump::instances_of(
    const std::vector<SignalRow>& signals) {
    std::vector<InstanceId> ids;
    for (const SignalRow& signal : signals)
        if (signal.type == SignalType::internal_continue) ids.push_back(signal.instance);
    std::unordered_map<InstanceId, std::shared_ptr<const Instance>> instances;
    if (ids.empty()) return instances;
    auto rows = parts_.store.ask(FindRows{ids});
    if (!rows) return instances;
    for (Instance& row : *rows) {
        const InstanceId id = row.id;
        instances.emplace(id, std::make_shared<const Instance>(std::move(row)));
    }
    return instances;
}

std::optional<op::BurySignal> SignalPump::dead_letter_for(const SignalRow& signal) {
    op::BurySignal letter{.cause = Cause::of_engine(parts_.ids.next<OperationId>()),
                          .instance = signal.instance,
                          .signal = signal.id,
                          .lease = lease_of(signal),
                          .hold = settings_.dead_letter_policy == DeadLetterPolicy::hold};
    // A job has retries of its own: its handler ends it, and its process has an incident.
    if (signal.type != SignalType::job && signal.attempts > settings_.max_poison_retries) {
        letter.reason = DeadLetterReason::too_many_attempts;
        letter.detail = std::to_string(signal.attempts - 1) + " attempts failed";
        return letter;
    }
    if (!signal.envelope.empty()) {
        if (const auto envelope = decode_envelope(signal.envelope); !envelope) {
            letter.reason = DeadLetterReason::undecodable;
            letter.detail = envelope.error().message;
            return letter;
        }
    }
    if (!ends_a_wait(signal.type) && !signal.program) {
        letter.reason = DeadLetterReason::missing_definition;
        letter.detail = "the signal names no program";
        return letter;
    }
    return std::nullopt;
}

Result<void> SignalPump::handle(const std::vector<SignalRow>& signals) {
    if (signals.empty()) return {};
    std::vector<op::HandleSignal> operations;
    for (const SignalRow& signal : signals)
        operations.push_back({.cause = Cause::of_engine(parts_.ids.next<OperationId>()),
                              .instance = signal.instance,
                              .signal = signal.id,
                              .lease = lease_of(signal)});
    Result<void> result;
    const auto outcomes = operations_.handle(std::move(operations));
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (!outcomes[i]) {
            if (auto failure = failed(outcomes[i].error(), signals[i]); !failure) result = failure;
            continue;
        }
        parts_.metrics.count(*outcomes[i]);
    }
    return result;
}

Result<void> SignalPump::bury(const std::vector<op::BurySignal>& letters,
                              const std::vector<SignalRow>& signals) {
    if (letters.empty()) return {};
    Result<void> result;
    const auto outcomes = operations_.bury(letters);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        if (!outcomes[i]) {
            if (auto failure = failed(outcomes[i].error(), signals[i]); !failure) result = failure;
            continue;
        }
        if (std::holds_alternative<op::LeaseLost>(*outcomes[i])) continue;
        log::error("signal.buried", {{"signal", to_string(signals[i].id)},
                                     {"instance", to_string(signals[i].instance)},
                                     {"reason", name_of(letters[i].reason)},
                                     {"detail", letters[i].detail}});
    }
    return result;
}

Result<void> SignalPump::failed(const Error& error, const SignalRow& signal) {
    if (is_transient(error.code)) {
        unfinished_.push_back(signal);
        return std::unexpected(error);
    }
    log::warn("signal.failed", {{"signal", to_string(signal.id)},
                                {"attempt", signal.attempts},
                                {"message", error.message}});
    queue_return(signal.id, lease_of(signal), pause_after(settings_, signal.attempts));
    return {};
}

void SignalPump::give_back(const Work& work, const Error& error) {
    if (error.code == ErrorCode::conflict)
        return queue_return(work.id, work.lease, hindered_pause, GiveBack::was_not_begun);
    queue_return(work.id, work.lease, work.pause.value_or(pause_after(settings_, work.attempts)));
}

void SignalPump::queue_return(const SignalId& signal, const Lease& lease,
                              std::chrono::microseconds pause, GiveBack attempt) {
    leases_to_return_.push_back({signal, lease, pause, attempt});
}

Result<void> SignalPump::return_leases() {
    while (!leases_to_return_.empty()) {
        const LeaseReturn& next = leases_to_return_.back();
        if (parts_.life.id() == next.lease.node) {
            HF_CHECK(parts_.store.give_back(next.signal, next.lease, next.pause, next.attempt));
        }
        leases_to_return_.pop_back();
    }
    return {};
}

}  // namespace holdfast
