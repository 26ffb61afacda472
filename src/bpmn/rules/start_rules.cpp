// Events that could not be told apart: start events of a process, boundary events of an activity
// and event sub-processes of a scope that catch the same.
#include <map>

#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

std::string shown_text(const TextOrExpression& text) {
    const auto* fixed = std::get_if<std::string>(&text);
    return fixed ? *fixed : std::get<feel::Expression>(text).text();
}

// What is caught, as a text; empty: it may be caught twice. A code and any code are different: the
// specific one wins.
std::string caught_by(const Process& process, const Trigger& trigger) {
    if (const auto* message = std::get_if<MessageTrigger>(&trigger); message && message->message)
        return "the message " + shown_text(process[*message->message].name);
    if (const auto* signal = std::get_if<SignalTrigger>(&trigger))
        return "the signal " + shown_text(process[signal->signal].name);
    if (const auto* condition = std::get_if<ConditionTrigger>(&trigger))
        return "the condition " + condition->condition.text();
    if (const auto* error = std::get_if<ErrorTrigger>(&trigger))
        return error->error ? "the error " + shown_text(process[*error->error].code)
                            : "every error";
    if (const auto* escalation = std::get_if<EscalationTrigger>(&trigger))
        return escalation->escalation
                   ? "the escalation " + shown_text(process[*escalation->escalation].code)
                   : "every escalation";
    if (std::holds_alternative<CompensationTrigger>(trigger)) return "compensation";
    if (std::holds_alternative<CancelTrigger>(trigger)) return "cancel";
    return {};
}

class CaughtOnce {
public:
    CaughtOnce(Reading& reading, ProblemKind kind) : reading_(reading), kind_(kind) {}

    void add(FlowNodeId id) {
        const Process& process = reading_.process;
        const Event* event = process[id].event();
        if (!event) return;
        for (const Trigger& trigger : event->triggers) {
            const std::string what = caught_by(process, trigger);
            if (what.empty()) continue;
            const auto [at, first] = known_.emplace(what, id);
            if (!first && at->second != id)
                reading_.document.error(
                    kind_, reading_.elements[id.index],
                    what + " is caught by " + process[at->second].id + " already");
        }
    }

private:
    Reading& reading_;
    ProblemKind kind_;
    std::map<std::string, FlowNodeId> known_;
};

void check_event_sub_processes(Reading& reading, const Scope& scope) {
    CaughtOnce caught(reading, ProblemKind::start_event);
    for (const FlowNodeId sub_process : scope.event_sub_processes) {
        const ScopeId inside = reading.process[sub_process].sub_process()->inside;
        for (const FlowNodeId start : reading.process[inside].triggered_starts) caught.add(start);
    }
}

}  // namespace

void check_starts(Reading& reading) {
    for (const Scope& scope : reading.process.scopes) {
        check_event_sub_processes(reading, scope);
        if (scope.owner) continue;
        CaughtOnce caught(reading, ProblemKind::start_event);
        for (const FlowNodeId start : scope.triggered_starts) caught.add(start);
    }
    for (const FlowNode& node : reading.process.nodes) {
        CaughtOnce caught(reading, ProblemKind::boundary_event);
        for (const FlowNodeId event : node.activity.boundary_events) caught.add(event);
    }
}

}  // namespace holdfast::bpmn
