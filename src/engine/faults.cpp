// Errors and escalations look for the nearest event that catches them, outwards.
#include "engine/families.h"

namespace holdfast::engine {
namespace {

template <class Trigger>
std::optional<std::string> code_of(Run& run, const Trigger& trigger) {
    if constexpr (std::same_as<Trigger, bpmn::ErrorTrigger>) {
        if (trigger.error) return run.text(run.process()[*trigger.error].code, {});
    } else {
        if (trigger.escalation) return run.text(run.process()[*trigger.escalation].code, {});
    }
    return std::nullopt;
}

// 2: catches this code, 1: catches every code, 0: does not catch it.
template <class Trigger>
int match(Run& run, bpmn::FlowNodeId node, const std::string& code, const Trigger*& found) {
    int best = 0;
    for (const bpmn::Trigger& trigger : run.process()[node].event()->triggers) {
        const auto* catching = std::get_if<Trigger>(&trigger);
        if (!catching) continue;
        const auto wanted = code_of(run, *catching);
        const int grade = !wanted || wanted->empty() ? 1 : *wanted == code ? 2 : 0;
        if (grade > best) best = grade, found = catching;
    }
    return best;
}

template <class Trigger>
struct Catcher {
    bpmn::FlowNodeId node;  // a boundary event, or the start of an event sub-process
    const Trigger* trigger = nullptr;
};

// A specific code beats a catch-all.
template <class Trigger>
std::optional<Catcher<Trigger>> best_of(Run& run, const std::vector<bpmn::FlowNodeId>& nodes,
                                        const std::string& code) {
    std::optional<Catcher<Trigger>> best;
    int grade = 0;
    for (const bpmn::FlowNodeId node : nodes) {
        const Trigger* found = nullptr;
        const int one = match<Trigger>(run, node, code, found);
        if (one > grade) grade = one, best = Catcher<Trigger>{node, found};
    }
    return best;
}

std::vector<bpmn::FlowNodeId> starts_of_event_sub_processes(Run& run, bpmn::ScopeId scope) {
    std::vector<bpmn::FlowNodeId> starts;
    for (const bpmn::FlowNodeId node : run.process()[scope].event_sub_processes) {
        const auto& inside = run.process()[run.process()[node].sub_process()->inside];
        starts.insert(starts.end(), inside.triggered_starts.begin(), inside.triggered_starts.end());
    }
    return starts;
}

void note_code(Run& run, const bpmn::ErrorTrigger& trigger, const std::string& code,
               const std::string& message, const Around& to) {
    if (!trigger.code_variable.empty()) run.write(to, trigger.code_variable, bj::string(code));
    if (!trigger.message_variable.empty())
        run.write(to, trigger.message_variable, bj::string(message));
}

void note_code(Run& run, const bpmn::EscalationTrigger& trigger, const std::string& code,
               const std::string&, const Around& to) {
    if (!trigger.code_variable.empty()) run.write(to, trigger.code_variable, bj::string(code));
}

bool is_event_sub_process(Run& run, const Live& live) {
    const bpmn::SubProcess* sub_process = run.node_of(live).sub_process();
    return sub_process && sub_process->kind == bpmn::SubProcess::Kind::event;
}

// Whether a boundary event of the activity, or an event sub-process around it, caught it.
template <class Trigger>
bool caught_at(Run& run, const ActivityInstanceId& id, const std::string& code,
               const std::string& message) {
    const Live live = *run.find(id);
    if (const auto boundary =
            best_of<Trigger>(run, run.node_of(live).activity.boundary_events, code);
        boundary && !live.memo.contains("body")) {
        note_code(run, *boundary->trigger, code, message, live.parent);
        if (run.process()[boundary->node].event()->interrupts) run.drop(id);
        leave(run, boundary->node, live.parent);
        return true;
    }
    // What an event sub-process throws is for what is around its scope.
    if (is_event_sub_process(run, live) || live.memo.contains("body")) return false;
    const bpmn::ScopeId scope = run.node_of(live).scope;
    const auto start = best_of<Trigger>(run, starts_of_event_sub_processes(run, scope), code);
    if (!start) return false;
    note_code(run, *start->trigger, code, message, live.parent);
    begin_event_sub_process(run, start->node, live.parent, nullptr);
    return true;
}

template <class Trigger>
bool caught(Run& run, const ActivityInstanceId& from, const std::string& code,
            const std::string& message) {
    Around at = from;
    while (Live* live = run.find(at)) {
        const Around next = live->parent;
        if (caught_at<Trigger>(run, *at, code, message)) return true;
        at = next;
    }
    return false;
}

}  // namespace

void throw_error(Run& run, ActivityInstanceId from, const std::string& code,
                 const std::string& message) {
    const bool was = caught<bpmn::ErrorTrigger>(run, from, code, message);
    if (!was && run.instance().parent) return run.fail_process(code, message);
    if (!was) run.note("uncaught_error", bj::object{{"code", code}, {"message", message}});
    // Whoever threw it does not go on.
    run.drop(from);
}

void throw_escalation(Run& run, ActivityInstanceId from, const std::string& code) {
    if (caught<bpmn::EscalationTrigger>(run, from, code, "") || !run.instance().parent) return;
    run.reaction().events.push_back(
        {.id = {run.new_id()},
         .name = escalation_name(run.instance().id),
         .value = Document::of(bj::object{{"code", code}, {"variables", run.root()}}),
         .target = run.instance().parent});
}

}  // namespace holdfast::engine
