#include "engine/families.h"

namespace holdfast::engine {
namespace {

using GatewayKind = bpmn::Gateway::Kind;

std::vector<ActivityInstanceId> arrived_at(Run& run, bpmn::FlowNodeId node, const Around& parent) {
    std::vector<ActivityInstanceId> ids;
    for (const Live& live : run.lives())
        if (live.node == node && live.parent == parent && live.role == Live::Role::arrived)
            ids.push_back(live.id);
    return ids;
}

std::string flow_of(Run& run, const ActivityInstanceId& id) {
    return std::string(run.find(id)->memo.at("from").as_string());
}

void arrive(Run& run, const Move& move) {
    Live& live = run.add(move.node, move.parent, Live::Role::arrived);
    live.memo["from"] = move.via ? run.process()[*move.via].id : "";
}

// One token of each flow that has any.
std::vector<ActivityInstanceId> one_of_each(Run& run, const std::vector<ActivityInstanceId>& ids) {
    std::set<std::string> flows;
    std::vector<ActivityInstanceId> chosen;
    for (const ActivityInstanceId& id : ids)
        if (flows.insert(flow_of(run, id)).second) chosen.push_back(id);
    return chosen;
}

constexpr const char* no_flow = "no condition is true and there is no default flow";

void take_default(Run& run, const Move& move) {
    const bpmn::FlowNode& node = run.process()[move.node];
    if (node.default_flow)
        return run.move(run.process()[*node.default_flow].target, move.parent, node.default_flow);
    if (!node.outgoing.empty()) run.stick_leaving(move.node, move.parent, 1, "no_flow", no_flow);
}

void split_exclusive(Run& run, const Move& move) {
    const bpmn::FlowNode& node = run.process()[move.node];
    for (const bpmn::FlowId flow : node.outgoing) {
        if (flow == node.default_flow) continue;
        const bpmn::SequenceFlow& out = run.process()[flow];
        const auto is = out.condition ? run.check(*out.condition, move.parent) : Result<bool>(true);
        if (!is)
            return run.stick_leaving(move.node, move.parent, 1, "bad_condition",
                                     is.error().message);
        if (*is) return run.move(out.target, move.parent, flow);
    }
    take_default(run, move);
}

// Also for complex gateways. All conditions are evaluated before a token moves.
void split_inclusive(Run& run, const Move& move) {
    const bpmn::FlowNode& node = run.process()[move.node];
    std::vector<bpmn::FlowId> taken;
    for (const bpmn::FlowId flow : node.outgoing) {
        if (flow == node.default_flow) continue;
        const bpmn::SequenceFlow& out = run.process()[flow];
        const auto is = out.condition ? run.check(*out.condition, move.parent) : Result<bool>(true);
        if (!is)
            return run.stick_leaving(move.node, move.parent, 1, "bad_condition",
                                     is.error().message);
        if (*is) taken.push_back(flow);
    }
    if (taken.empty()) return take_default(run, move);
    for (const bpmn::FlowId flow : taken) run.move(run.process()[flow].target, move.parent, flow);
}

void split_parallel(Run& run, const Move& move) {
    for (const bpmn::FlowId flow : run.process()[move.node].outgoing)
        run.move(run.process()[flow].target, move.parent, flow);
}

// Whether a token of each flow was there.
bool join_parallel(Run& run, const Move& move) {
    const auto chosen = one_of_each(run, arrived_at(run, move.node, move.parent));
    if (chosen.empty() || chosen.size() < run.process()[move.node].incoming.size()) return false;
    for (const ActivityInstanceId& id : chosen) run.drop(id);
    split_parallel(run, move);
    return true;
}

void enter_parallel(Run& run, const Move& move) {
    if (run.process()[move.node].incoming.size() < 2) return split_parallel(run, move);
    arrive(run, move);
    join_parallel(run, move);
}

// The events behind it wait together; the first one that occurs ends the others.
void enter_event_based(Run& run, const Move& move) {
    const std::string gate = to_string(run.new_id());
    for (const bpmn::FlowId flow : run.process()[move.node].outgoing) {
        const bpmn::FlowNodeId target = run.process()[flow].target;
        if (run.process()[target].event()) {
            Live& live = run.add(target, move.parent);
            live.memo["gate"] = gate;
            arm(run, live);
        } else {
            begin_activity(run, target, move.parent, {{"gate", gate}});
        }
    }
}

// A node of the scope `parent` where something may still move: a token, or an activity around one.
bool can_still_arrive(Run& run, const Around& parent, const std::vector<bool>& upstream) {
    return std::ranges::any_of(run.lives(), [&](const Live& live) {
        return live.parent == parent && upstream[live.node.index] &&
               live.role != Live::Role::listener && live.role != Live::Role::done;
    });
}

bool is_complete(Run& run, const Live& join) {
    std::set<std::string> filled;
    for (const ActivityInstanceId& id : arrived_at(run, join.node, join.parent))
        filled.insert(flow_of(run, id));
    for (const bpmn::FlowId flow : run.node_of(join).incoming)
        if (!filled.contains(run.process()[flow].id) &&
            can_still_arrive(run, join.parent, bpmn::upstream_of(run.process(), flow)))
            return false;
    return true;
}

void enter_inclusive(Run& run, const Move& move) {
    if (run.process()[move.node].incoming.size() > 1) return arrive(run, move);
    split_inclusive(run, move);
}

void enter_complex(Run& run, const Move& move) {
    if (run.process()[move.node].incoming.size() < 2) return split_inclusive(run, move);
    arrive(run, move);
    check_activation(run, move.node, move.parent);
}

}  // namespace

void enter_gateway(Run& run, const Move& move) {
    switch (run.process()[move.node].gateway()->kind) {
        case GatewayKind::exclusive: return split_exclusive(run, move);
        case GatewayKind::parallel: return enter_parallel(run, move);
        case GatewayKind::inclusive: return enter_inclusive(run, move);
        case GatewayKind::event_based: return enter_event_based(run, move);
        case GatewayKind::complex: return enter_complex(run, move);
    }
}

void split(Run& run, const Move& move) {
    switch (run.process()[move.node].gateway()->kind) {
        case GatewayKind::exclusive: return split_exclusive(run, move);
        case GatewayKind::parallel: return split_parallel(run, move);
        case GatewayKind::event_based: return enter_event_based(run, move);
        case GatewayKind::inclusive:
        case GatewayKind::complex: return split_inclusive(run, move);
    }
}

// The number of tokens decides when it goes on; tokens that arrive later end here, until all flows
// had one.
void check_activation(Run& run, bpmn::FlowNodeId id, const Around& parent) {
    const bpmn::FlowNode& node = run.process()[id];
    const auto ids = arrived_at(run, id, parent);
    if (ids.empty()) return;
    const auto has_fired = [&](const ActivityInstanceId& one) {
        return run.find(one)->memo.contains("fired");
    };
    const bool fired = std::ranges::any_of(ids, has_fired);
    const bool full = one_of_each(run, ids).size() == node.incoming.size();
    bool fires = !fired && full;
    if (const auto& activation = node.gateway()->activation; activation && !fired) {
        Live& first = *run.find(ids.front());
        const auto is = run.check(*activation, parent, {{"activationCount", ids.size()}});
        if (!is) return run.hold(first, "activation", "bad_condition", is.error().message);
        run.release(first);
        fires = *is;
    }
    if (fires) run.find(ids.front())->memo["fired"] = true;
    if (full && (fired || fires))
        for (const ActivityInstanceId& one : ids) run.drop(one);
    if (fires) split_inclusive(run, {id, parent, std::nullopt});
}

void settle_joins(Run& run) {
    std::set<std::pair<bpmn::FlowNodeId, Around>> joins;
    for (const Live& live : run.lives())
        if (live.role == Live::Role::arrived && run.node_of(live).gateway())
            joins.emplace(live.node, live.parent);
    for (const auto& [node, parent] : joins) {
        const GatewayKind kind = run.process()[node].gateway()->kind;
        if (kind == GatewayKind::complex) check_activation(run, node, parent);
        while (kind == GatewayKind::parallel && join_parallel(run, {node, parent, std::nullopt})) {
        }
    }
}

bool fire_inclusive_joins(Run& run) {
    for (const Live& live : run.lives()) {
        const bpmn::Gateway* gateway = run.node_of(live).gateway();
        if (live.role != Live::Role::arrived || !gateway || gateway->kind != GatewayKind::inclusive)
            continue;
        if (!is_complete(run, live)) continue;
        const Move move{live.node, live.parent, std::nullopt};
        for (const ActivityInstanceId& id :
             one_of_each(run, arrived_at(run, move.node, move.parent)))
            run.drop(id);
        split_inclusive(run, move);
        return true;
    }
    return false;
}

}  // namespace holdfast::engine
