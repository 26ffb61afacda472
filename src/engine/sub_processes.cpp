#include "engine/families.h"

namespace holdfast::engine {
namespace {

using SubProcessKind = bpmn::SubProcess::Kind;

bool is_listening_start(const bpmn::Process& process, bpmn::FlowNodeId start) {
    const bpmn::Event* event = process[start].event();
    if (!event || event->triggers.empty()) return false;
    const bpmn::Trigger& first = event->triggers.front();
    return !std::holds_alternative<bpmn::ErrorTrigger>(first) &&
           !std::holds_alternative<bpmn::EscalationTrigger>(first) &&
           !std::holds_alternative<bpmn::CompensationTrigger>(first);
}

std::set<std::string> chosen_elements(Run& run, const Live& live) {
    std::set<std::string> chosen;
    const auto value =
        run.evaluate_json(*run.node_of(live).sub_process()->active_elements, live.id);
    if (value && value->is_array())
        for (const bj::value& id : value->get_array())
            if (id.is_string()) chosen.emplace(id.get_string());
    return chosen;
}

// What begins, in order; ad-hoc: what has no incoming flow, or what the model chooses.
std::vector<bpmn::FlowNodeId> ad_hoc_entries(Run& run, const Live& live) {
    const bpmn::SubProcess& ad_hoc = *run.node_of(live).sub_process();
    const auto chosen =
        ad_hoc.active_elements ? chosen_elements(run, live) : std::set<std::string>{};
    std::vector<bpmn::FlowNodeId> entries;
    for (const bpmn::FlowNodeId id : run.process()[ad_hoc.inside].nodes) {
        const bpmn::FlowNode& node = run.process()[id];
        const bpmn::Event* event = node.event();
        if (event && event->position == bpmn::Event::Position::boundary) continue;
        if (node.activity.for_compensation) continue;
        if (const auto* inner = node.sub_process(); inner && inner->kind == SubProcessKind::event)
            continue;
        if (ad_hoc.active_elements ? chosen.contains(node.id) : node.incoming.empty())
            entries.push_back(id);
    }
    return entries;
}

void begin_ad_hoc(Run& run, Live& live) {
    bj::array later;
    for (const bpmn::FlowNodeId node : ad_hoc_entries(run, live)) {
        if (!run.node_of(live).sub_process()->sequential || !run.has_moves_in(live.id))
            run.move(node, live.id);
        else
            later.emplace_back(run.process()[node].id);
    }
    if (!later.empty()) live.memo["later"] = std::move(later);
}

// The next activity of a sequential ad-hoc sub-process; false: there is none.
bool begin_next(Run& run, Live& live) {
    bj::value* later = live.memo.if_contains("later");
    if (!later || later->as_array().empty()) return false;
    const auto node = run.process().find(later->as_array().front().as_string());
    later->as_array().erase(later->as_array().begin());
    run.move(*node, live.id);
    return true;
}

// Nothing in it is active but listeners.
bool is_over(Run& run, const Around& scope) {
    return std::ranges::none_of(run.lives(), [&](const Live& live) {
        return live.parent == scope && live.role != Live::Role::listener &&
               live.role != Live::Role::done;
    });
}

}  // namespace

std::vector<bpmn::FlowNodeId> listening_starts(const bpmn::Process& process, bpmn::ScopeId scope) {
    std::vector<bpmn::FlowNodeId> starts;
    for (const bpmn::FlowNodeId node : process[scope].event_sub_processes)
        for (const bpmn::FlowNodeId start :
             process[process[node].sub_process()->inside].triggered_starts)
            if (is_listening_start(process, start)) starts.push_back(start);
    return starts;
}

void arm_event_sub_processes(Run& run, const Around& owner, bpmn::ScopeId scope) {
    for (const bpmn::FlowNodeId start : listening_starts(run.process(), scope))
        arm(run, run.add(start, owner, Live::Role::listener));
}

void declare_variables(Run& run, Live& live) {
    if (!live.variables) live.variables = bj::object{};
    const bpmn::ScopeId inside = run.node_of(live).sub_process()->inside;
    for (const bpmn::Variable& variable : run.process()[inside].variables)
        if (!variable.name.empty() && !live.variables->contains(variable.name))
            (*live.variables)[variable.name] = nullptr;
}

void open_scope(Run& run, const Around& owner, bpmn::ScopeId scope) {
    arm_event_sub_processes(run, owner, scope);
    for (const bpmn::FlowNodeId node : run.process()[scope].entries) run.move(node, owner);
}

void begin_sub_process(Run& run, Live& live) {
    const bpmn::SubProcess& sub_process = *run.node_of(live).sub_process();
    declare_variables(run, live);
    if (sub_process.kind != SubProcessKind::ad_hoc)
        return open_scope(run, live.id, sub_process.inside);
    arm_event_sub_processes(run, live.id, sub_process.inside);
    begin_ad_hoc(run, live);
}

void begin_event_sub_process(Run& run, bpmn::FlowNodeId start, const Around& parent,
                             const bj::value& value) {
    if (run.process()[start].event()->interrupts) run.drop_inside(parent);
    const bpmn::ScopeId inside = run.process()[start].scope;
    Live& live = run.add(*run.process()[inside].owner, parent);
    live.variables = value.is_object() ? value.get_object() : bj::object{};
    arm_event_sub_processes(run, live.id, inside);
    run.move(start, live.id);
}

void check_ad_hoc(Run& run, const Around& scope) {
    Live* live = run.find(scope);
    const bpmn::SubProcess* sub_process = live ? run.node_of(*live).sub_process() : nullptr;
    if (!sub_process || sub_process->kind != SubProcessKind::ad_hoc || !sub_process->completion)
        return;
    const auto is = run.check(*sub_process->completion, scope);
    if (!is) return run.hold(*live, "ad_hoc", "bad_condition", is.error().message);
    run.release(*live);
    if (!*is) return;
    live->memo.erase("later");
    if (sub_process->cancels_remaining) run.drop_inside(scope);
}

bool finish_scopes(Run& run) {
    for (Live& live : run.lives()) {
        if (live.role != Live::Role::work || !run.node_of(live).sub_process()) continue;
        if (live.memo.contains("held")) continue;
        if (!is_over(run, live.id)) continue;
        if (!begin_next(run, live)) complete_activity(run, live.id, {});
        return true;
    }
    if (!run.ended() && is_over(run, std::nullopt)) run.end_process();
    return false;
}

}  // namespace holdfast::engine
