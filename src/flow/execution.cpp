#include "flow/execution.h"

#include "base/assert.h"
#include "flow/failure.h"
#include "flow/wording.h"

namespace holdfast::flow {
namespace {

std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

std::uint64_t seed_of(const Identity& identity) {
    std::uint64_t seed = identity.run;
    for (const std::uint8_t byte : identity.instance.value.bytes) seed = mix(seed ^ byte);
    return seed;
}

Misuse awaited_twice(const std::string& flow) {
    return Misuse("flow '" + flow +
                  "': a call was awaited twice. Call the context again for each co_await");
}

// Frames and step functions never run at the same time, so the flag needs no lock.
class Inside {
public:
    explicit Inside(bool& flag) : flag_(flag) { flag_ = true; }
    ~Inside() { flag_ = false; }

private:
    bool& flag_;
};

// Only a child or a task that lost a race may be awaited again.
bool is_alive(const Call& call) { return call.begun && !call.taken && !call.value && !call.error; }

}  // namespace

Execution::Execution(const Code& code, Identity identity, Log log)
    : code_(code),
      identity_(identity),
      id_(to_string(identity.instance)),
      log_(std::move(log)),
      context_(*this) {}

Execution::~Execution() {
    HF_ASSERT(!is_busy(), "no step function runs when its flow is destroyed");
}

void Execution::feed(const JournalEntry& entry) {
    const Step& step = entry.step;
    if (assumed_ && step.index == assumed_->run.index) {
        assumption_failed_ =
            assumption_failed_ || entry.winner || step.name != assumed_->step_name ||
            step.input_hash != assumed_->input_hash || step.result != assumed_->result ||
            step.value != assumed_->value || step.at != assumed_->at;
        assumed_.reset();
    }
    if (step.index < next_) return;
    HF_ASSERT(step.index == next_, "a journal has no gaps");
    ++next_;
    arrivals_.push_back({.index = step.index,
                         .name = step.name,
                         .hash = step.input_hash,
                         .result = step.result,
                         .winner = entry.winner,
                         .at = step.at,
                         .document = step.value,
                         .value = {}});
}

void Execution::confirm(std::uint64_t index, Moment at, std::optional<std::string> id) {
    if (assumed_ && index == assumed_->run.index) {
        assumption_failed_ = assumption_failed_ || at != assumed_->at;
        assumed_.reset();
    }
    if (index < next_) return;
    HF_ASSERT(index == next_, "operations are confirmed in the order of submission");
    for (Slot& slot : slots_) {
        if (slot.index != index) continue;
        ++next_;
        Arrival arrival{.index = index, .name = slot.name, .hash = slot.hash, .at = at};
        if (id) {
            arrival.value = *id;
        } else if (slot.end && slot.end->value) {
            arrival.value = *std::move(slot.end->value);
        } else if (slot.end) {
            arrival.result = StepResult::error;
            arrival.value = step_error(*slot.end, slot.failed);
        }
        arrivals_.push_back(std::move(arrival));
        return;
    }
    HF_ASSERT(false, "only a submitted slot is confirmed");
}

void Execution::end_step(std::uint64_t index, StepEnd end) {
    for (Slot& slot : slots_) {
        // While unwinding there is one slot, and a cancellation may have changed its index.
        if (slot.index != index && phase_ != Phase::unwinding) continue;
        slot.state = Slot::State::held;
        slot.end = std::move(end);
        return;
    }
}

void Execution::renew(Renewal renewal) { renewal_ = std::move(renewal); }

std::vector<Command> Execution::advance() {
    std::vector<Command> commands;
    if (phase_ == Phase::fresh) {
        if (arrivals_.empty()) return commands;
        start();
    }
    for (bool assumes = true; assumes;) {
        while (run_once()) {
        }
        if (diverged_) {
            if (!std::exchange(divergence_reported_, true)) commands.emplace_back(*diverged_);
            return commands;
        }
        apply_renewal();
        const bool assumed_before = assumed_.has_value();
        issue(commands);
        assumes = assumed_ && !assumed_before;
    }
    return commands;
}

bool Execution::run_once() {
    run_frames();
    if (diverged_) return false;
    switch (phase_) {
        case Phase::fresh: return false;
        case Phase::running:
            if (body_->handle().done()) {
                leave_body();
                return true;
            }
            if (!settle()) return false;
            scheduled_ = std::exchange(parked_, {});
            return true;
        case Phase::unwinding:
            if (awaited_ == 0) return unwind();
            if (!settle()) return false;
            note_undone();
            return true;
        case Phase::ending: return settle_end();
    }
    return false;
}

void Execution::start() {
    Arrival first = std::move(arrivals_.front());
    arrivals_.pop_front();
    now_ = first.at;
    phase_ = Phase::running;
    const Inside inside(inside_);
    try {
        body_ = code_.begin(context_, first.json());
        body_->frame().host = this;
        scheduled_ = body_->handle();
    } catch (...) {
        failure_ = std::current_exception();
        phase_ = Phase::ending;
    }
}

// A trampoline: nested flows do not grow the stack.
void Execution::run_frames() {
    if (!scheduled_) return;
    const Inside inside(inside_);
    while (scheduled_ && !diverged_) std::exchange(scheduled_, {}).resume();
}

void Execution::leave_body() {
    failure_ = body_->frame().error;
    try {
        if (!failure_) result_ = body_->result();
    } catch (...) {
        failure_ = std::current_exception();
    }
    if (cancelled_ && !failure_) failure_ = std::make_exception_ptr(Cancelled());
    body_.reset();
    calls_.clear();
    phase_ = failure_ ? Phase::unwinding : Phase::ending;
}

// Starts the next undo, or proceeds to the end of the flow.
bool Execution::unwind() {
    if (undos_.empty()) {
        phase_ = Phase::ending;
        return true;
    }
    Undo undo = std::move(undos_.back());
    undos_.pop_back();
    ++undone_;
    begin(put(StepCall{.name = undo.name,
                       .input = nullptr,
                       .function = std::move(undo.function),
                       .options = undo.options}));
    if (awaited_ == 0) note_undone();
    return !diverged_;
}

// A failed undo does not prevent the others.
void Execution::note_undone() {
    const CallId call = last_call_;
    const std::string name = std::get<StepCall>(calls_.at(call).spec).name;
    try {
        take(call);
    } catch (const StepFailed& error) {
        if (undo_failures_.is_null()) undo_failures_ = boost::json::array();
        boost::json::object failed{{"name", name}};
        failed["message"] = error.last().message;
        undo_failures_.get_array().push_back(std::move(failed));
    }
}

// An entry at the index of the flow's end: only a cancellation is valid.
bool Execution::settle_end() {
    if (arrivals_.empty()) return false;
    const Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    if (!is_cancellation(arrival)) {
        diverge(arrival.index, "the end of the flow", describe(arrival));
        return false;
    }
    cancelled_ = true;
    end_submitted_ = false;
    ++place_;
    if (!failure_) failure_ = std::make_exception_ptr(Cancelled());
    phase_ = Phase::unwinding;
    return true;
}

void Execution::diverge(std::uint64_t index, std::string expected, std::string found) {
    diverged_ = Diverged{index, std::move(expected), std::move(found)};
}

bool Execution::is_busy() const {
    for (const Slot& slot : slots_)
        if (slot.state == Slot::State::running) return true;
    return false;
}

void Execution::abandon() {
    for (Slot& slot : slots_) slot.state = Slot::State::ready;
}

void Execution::expect_inside() const {
    if (!inside_)
        throw Misuse("flow '" + code_.name +
                     "': its context was used inside a step. A step is ordinary code: pass it what "
                     "it needs by capture or as an input");
}

void Execution::set_undo(CallId step, StepFunction undo) {
    const auto found = calls_.find(step);
    if (found == calls_.end()) throw awaited_twice(code_.name);
    auto& call = std::get<StepCall>(found->second.spec);
    call.undo = Undo{call.name, std::move(undo), call.options};
}

bool Execution::begin(CallId call) {
    for (const CallId old : std::exchange(leftovers_, {}))
        if (const auto found = calls_.find(old); found != calls_.end() && !is_alive(found->second))
            calls_.erase(found);
    if (const auto found = calls_.find(call); found == calls_.end() || found->second.taken)
        return true;  // take() throws
    awaited_ = call;
    began_ = now_;
    lay_out(call);
    return settle();
}

Json Execution::take(CallId call) {
    const auto found = calls_.find(call);
    if (found == calls_.end() || std::exchange(found->second.taken, true))
        throw awaited_twice(code_.name);
    if (found->second.error) std::rethrow_exception(found->second.error);
    return std::exchange(found->second.value, {}).value_or(nullptr);
}

const std::vector<CallId>& Execution::members(CallId group) const {
    const auto found = calls_.find(group);
    if (found == calls_.end()) throw awaited_twice(code_.name);
    if (found->second.error) std::rethrow_exception(found->second.error);
    return std::get<GroupCall>(found->second.spec).members;
}

std::size_t Execution::winner(CallId group) const {
    const auto found = calls_.find(group);
    if (found == calls_.end()) throw awaited_twice(code_.name);
    if (found->second.error) std::rethrow_exception(found->second.error);
    return found->second.winner;
}

std::string Execution::where(CallId call) const {
    const auto found = calls_.find(call);
    return "flow '" + code_.name + "', " +
           (found == calls_.end() ? "step" : describe(found->second.spec));
}

Moment Execution::now() const {
    expect_inside();
    return now_;
}

std::uint64_t Execution::random() {
    expect_inside();
    return mix(seed_of(identity_) ^ mix(++randoms_));
}

void Execution::log(std::string_view text) {
    if (log_ && !is_replaying()) log_(text);
}

}  // namespace holdfast::flow
