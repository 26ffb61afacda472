// Compiles any bytes: a model or problems, never both missing, and references inside of the graph
// are in range.
#include "bpmn/model.h"

#include <cstdint>

#include "base/assert.h"

using namespace holdfast;

namespace {

void check_graph(const bpmn::Process& process) {
    for (const bpmn::SequenceFlow& flow : process.flows)
        HF_ASSERT(
            flow.source.index < process.nodes.size() && flow.target.index < process.nodes.size(),
            "a flow connects nodes");
    for (const bpmn::FlowNode& node : process.nodes) {
        HF_ASSERT(node.scope.index < process.scopes.size(), "a node is in a scope");
        HF_ASSERT(process.find(node.id).has_value(), "a node is found by its id");
        for (const bpmn::FlowId flow : node.outgoing)
            HF_ASSERT(process[process[flow].source].id == node.id, "a flow leaves its source");
        for (const bpmn::FlowNodeId event : node.activity.boundary_events)
            HF_ASSERT(process[event].event()->attached_to, "a boundary event is attached");
        if (const bpmn::SubProcess* inner = node.sub_process())
            HF_ASSERT(process[inner->inside].owner, "a sub-process owns its scope");
    }
    for (std::uint32_t i = 0; i < process.flows.size() && i < 20; ++i)
        (void)upstream_of(process, bpmn::FlowId{i});
    for (const bpmn::Scope& scope : process.scopes)
        HF_ASSERT(!scope.entries.empty() || !scope.triggered_starts.empty(),
                  "a scope can be entered");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const bpmn::Compiled compiled = bpmn::compile(text, {.elements = 2000, .depth = 60});
    bool any_error = false;
    for (const bpmn::Problem& problem : compiled.problems) {
        any_error = any_error || problem.severity == bpmn::Severity::error;
        HF_ASSERT(problem.message.size() <= bpmn::Problems::most_bytes + 3, "a message is short");
        (void)text_of(problem);
    }
    HF_ASSERT(compiled.model.has_value() != any_error, "a model is accepted or refused");
    if (compiled.model)
        for (const bpmn::Process& process : compiled.model->processes) check_graph(process);
    return 0;
}
