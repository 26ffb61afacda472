// Calls of processes in the same document.
#include <unordered_map>

#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

bool can_be_called(const Process& process) {
    return !process.scopes.empty() && !process.scopes[0].entries.empty();
}

using ProcessesById = std::unordered_map<std::string_view, const Process*>;

void check_call(Document& document, const ProcessesById& processes, const FlowNode& node) {
    const auto* called = std::get_if<std::string>(&node.call_activity()->called);
    const auto caller = document.find(node.id);
    if (!called || !caller) return;
    const auto target = document.find(*called);
    if (document.is_strict() && target && !target->is("process") && !is_global_task(*target))
        document.error(
            ProblemKind::call_activity, *caller,
            *called + " is " + std::string(target->name()) + " and not a process or a global task");
    const auto process = processes.find(*called);
    if (process != processes.end() && !can_be_called(*process->second))
        document.error(ProblemKind::call_activity, *caller,
                       "the called process " + *called + " has no start event without a trigger");
}

}  // namespace

void check_calls(Document& document, const Model& model) {
    ProcessesById processes;
    for (const Process& process : model.processes) processes.emplace(process.id, &process);
    for (const Process& process : model.processes)
        for (const FlowNode& node : process.nodes)
            if (node.call_activity()) check_call(document, processes, node);
}

}  // namespace holdfast::bpmn
