// The calls of a flow, as it makes them through its context.
#include "flow/execution.h"
#include "model/event.h"

namespace holdfast::flow {

CallId Execution::step(std::string name, Json input, StepFunction function,
                       const StepOptions& options) {
    return add(StepCall{.name = std::move(name),
                        .input = std::move(input),
                        .function = std::move(function),
                        .options = options});
}

CallId Execution::event(std::string name) { return add(EventCall{std::move(name)}); }

CallId Execution::sleep(std::chrono::microseconds time) { return add(SleepCall{time, {}}); }

CallId Execution::sleep_until(Moment until) { return add(SleepCall{{}, until}); }

CallId Execution::child(std::string flow, Json arguments) {
    return add(ChildCall{std::move(flow), std::move(arguments)});
}

CallId Execution::spawn(std::string flow, Json arguments) {
    return add(ChildCall{std::move(flow), std::move(arguments), true});
}

CallId Execution::workflow(std::string id) { return add(WorkflowCall{std::move(id)}); }

CallId Execution::send(std::string workflow, std::string event, Json value) {
    expect_sendable(event);
    return add(SendCall{std::move(workflow), std::move(event), std::move(value)});
}

CallId Execution::broadcast(std::string event, Json value) {
    expect_sendable(event);
    return add(SendCall{{}, std::move(event), std::move(value)});
}

CallId Execution::set_state(Json patch) { return add(SetStateCall{std::move(patch)}); }

CallId Execution::read_state() { return add(ReadStateCall{}); }

CallId Execution::on_rollback(std::string name, StepFunction undo, const StepOptions& options) {
    return add(RollbackCall{{std::move(name), std::move(undo), options}});
}

CallId Execution::task(TaskRequest request) { return add(TaskCall{std::move(request)}); }

CallId Execution::continue_as(Json arguments) { return add(ContinueCall{std::move(arguments)}); }

CallId Execution::all(std::vector<CallId> members) {
    return add(GroupCall{GroupCall::Rule::all, std::move(members)});
}

CallId Execution::any(std::vector<CallId> members) {
    return add(GroupCall{GroupCall::Rule::any, std::move(members)});
}

CallId Execution::add(CallSpec spec) {
    expect_inside();
    return put(std::move(spec));
}

CallId Execution::put(CallSpec spec) {
    calls_.emplace(++last_call_, Call{.spec = std::move(spec)});
    return last_call_;
}

void Execution::expect_sendable(const std::string& event) const {
    if (is_engine_name(event))
        throw Misuse("flow '" + code_.name + "', event '" + event +
                     "': names that begin with 'task/' belong to the engine");
}

}  // namespace holdfast::flow
