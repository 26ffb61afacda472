#include "engine/supported.h"

namespace holdfast::engine {
namespace {

using Found = std::vector<bpmn::Problem>;

void refuse(Found& found, const bpmn::FlowNode& node, const std::string& what) {
    found.push_back({.kind = bpmn::ProblemKind::unsupported,
                     .line = node.line,
                     .element = node.id,
                     .message = what + ": not supported yet"});
}

void check_event(Found& found, const bpmn::FlowNode& node) {
    const bpmn::Event& event = *node.event();
    const bool throws = event.position == bpmn::Event::Position::intermediate_throw ||
                        event.position == bpmn::Event::Position::end;
    for (const bpmn::Trigger& trigger : event.triggers) {
        const auto* message = std::get_if<bpmn::MessageTrigger>(&trigger);
        if (message && throws && !message->message && message->job)
            refuse(found, node, "a message that a job sends");
        if (message && !throws && !message->message)
            refuse(found, node, "an event without a message");
        const auto* error = std::get_if<bpmn::ErrorTrigger>(&trigger);
        if (error && throws && !error->error) refuse(found, node, "an error without a code");
        const auto* escalation = std::get_if<bpmn::EscalationTrigger>(&trigger);
        if (escalation && throws && !escalation->escalation)
            refuse(found, node, "an escalation without a code");
    }
}

void check_loop(Found& found, const bpmn::FlowNode& node) {
    const auto* many = std::get_if<bpmn::MultiInstance>(&node.activity.loop);
    if (!many) return;
    if (many->behavior != bpmn::MultiInstance::Behavior::all)
        refuse(found, node, "a multi-instance activity that throws events");
    if (!many->cardinality && !many->collection)
        refuse(found, node, "a multi-instance activity without a number of instances");
    if (node.activity.compensation_handler)
        refuse(found, node, "the compensation of a multi-instance activity");
}

void check_node(Found& found, const bpmn::FlowNode& node) {
    if (node.event()) check_event(found, node);
    check_loop(found, node);
    if (const auto* call = node.call_activity();
        call && call->binding != bpmn::CallActivity::Binding::latest &&
        call->binding != bpmn::CallActivity::Binding::deployment)
        refuse(found, node, "a call of a certain version");
}

}  // namespace

std::vector<bpmn::Problem> not_supported(const bpmn::Process& process) {
    Found found;
    for (const bpmn::FlowNode& node : process.nodes) check_node(found, node);
    for (const bpmn::FlowNode& node : process.nodes) {
        const bpmn::SubProcess* sub_process = node.sub_process();
        if (!sub_process || sub_process->kind != bpmn::SubProcess::Kind::event) continue;
        if (process[sub_process->inside].triggered_starts.size() != 1)
            refuse(found, node, "an event sub-process with several starts");
    }
    return found;
}

}  // namespace holdfast::engine
