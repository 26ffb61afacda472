#include "bpmn/process/process.h"

namespace holdfast::bpmn {

std::optional<FlowNodeId> Process::find(std::string_view element) const {
    const auto found = node_ids.find(std::string(element));
    if (found == node_ids.end()) return std::nullopt;
    return found->second;
}

std::vector<ScopeId> scopes_outwards(const Process& process, ScopeId from) {
    std::vector<ScopeId> scopes{from};
    while (const auto parent = process[scopes.back()].parent) scopes.push_back(*parent);
    return scopes;
}

namespace {

// Where a token of `node` may have come from inside of the scope, besides its incoming flows: the
// activity that a boundary event is attached to, and the throw events of a link.
std::vector<FlowNodeId> sources_besides_flows(const Process& process, FlowNodeId node) {
    const Event* event = process[node].event();
    if (!event) return {};
    if (event->attached_to) return {*event->attached_to};
    return event->link_sources;
}

}  // namespace

std::vector<bool> upstream_of(const Process& process, FlowId flow) {
    std::vector<bool> reached(process.nodes.size());
    const FlowNodeId target = process[flow].target;
    std::vector<FlowNodeId> open;
    const auto visit = [&](FlowNodeId node) {
        if (node == target || reached[node.index]) return;
        reached[node.index] = true;
        open.push_back(node);
    };
    visit(process[flow].source);
    while (!open.empty()) {
        const FlowNodeId node = open.back();
        open.pop_back();
        for (const FlowId incoming : process[node].incoming) visit(process[incoming].source);
        for (const FlowNodeId source : sources_besides_flows(process, node)) visit(source);
    }
    return reached;
}

}  // namespace holdfast::bpmn
