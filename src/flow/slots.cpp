#include <set>

#include "base/assert.h"
#include "flow/execution.h"
#include "flow/failure.h"
#include "flow/wording.h"

namespace holdfast::flow {
namespace {

bool has_begin(const Call& call) {
    if (std::holds_alternative<ChildCall>(call.spec) || std::holds_alternative<TaskCall>(call.spec))
        return !call.begun;
    return std::holds_alternative<StepCall>(call.spec) ||
           std::holds_alternative<SendCall>(call.spec) ||
           std::holds_alternative<SetStateCall>(call.spec) ||
           std::holds_alternative<ReadStateCall>(call.spec) ||
           std::holds_alternative<RollbackCall>(call.spec) ||
           std::holds_alternative<ContinueCall>(call.spec);
}

bool has_wait(const Call& call) {
    if (const auto* child = std::get_if<ChildCall>(&call.spec)) return !child->detached;
    return std::holds_alternative<EventCall>(call.spec) ||
           std::holds_alternative<SleepCall>(call.spec) ||
           std::holds_alternative<WorkflowCall>(call.spec) ||
           std::holds_alternative<TaskCall>(call.spec);
}

// With its name in the journal.
Undo named_undo(Undo& undo) {
    return {"undo " + undo.name, std::move(undo.function), undo.options};
}

std::string text_of(const Json& value, std::string_view member) {
    const auto* object = value.if_object();
    const auto* found = object ? object->if_contains(member) : nullptr;
    return found && found->is_string() ? std::string(found->get_string()) : std::string();
}

// The id of a started child or task: a string, or a member of the recorded object.
std::string begun_id(const Json& value) {
    if (value.is_string()) return std::string(value.get_string());
    for (const std::string_view member : {"child", "task", "id"})
        if (std::string id = text_of(value, member); !id.empty()) return id;
    return {};
}

// {workflow, status, result}
void take_end(Call& call, const Json& end) {
    const std::string status = text_of(end, "status");
    const auto* object = end.if_object();
    const auto* result = object ? object->if_contains("result") : nullptr;
    Json value = result ? *result : Json(nullptr);
    if (status == "succeeded")
        call.value = std::move(value);
    else
        call.error = std::make_exception_ptr(
            WorkflowFailed(text_of(end, "workflow"), status, std::move(value)));
}

// {outcome, outputs, error}
void take_task(Call& call, const std::string& name, const Json& end) {
    const auto* object = end.if_object();
    const auto member = [&](std::string_view key) {
        const auto* found = object ? object->if_contains(key) : nullptr;
        return found ? *found : Json(nullptr);
    };
    if (text_of(end, "outcome") == "completed")
        call.value = member("outputs");
    else
        call.error = std::make_exception_ptr(TaskFailed(name, member("error")));
}

}  // namespace

void Execution::lay_out(CallId call) {
    slots_.clear();
    settled_ = 0;
    Call& awaited = calls_.at(call);
    if (std::holds_alternative<GroupCall>(awaited.spec)) return lay_out_group(call);
    if (const auto* next = std::get_if<ContinueCall>(&awaited.spec)) try {
            code_.check(next->arguments);
        } catch (...) {
            awaited.error = std::current_exception();
            return;
        }
    if (has_begin(awaited)) add_begin(call);
    if (has_wait(awaited)) add_wait(call, call);
}

void Execution::lay_out_group(CallId call) {
    Call& awaited = calls_.at(call);
    const GroupCall& group = std::get<GroupCall>(awaited.spec);
    const bool race = group.rule == GroupCall::Rule::any;
    std::set<CallId> seen;
    const auto is_usable = [&](CallId member) {
        const auto found = calls_.find(member);
        return found != calls_.end() && !found->second.taken && seen.insert(member).second;
    };
    for (const CallId member : group.members)
        if (!is_usable(member))
            awaited.error = std::make_exception_ptr(
                Misuse("flow '" + code_.name + "', ctx." + describe(awaited.spec) +
                       ": a call is in it twice or was awaited before. Call the context again for "
                       "each"));
    if (race && group.members.empty())
        awaited.error = std::make_exception_ptr(
            Misuse("flow '" + code_.name + "', ctx.any: the list of calls is empty"));
    if (awaited.error) return;
    for (const CallId member : group.members)
        if (has_begin(calls_.at(member))) add_begin(member);
    if (race) return add_wait(call, group.members.front());
    for (const CallId member : group.members)
        if (has_wait(calls_.at(member))) add_wait(member, member);
}

void Execution::add_begin(CallId id) {
    Call& call = calls_.at(id);
    if (auto* rollback = std::get_if<RollbackCall>(&call.spec); rollback && rollback_marked_) {
        undos_.push_back(named_undo(rollback->undo));
        return;
    }
    std::string name = journal_name(call.spec);
    if (phase_ == Phase::unwinding && !name.starts_with("undo ")) name = "undo " + name;
    slots_.push_back({.index = place_++,
                      .call = id,
                      .part = Slot::Part::begin,
                      .name = std::move(name),
                      .hash = input_hash(call.spec)});
}

// `member` names the slot if the wait is refused.
void Execution::add_wait(CallId id, CallId member) {
    slots_.push_back({.index = place_++,
                      .call = id,
                      .part = Slot::Part::wait,
                      .name = journal_name(calls_.at(member).spec),
                      .hash = input_hash(calls_.at(member).spec)});
}

bool Execution::settle() {
    while (!diverged_ && !aborting_ && settled_ < slots_.size() && !arrivals_.empty()) {
        Arrival arrival = std::move(arrivals_.front());
        arrivals_.pop_front();
        settle_one(std::move(arrival));
    }
    if (diverged_) return false;
    if (aborting_ && !drain_cancelled()) return false;
    if (settled_ < slots_.size() || is_busy()) return false;
    complete();
    return true;
}

void Execution::complete() {
    const CallId call = std::exchange(awaited_, 0);
    leftovers_ = {call};
    if (const auto* group = std::get_if<GroupCall>(&calls_.at(call).spec))
        leftovers_.insert(leftovers_.end(), group->members.begin(), group->members.end());
    slots_.clear();
    settled_ = 0;
}

void Execution::settle_one(Arrival arrival) {
    Slot& slot = slots_[settled_];
    HF_ASSERT(arrival.index == slot.index, "a flow reads its journal in order");
    now_ = arrival.at;
    if (is_cancellation(arrival)) return settle_cancelled();
    if (slot.part == Slot::Part::wait)
        settle_wait(slot, arrival);
    else
        settle_begin(slot, arrival);
}

void Execution::settle_cancelled() {
    cancelled_ = true;
    Slot& slot = slots_[settled_];
    if (phase_ != Phase::unwinding) {
        aborting_ = true;
        ++settled_;
        return;
    }
    // Already unwinding: the cancellation takes this index, so the undo moves to the next.
    ++slot.index;
    ++place_;
    if (slot.state == Slot::State::submitted)
        slot.state = slot.end ? Slot::State::held : Slot::State::ready;
}

// Operations submitted after the cancelled slot may still have been accepted, and functions may
// still run. Cancelled is thrown into the flow once they are settled.
bool Execution::drain_cancelled() {
    while (!arrivals_.empty() && settled_ < slots_.size() &&
           is_arrival_of(slots_[settled_], arrivals_.front())) {
        Arrival arrival = std::move(arrivals_.front());
        arrivals_.pop_front();
        settle_one(std::move(arrival));
    }
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        const Slot& slot = slots_[i];
        if (slot.state == Slot::State::running) return false;
        if (i >= settled_ && slot.state == Slot::State::submitted) return false;
    }
    if (settled_ < slots_.size()) place_ = slots_[settled_].index;
    slots_.resize(settled_);
    calls_.at(awaited_).error = std::make_exception_ptr(Cancelled());
    aborting_ = false;
    return true;
}

