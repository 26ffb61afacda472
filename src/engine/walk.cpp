#include "engine/families.h"

namespace holdfast::engine {
namespace {

void enter(Run& run, const Move& move) {
    const bpmn::FlowNode& node = run.process()[move.node];
    if (node.event()) return enter_event(run, move);
    if (node.gateway()) return enter_gateway(run, move);
    enter_activity(run, move);
}

// The flows that a token takes out of an event or activity; absent: none, though there are some.
std::optional<std::vector<bpmn::FlowId>> flows_out(Run& run, const bpmn::FlowNode& node,
                                                   const Around& parent) {
    std::vector<bpmn::FlowId> taken;
    bool conditions = false;
    bool any_true = false;
    for (const bpmn::FlowId flow : node.outgoing) {
        if (flow == node.default_flow) continue;
        const auto& condition = run.process()[flow].condition;
        conditions = conditions || condition;
        if (condition && !run.is_true(*condition, parent)) continue;
        any_true = any_true || condition;
        taken.push_back(flow);
    }
    if (conditions && !any_true && node.default_flow) taken.push_back(*node.default_flow);
    if (taken.empty() && !node.outgoing.empty()) return std::nullopt;
    return taken;
}

}  // namespace

void leave(Run& run, bpmn::FlowNodeId id, const Around& parent, std::uint32_t times) {
    const bpmn::FlowNode& node = run.process()[id];
    const auto flows = flows_out(run, node, parent);
    if (!flows) {
        run.stick({id, parent, std::nullopt}, "no_flow",
                  "no condition is true and there is no default flow");
        run.lives().back().memo["leaving"] = true;
        return;
    }
    for (std::uint32_t i = 0; i < times; ++i)
        for (const bpmn::FlowId flow : *flows) run.move(run.process()[flow].target, parent, flow);
}

void walk(Run& run) {
    while (!run.ended()) {
        if (run.has_moves() && run.is_spent())
            return run.stick_all(
                "too_many_moves",
                "the process moves without end; repair the model or the variables");
        if (run.has_moves())
            enter(run, run.next_move());
        else if (!fire_inclusive_joins(run) && !fire_conditions(run) && !finish_scopes(run))
            return;
    }
}

}  // namespace holdfast::engine
