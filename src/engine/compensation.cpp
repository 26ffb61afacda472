// Compensation runs the handlers of completed activities, the last one first, one after the other.
#include "engine/families.h"

namespace holdfast::engine {
namespace {

bool is_event_sub_process_node(const bpmn::FlowNode& node) {
    const bpmn::SubProcess* sub_process = node.sub_process();
    return sub_process && sub_process->kind == bpmn::SubProcess::Kind::event;
}

// The event sub-process inside of a sub-process that compensates it as a whole.
std::optional<bpmn::FlowNodeId> own_compensation(Run& run, const bpmn::FlowNode& node) {
    if (!node.sub_process()) return std::nullopt;
    for (const bpmn::FlowNodeId inner :
         run.process()[node.sub_process()->inside].event_sub_processes) {
        const auto& starts =
            run.process()[run.process()[inner].sub_process()->inside].triggered_starts;
        for (const bpmn::FlowNodeId start : starts) {
            const bpmn::Event* event = run.process()[start].event();
            if (event && !event->triggers.empty() &&
                std::holds_alternative<bpmn::CompensationTrigger>(event->triggers.front()))
                return inner;
        }
    }
    return std::nullopt;
}

// What to compensate in a scope, the last one first; inner scopes in place of their sub-process.
void collect(Run& run, const Around& scope, std::optional<bpmn::FlowNodeId> only, bj::array& todo) {
    std::vector<ActivityInstanceId> ids = run.done_inside(scope);
    std::ranges::reverse(ids);
    for (const ActivityInstanceId& id : ids) {
        const Live& live = *run.find(id);
        if (only && live.node != *only) continue;
        const bpmn::FlowNode& node = run.node_of(live);
        if (node.activity.compensation_handler || own_compensation(run, node))
            todo.emplace_back(to_string(id));
        else
            collect(run, id, std::nullopt, todo);
    }
}

void compensate_one(Run& run, const ActivityInstanceId& thrower, const ActivityInstanceId& id) {
    const Live done = *run.find(id);
    const bpmn::FlowNode& node = run.node_of(done);
    const bj::object memo{{"compensates", to_string(thrower)}, {"record", to_string(id)}};
    if (node.activity.compensation_handler) {
        const bpmn::FlowNodeId handler = *node.activity.compensation_handler;
        if (std::holds_alternative<std::monostate>(run.process()[handler].activity.loop))
            begin_activity(run, handler, done.parent, memo);
        else
            begin_loop(run, handler, done.parent, memo);
        return;
    }
    const bpmn::FlowNodeId inner = *own_compensation(run, node);
    Live& live = run.add(inner, id);
    live.memo = memo;
    live.variables = bj::object{};
    for (const bpmn::FlowNodeId start :
         run.process()[run.process()[inner].sub_process()->inside].triggered_starts)
        run.move(start, live.id);
}

void leave_cancelled(Run& run, const ActivityInstanceId& transaction) {
    Live host = *run.find(transaction);
    if (host.memo.contains("body")) host = *run.find(host.parent);
    run.drop(host.id);
    for (const bpmn::FlowNodeId node : run.node_of(host).activity.boundary_events) {
        const auto& triggers = run.process()[node].event()->triggers;
        if (!triggers.empty() && std::holds_alternative<bpmn::CancelTrigger>(triggers.front()))
            return leave(run, node, host.parent);
    }
}

void finish_thrower(Run& run, const ActivityInstanceId& id) {
    const Live thrower = *run.find(id);
    if (const bj::value* cancelled = thrower.memo.if_contains("cancels"))
        return leave_cancelled(run, *parse_id<ActivityInstanceId>(cancelled->as_string()));
    run.drop(id);
    if (run.node_of(thrower).event()->position == bpmn::Event::Position::intermediate_throw)
        leave(run, thrower.node, thrower.parent);
}

}  // namespace

void begin_compensation(Run& run, Live& thrower, const bpmn::CompensationTrigger& trigger) {
    // An event sub-process compensates the scope that it belongs to.
    Around scope = thrower.parent;
    while (Live* around = run.find(scope)) {
        if (!is_event_sub_process_node(run.node_of(*around))) break;
        scope = around->parent;
    }
    bj::array todo;
    collect(run, scope, trigger.activity, todo);
    thrower.memo["todo"] = std::move(todo);
    continue_compensation(run, thrower.id);
}

void continue_compensation(Run& run, ActivityInstanceId id) {
    Live* thrower = run.find(id);
    if (!thrower) return;
    bj::array& todo = thrower->memo["todo"].as_array();
    if (const bj::value* last = thrower->memo.if_contains("last"))
        if (const auto record = parse_id<ActivityInstanceId>(last->as_string())) run.drop(*record);
    if (todo.empty()) return finish_thrower(run, id);
    const bj::value next = todo.front();
    todo.erase(todo.begin());
    thrower->memo["last"] = next;
    compensate_one(run, id, *parse_id<ActivityInstanceId>(next.as_string()));
}

void cancel_transaction(Run& run, Live& thrower) {
    Around scope = thrower.parent;
    while (Live* around = run.find(scope)) {
        const bpmn::SubProcess* sub_process = run.node_of(*around).sub_process();
        if (sub_process && sub_process->kind == bpmn::SubProcess::Kind::transaction) break;
        scope = around->parent;
    }
    const bpmn::FlowNodeId node = thrower.node;
    run.drop_inside(scope);
    Live& cancels = run.add(node, scope);
    cancels.memo["cancels"] = to_string(*scope);
    bj::array todo;
    collect(run, scope, std::nullopt, todo);
    cancels.memo["todo"] = std::move(todo);
    continue_compensation(run, cancels.id);
}

bool is_worth_keeping(Run& run, const Live& completed) {
    if (completed.memo.contains("compensates")) return false;
    const bpmn::FlowNode& node = run.node_of(completed);
    return node.activity.compensation_handler || own_compensation(run, node) ||
           !run.done_inside(completed.id).empty();
}

}  // namespace holdfast::engine