bool Execution::is_arrival_of(const Slot& slot, const Arrival& arrival) const {
    return slot.part == Slot::Part::begin && !arrival.winner && arrival.name == slot.name &&
           arrival.hash == slot.hash;
}

void Execution::settle_begin(Slot& slot, Arrival& arrival) {
    Call& call = calls_.at(slot.call);
    if (!is_arrival_of(slot, arrival)) {
        const bool same = !arrival.winner && arrival.name == slot.name;
        return diverge(slot.index, describe(call.spec) + (same ? " with another input" : ""),
                       describe(arrival));
    }
    ++settled_;
    if (slot.state != Slot::State::running) slot.state = Slot::State::submitted;
    const Json& value = arrival.json();
    if (arrival.result == StepResult::error) return fail_begin(call, slot, value);
    if (auto* step = std::get_if<StepCall>(&call.spec); step && step->undo) {
        rollback_marked_ = true;
        undos_.push_back(named_undo(*step->undo));
    }
    if (auto* rollback = std::get_if<RollbackCall>(&call.spec)) {
        rollback_marked_ = true;
        undos_.push_back(named_undo(rollback->undo));
    }
    if (has_wait(call))
        call.begun = begun_id(value);
    else
        call.value = std::holds_alternative<ChildCall>(call.spec) ? Json(begun_id(value)) : value;
}

