// Changes by hand: what an operator does to a process that stands wrong.
#include "engine/families.h"

namespace holdfast::engine {
namespace {

std::optional<std::string> set_variables(Run& run, const modification::SetVariables& step) {
    if (step.activity && !run.find(step.activity)) return "there is no such activity";
    const bj::value values = step.variables.value();
    if (!values.is_object()) return "the variables must be an object";
    run.write_all(step.activity, values.get_object());
    return std::nullopt;
}

// The activity instances whose inside is this scope.
std::vector<ActivityInstanceId> open_scopes(Run& run, bpmn::ScopeId scope) {
    std::vector<ActivityInstanceId> open;
    for (const Live& live : run.lives())
        if (live.role == Live::Role::work && live.node == run.process()[scope].owner)
            open.push_back(live.id);
    return open;
}

std::optional<std::string> enter(Run& run, const modification::Enter& step) {
    const auto node = run.process().find(step.element);
    if (!node) return "there is no element '" + step.element + "'";
    const bpmn::FlowNode& found = run.process()[*node];
    if (found.event() && found.event()->position == bpmn::Event::Position::boundary)
        return "a token cannot enter the boundary event '" + step.element + "'";
    const bool at_top = !run.process()[found.scope].owner.has_value();
    Around around = step.inside;
    if (!at_top && !around) {
        const auto open = open_scopes(run, found.scope);
        if (open.size() != 1)
            return "name the activity that '" + step.element +
                   "' is entered in: " + std::to_string(open.size()) + " are open";
        around = open.front();
    }
    const Live* owner = run.find(around);
    if (at_top ? around.has_value() : !owner || owner->node != run.process()[found.scope].owner)
        return "'" + step.element + "' is not inside of that activity";
    run.move(*node, around);
    return std::nullopt;
}

std::optional<std::string> end(Run& run, const modification::End& step) {
    const Live* live = run.find(step.activity);
    if (!live || live->role == Live::Role::done) return "there is no such activity";
    run.drop(step.activity);
    if (!run.has_trouble()) run.reaction().settles_incident = true;
    return std::nullopt;
}

// The wait of an activity. Null: it waits for nothing that could come from outside.
const Waiting* wait_of(Run& run, const ActivityInstanceId& activity) {
    for (const Waiting& waiting : run.instance().waits)
        if (waiting.owner == activity) return &waiting;
    return nullptr;
}

std::optional<std::string> trigger_by_hand(Run& run, const modification::Trigger& step) {
    Live* live = run.find(step.activity);
    const Waiting* waiting = live ? wait_of(run, step.activity) : nullptr;
    const bpmn::Task* task = live ? run.node_of(*live).task() : nullptr;
    const bool receives = task && task->kind == bpmn::Task::Kind::receive;
    if (!waiting || live->role == Live::Role::stuck || (!receives && !run.node_of(*live).event()))
        return "there is no event or receive task that waits";
    run.end_wait(waiting->token);
    if (receives)
        resume_receive_task(run, *live, step.value.value());
    else
        trigger(run, *live, waiting->token, step.value.value());
    return std::nullopt;
}

std::optional<std::string> retry_by_hand(Run& run, const modification::Retry& step) {
    std::vector<ActivityInstanceId> waiting;
    for (const Live& live : run.lives())
        if ((live.role == Live::Role::stuck || live.memo.contains("held")) &&
            (!step.activity || live.id == *step.activity))
            waiting.push_back(live.id);
    if (waiting.empty()) return "nothing waits for a retry";
    for (const ActivityInstanceId& id : waiting)
        if (Live* live = run.find(id)) retry(run, *live);
    return std::nullopt;
}

}  // namespace

std::optional<std::string> modify(Run& run, const Modification& step) {
    if (const auto* set = std::get_if<modification::SetVariables>(&step))
        return set_variables(run, *set);
    if (const auto* entered = std::get_if<modification::Enter>(&step)) return enter(run, *entered);
    if (const auto* triggered = std::get_if<modification::Trigger>(&step))
        return trigger_by_hand(run, *triggered);
    if (const auto* retried = std::get_if<modification::Retry>(&step))
        return retry_by_hand(run, *retried);
    return end(run, std::get<modification::End>(step));
}

}  // namespace holdfast::engine
