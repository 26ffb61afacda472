#include <algorithm>
#include <cmath>

#include "flow/execution.h"
#include "flow/failure.h"
#include "flow/wording.h"

namespace holdfast::flow {
namespace {

const StepOptions default_options;

const StepOptions& options_of(const Call& call) {
    const auto* step = std::get_if<StepCall>(&call.spec);
    return step ? step->options : default_options;
}

// Between 1 - jitter and 1 + jitter, the same for the same key and attempt.
double spread(const std::string& key, std::size_t attempt, double jitter) {
    const Digest digest = sha256(key + "#" + std::to_string(attempt));
    const double unit = (digest.bytes[0] * 256.0 + digest.bytes[1]) / 65'535.0;
    return 1 + jitter * (2 * unit - 1);
}

std::chrono::microseconds pause_before(const RetryPolicy& policy, std::size_t failed,
                                       const std::string& key) {
    const auto first = static_cast<double>(policy.pause.count());
    const auto longest = static_cast<double>(policy.longest.count());
    const double pause = first * std::pow(policy.factor, static_cast<double>(failed) - 1);
    const double jittered = std::min(pause, longest) * spread(key, failed, policy.jitter);
    return std::chrono::microseconds(std::max<std::int64_t>(0, std::llround(jittered)));
}

StepEnd process_died(std::size_t times) {
    return {.error = {"ProcessDied", "the process died " + std::to_string(times) +
                                         (times == 1 ? " time" : " times") + " while the step ran"},
            .retryable = false};
}

StepEnd misuse(std::string why) {
    return {.error = {"Misuse", std::move(why)}, .retryable = false};
}

TaskSpec spec_of(const TaskRequest& request) {
    return {.name = request.name,
            .queue = request.queue,
            .assignee = request.assignee,
            .candidate_users = request.candidates,
            .candidate_groups = request.roles,
            .payload = Document::of(request.payload),
            .expected_outputs = request.outputs,
            .due_at = request.due,
            .priority = request.priority};
}

}  // namespace

void Execution::apply_renewal() {
    if (!renewal_) return;
    const Renewal renewal = *std::exchange(renewal_, std::nullopt);
    end_submitted_ = false;
    assumed_submitted_ = false;
    for (std::size_t i = settled_; i < slots_.size(); ++i) {
        Slot& slot = slots_[i];
        if (slot.state == Slot::State::put_off) slot.state = Slot::State::ready;
        if (slot.state == Slot::State::submitted)
            slot.state = slot.end ? Slot::State::held : Slot::State::ready;
    }
    if (settled_ == slots_.size()) return;
    Slot& first = slots_[settled_];
    if (renewal.index == first.index && renewal.failed.size() > first.failed.size())
        first.failed = renewal.failed;
    if (first.state == Slot::State::ready && renewal.lost) first.lost = *renewal.lost;
}

void Execution::issue(std::vector<Command>& commands) {
    if (aborting_ || assumption_failed_) return;
    if (assumed_ && !std::exchange(assumed_submitted_, true)) commands.emplace_back(*assumed_);
    if (phase_ == Phase::ending) return issue_end(commands);
    bool in_turn = true;  // all earlier slots are recorded or submitted
    for (std::size_t i = settled_; i < slots_.size(); ++i) {
        Slot& slot = slots_[i];
        if (slot.part == Slot::Part::wait) {
            if (i == settled_ && slot.state == Slot::State::ready) issue_wait(slot, commands);
            if (i == settled_ && slot.state == Slot::State::held) submit(slot, commands);
            return;
        }
        if (assumed_ && slot.state == Slot::State::ready && has_effect(slot)) return;
        if (slot.state == Slot::State::ready) run(slot, commands);
        if (in_turn && (slot.state == Slot::State::ready || slot.state == Slot::State::held))
            submit(slot, commands);
        in_turn = in_turn && slot.state == Slot::State::submitted;
    }
}

bool Execution::has_effect(const Slot& slot) const {
    const CallSpec& spec = calls_.at(slot.call).spec;
    return std::holds_alternative<StepCall>(spec) || std::holds_alternative<SendCall>(spec) ||
           std::holds_alternative<ReadStateCall>(spec);
}

// Steps and effects run before they are recorded.
void Execution::run(Slot& slot, std::vector<Command>& commands) {
    Call& call = calls_.at(slot.call);
    if (auto* step = std::get_if<StepCall>(&call.spec)) {
        const std::size_t before = slot.failed.size() + slot.lost;
        if (slot.lost > 0 && before >= static_cast<std::size_t>(step->options.retry.attempts)) {
            slot.end = process_died(slot.lost);
            slot.state = Slot::State::held;
            return;
        }
        slot.state = Slot::State::running;
        commands.emplace_back(RunStep{.index = slot.index,
                                      .function = &step->function,
                                      .options = step->options,
                                      .attempt = {.idempotency_key = idempotency_key(slot),
                                                  .number = static_cast<int>(before) + 1,
                                                  .stop = {}}});
    } else if (const auto* send = std::get_if<SendCall>(&call.spec)) {
        slot.state = Slot::State::running;
        commands.emplace_back(SendEvent{slot.index, send->target, send->name, send->value});
    } else if (std::holds_alternative<ReadStateCall>(call.spec)) {
        slot.state = Slot::State::running;
        commands.emplace_back(ReadState{slot.index});
    }
}

void Execution::submit(Slot& slot, std::vector<Command>& commands) {
    if (slot.state == Slot::State::held) return submit_end(slot, commands);
    slot.state = Slot::State::submitted;
    Call& call = calls_.at(slot.call);
    if (const auto* child = std::get_if<ChildCall>(&call.spec)) {
        commands.emplace_back(op::StartChild{.run = {.index = slot.index},
                                             .step_name = slot.name,
                                             .input_hash = slot.hash,
                                             .definition = child->flow,
                                             .arguments = Document::of(child->arguments),
                                             .detached = child->detached});
    } else if (const auto* state = std::get_if<SetStateCall>(&call.spec)) {
        commands.emplace_back(op::SetState{.run = {.index = slot.index},
                                           .step_name = slot.name,
                                           .input_hash = slot.hash,
                                           .patch = Document::of(state->patch)});
    } else if (const auto* task = std::get_if<TaskCall>(&call.spec)) {
        commands.emplace_back(op::CreateTask{.run = {.index = slot.index},
                                             .step_name = slot.name,
                                             .input_hash = slot.hash,
                                             .spec = spec_of(task->request)});
    } else if (const auto* next = std::get_if<ContinueCall>(&call.spec)) {
        commands.emplace_back(op::ContinueAs{.run = {.index = slot.index},
                                             .arguments = Document::of(next->arguments)});
    } else {
        commands.emplace_back(op::RecordStep{.run = {.index = slot.index},
                                             .step_name = slot.name,
                                             .input_hash = slot.hash,
                                             .value = Document::of(nullptr),
                                             .rollback = true});
    }
}

bool Execution::gives_up(const Slot& slot) const {
    const StepOptions& options = options_of(calls_.at(slot.call));
    const std::size_t attempts = slot.failed.size() + slot.lost + 1;
    return !slot.end->retryable || attempts >= static_cast<std::size_t>(options.retry.attempts);
}

void Execution::submit_end(Slot& slot, std::vector<Command>& commands) {
    const Call& call = calls_.at(slot.call);
    const auto* step = std::get_if<StepCall>(&call.spec);
    if (slot.end->value) {
        record(slot,
               {.run = {.index = slot.index},
                .step_name = slot.name,
                .input_hash = slot.hash,
                .value = Document::of(*slot.end->value),
                .rollback = step && step->undo},
               commands);
    } else if (gives_up(slot)) {
        record(slot,
               {.run = {.index = slot.index},
                .step_name = slot.name,
                .input_hash = slot.hash,
                .result = StepResult::error,
                .value = Document::of(step_error(*slot.end, slot.failed))},
               commands);
    } else {
        const Document error = Document::of(to_json(slot.end->error));
        slot.failed.push_back(std::exchange(slot.end, std::nullopt)->error);
        slot.state = Slot::State::put_off;
        commands.emplace_back(op::PutOff{
            .run = {.index = slot.index},
            .error = error,
            .pause =
                pause_before(options_of(call).retry, slot.failed.size(), idempotency_key(slot))});
    }
}

// Assumes the record of a step as accepted if the flow waits for this step only.
void Execution::record(Slot& slot, op::RecordStep record, std::vector<Command>& commands) {
    slot.state = Slot::State::submitted;
    if (!slot.end->at || slots_.size() != 1 || phase_ != Phase::running || cancelled_) {
        commands.emplace_back(std::move(record));
        return;
    }
    record.at = std::max(*slot.end->at, now_);
    arrivals_.push_back({.index = record.run.index,
                         .name = record.step_name,
                         .hash = record.input_hash,
                         .result = record.result,
                         .at = *record.at,
                         .value = slot.end->value ? *std::move(slot.end->value)
                                                  : step_error(*slot.end, slot.failed)});
    ++next_;
    assumed_ = record;
    assumed_submitted_ = true;
    commands.emplace_back(std::move(record));
}

void Execution::issue_wait(Slot& slot, std::vector<Command>& commands) {
    op::Suspend suspend{.run = {.index = slot.index}};
    const std::vector<CallId> members = contenders(slot.call);
    std::size_t sleeps = 0;
    for (const CallId member : members) {
        const Call& call = calls_.at(member);
        if (const auto* event = std::get_if<EventCall>(&call.spec)) {
            suspend.wait.names.emplace_back(event->name);
        } else if (std::holds_alternative<TaskCall>(call.spec)) {
            suspend.wait.names.emplace_back(task_event(*call.begun));
        } else if (const auto* sleep = std::get_if<SleepCall>(&call.spec)) {
            // If nothing else began before, the store counts from its commit.
            if (++sleeps == 1 && sleep->time && slots_.size() == 1) suspend.after = sleep->time;
        } else {
            const auto* workflow = std::get_if<WorkflowCall>(&call.spec);
            const std::string& id = workflow ? workflow->id : *call.begun;
            if (const auto parsed = parse_id<InstanceId>(id)) {
                suspend.wait.workflows.push_back(*parsed);
            } else {
                slot.end = misuse("'" + id + "' is not a workflow id");
                slot.state = Slot::State::held;
                return;
            }
        }
    }
    if (sleeps != 1) suspend.after.reset();
    if (sleeps > 0 && !suspend.after) suspend.wait.until = earliest(members);
    slot.state = Slot::State::submitted;
    commands.emplace_back(std::move(suspend));
}

void Execution::issue_end(std::vector<Command>& commands) {
    if (std::exchange(end_submitted_, true)) return;
    if (!failure_) {
        commands.emplace_back(
            op::Finish{.run = {.index = place_}, .result = Document::of(result_)});
        return;
    }
    FlowError error = describe_flow_error(failure_);
    if (!undo_failures_.is_null()) error.details["undoFailures"] = undo_failures_;
    commands.emplace_back(op::Fail{.run = {.index = place_},
                                   .code = cancelled_ ? "cancelled" : error.code,
                                   .error = Document::of(error.details),
                                   .cancelled = cancelled_});
}

std::string Execution::idempotency_key(const Slot& slot) const {
    const std::string run = id_ + "/" + std::to_string(identity_.run) + "/";
    if (phase_ == Phase::unwinding) return run + "undo/" + std::to_string(undone_);
    return run + std::to_string(slot.index);
}

}  // namespace holdfast::flow