// A call that was not started is not waited for, and ends a race that contains it.
void Execution::fail_begin(Call& call, const Slot& slot, const Json& error) {
    if (std::holds_alternative<StepCall>(call.spec)) {
        call.error = std::make_exception_ptr(step_failed(slot.name, error));
        return;
    }
    call.error =
        std::make_exception_ptr(Misuse("flow '" + code_.name + "', " + describe(call.spec) + ": " +
                                       step_failed(slot.name, error).last().message));
    Call& awaited = calls_.at(awaited_);
    const auto* group = std::get_if<GroupCall>(&awaited.spec);
    const bool race = group && group->rule == GroupCall::Rule::any;
    if (race) awaited.error = call.error;
    const CallId waiter = race ? awaited_ : slot.call;
    for (std::size_t i = settled_; i < slots_.size(); ++i) {
        if (slots_[i].part != Slot::Part::wait || slots_[i].call != waiter) continue;
        slots_.erase(slots_.begin() + static_cast<std::ptrdiff_t>(i));
        --place_;
        for (; i < slots_.size(); ++i) --slots_[i].index;
    }
}

std::vector<CallId> Execution::contenders(CallId call) const {
    if (const auto* group = std::get_if<GroupCall>(&calls_.at(call).spec)) return group->members;
    return {call};
}

void Execution::settle_wait(Slot& slot, Arrival& arrival) {
    Call& waiter = calls_.at(slot.call);
    const bool refused = !arrival.winner && arrival.result == StepResult::error &&
                         arrival.name == slot.name && arrival.hash == slot.hash;
    if (refused) {
        ++settled_;
        waiter.error =
            std::make_exception_ptr(Misuse("flow '" + code_.name + "', " + slot.name + ": " +
                                           step_failed(slot.name, arrival.json()).last().message));
        return;
    }
    const std::vector<CallId> members = contenders(slot.call);
    for (std::size_t i = 0; arrival.winner && i < members.size(); ++i) {
        if (!win(members[i], members, arrival)) continue;
        ++settled_;
        waiter.winner = i;
        return;
    }
    diverge(slot.index, describe_contenders(slot.call), describe(arrival));
}

std::string Execution::describe_contenders(CallId call) const {
    std::string text;
    for (const CallId member : contenders(call))
        text += (text.empty() ? "" : " or ") + describe(calls_.at(member).spec);
    return text;
}

std::string Execution::describe_next() const {
    if (settled_ == slots_.size()) return "the end of the flow";
    return describe_contenders(slots_[settled_].call);
}

// Whether the entry ends this call's wait; if so, sets its result.
bool Execution::win(CallId member, const std::vector<CallId>& among, Arrival& arrival) {
    Call& call = calls_.at(member);
    const Winner& winner = *arrival.winner;
    switch (winner.type) {
        case WinnerType::event:
            if (const auto* event = std::get_if<EventCall>(&call.spec)) {
                if (event->name != winner.name) return false;
                call.value = arrival.json();
                return true;
            }
            if (const auto* task = std::get_if<TaskCall>(&call.spec)) {
                if (!call.begun || task_event(*call.begun) != winner.name) return false;
                take_task(call, task->request.name, arrival.json());
                return true;
            }
            return false;
        case WinnerType::timer: {
            const auto* sleep = std::get_if<SleepCall>(&call.spec);
            if (!sleep || due_of(*sleep) != earliest(among)) return false;
            call.value = nullptr;
            return true;
        }
        case WinnerType::workflow: {
            const auto* workflow = std::get_if<WorkflowCall>(&call.spec);
            const std::string id = workflow ? workflow->id : call.begun.value_or("");
            if (id != winner.name) return false;
            take_end(call, arrival.json());
            return true;
        }
        case WinnerType::cancelled: return false;
    }
    return false;
}

Moment Execution::due_of(const SleepCall& call) const {
    return call.time ? began_ + *call.time : call.until;
}

std::optional<Moment> Execution::earliest(const std::vector<CallId>& calls) const {
    std::optional<Moment> first;
    for (const CallId id : calls) {
        const auto* sleep = std::get_if<SleepCall>(&calls_.at(id).spec);
        if (sleep && (!first || due_of(*sleep) < *first)) first = due_of(*sleep);
    }
    return first;
}

}  // namespace holdfast::flow
