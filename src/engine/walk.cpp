#include "engine/families.h"

namespace holdfast::engine {
namespace {

void enter(Run& run, const Move& move) {
    const bpmn::FlowNode& node = run.process()[move.node];
    if (node.event()) return enter_event(run, move);
    if (node.gateway()) return enter_gateway(run, move);
    Live* around = run.find(move.parent);
    if (around && around->role == Live::Role::loop && around->node == move.node)
        return enter_body(run, *around);
    enter_activity(run, move);
}

// The flows that a token takes out of an event or activity; none: though there are some.
Result<std::vector<bpmn::FlowId>> flows_out(Run& run, const bpmn::FlowNode& node,
                                            const Around& parent) {
    std::vector<bpmn::FlowId> taken;
    bool conditions = false;
    bool any_true = false;
    for (const bpmn::FlowId flow : node.outgoing) {
        if (flow == node.default_flow) continue;
        const auto& condition = run.process()[flow].condition;
        conditions = conditions || condition;
        if (condition) {
            HF_TRY(const bool is, run.check(*condition, parent));
            if (!is) continue;
            any_true = true;
        }
        taken.push_back(flow);
    }
    if (conditions && !any_true && node.default_flow) taken.push_back(*node.default_flow);
    return taken;
}

}  // namespace

void leave(Run& run, bpmn::FlowNodeId id, const Around& parent, std::uint32_t times) {
    const bpmn::FlowNode& node = run.process()[id];
    if (node.gateway()) return split(run, {id, parent, std::nullopt});
    const auto flows = flows_out(run, node, parent);
    if (!flows) return run.stick_leaving(id, parent, times, "bad_condition", flows.error().message);
    if (flows->empty() && !node.outgoing.empty())
        return run.stick_leaving(id, parent, times, "no_flow",
                                 "no condition is true and there is no default flow");
    for (std::uint32_t i = 0; i < times; ++i)
        for (const bpmn::FlowId flow : *flows) run.move(run.process()[flow].target, parent, flow);
}

void walk(Run& run) {
    while (!run.ended()) {
        if (run.has_moves() && run.has_too_many_tokens())
            return run.rest_until_retried(
                "too_many_tokens",
                "it has more than " + std::to_string(most_tokens) + " tokens; repair the model");
        if (run.has_moves() && run.is_spent()) return run.rest();
        if (run.has_moves())
            enter(run, run.next_move());
        else if (!fire_inclusive_joins(run) && !fire_conditions(run) && !finish_scopes(run))
            return;
    }
}

}  // namespace holdfast::engine
