// Tasks, gateways, sub-processes and call activities.
#include "bpmn/read/names.h"
#include "bpmn/read/node_readers.h"

namespace holdfast::bpmn {
namespace {

std::string attribute_of(const std::optional<Element>& element, std::string_view name) {
    return element ? element->text_of(name) : std::string();
}

Task::Kind kind_of_task(Element element) {
    const std::string_view name = element.name();
    if (name == "userTask" || name == "globalUserTask") return Task::Kind::user;
    if (name == "serviceTask") return Task::Kind::service;
    if (name == "scriptTask" || name == "globalScriptTask") return Task::Kind::script;
    if (name == "sendTask") return Task::Kind::send;
    if (name == "receiveTask") return Task::Kind::receive;
    if (name == "manualTask" || name == "globalManualTask") return Task::Kind::manual;
    if (name == "businessRuleTask" || name == "globalBusinessRuleTask")
        return Task::Kind::business_rule;
    return Task::Kind::plain;
}

Script read_script(Reading& reading, Element element) {
    // A global script task has its own name for the format.
    const std::string format = element.text_of("scriptFormat");
    Script script{.format = format.empty() ? element.text_of("scriptLanguage") : format,
                  .text = {},
                  .feel = {},
                  .result_variable = std::string(
                      element.attribute(Space::camunda, "resultVariable").value_or(""))};
    if (const auto given = extension_of(element, Space::zeebe, "script")) {
        script.text = given->text_of("expression");
        script.result_variable = given->text_of("resultVariable");
        script.feel = reading.expression_in(*given, script.text, "the script");
        return script;
    }
    const auto body = element.child("script");
    if (body) script.text = body->text();
    if (language_of(script.format) == Language::feel && body)
        script.feel = reading.expression_in(*body, "=" + script.text, "the script");
    if (element.attribute(Space::camunda, "resource"))
        reading.document.error(
            ProblemKind::script, element,
            "a script in another file is not supported; write it into the model");
    return script;
}

std::optional<Decision> read_decision(Reading& reading, Element element) {
    if (const auto called = extension_of(element, Space::zeebe, "calledDecision"))
        return Decision{
            .id = reading.text_or_fixed(*called, called->text_of("decisionId"), "the decision id"),
            .result_variable = called->text_of("resultVariable")};
    if (const auto reference = element.attribute(Space::camunda, "decisionRef"))
        return Decision{.id = reading.text_or_fixed(element, *reference, "decisionRef"),
                        .result_variable = std::string(
                            element.attribute(Space::camunda, "resultVariable").value_or(""))};
    return std::nullopt;
}

// A task that neither names workers nor anything else that does its work gets its id as job type,
// so that workers can take it.
void add_job(Reading& reading, Element element, Task& task) {
    task.job = read_job(reading, element);
    if (task.job) return;
    if (task.kind == Task::Kind::send && task.message) return;
    if (task.kind == Task::Kind::business_rule && task.decision) return;
    task.job = Job{.type = element.id(), .retries = {}, .retry_cycle = {}, .headers = {}};
    reading.document.warn(ProblemKind::extension, element,
                          "no job type is given; workers find it by its id");
}

CallActivity::Binding binding_of(std::string_view name) {
    if (name == "deployment") return CallActivity::Binding::deployment;
    if (name == "version") return CallActivity::Binding::version;
    if (name == "versionTag") return CallActivity::Binding::version_tag;
    return CallActivity::Binding::latest;
}

Gateway::Kind gateway_kind(Element element) {
    if (element.is("parallelGateway")) return Gateway::Kind::parallel;
    if (element.is("inclusiveGateway")) return Gateway::Kind::inclusive;
    if (element.is("eventBasedGateway")) return Gateway::Kind::event_based;
    if (element.is("complexGateway")) return Gateway::Kind::complex;
    return Gateway::Kind::exclusive;
}

}  // namespace

Task read_task(Reading& reading, Element element) {
    Task task;
    task.kind = kind_of_task(element);
    task.result_variable =
        std::string(element.attribute(Space::camunda, "resultVariable").value_or(""));
    if (task.kind == Task::Kind::send || task.kind == Task::Kind::receive) {
        if (const auto reference = element.attribute("messageRef"))
            task.message = reading.message(*reference);
        task.instantiates = element.flag("instantiate");
    }
    if (task.kind == Task::Kind::user) task.assignment = read_assignment(reading, element);
    // Zeebe runs script and rule tasks with a task definition by workers.
    if (task.kind == Task::Kind::script) {
        task.job = read_job(reading, element);
        if (!task.job) task.script = read_script(reading, element);
    }
    if (task.kind == Task::Kind::business_rule) task.decision = read_decision(reading, element);
    if (task.kind == Task::Kind::service || task.kind == Task::Kind::send ||
        task.kind == Task::Kind::business_rule)
        add_job(reading, element, task);
    return task;
}

Gateway read_gateway(Reading& reading, Element element) {
    Gateway gateway;
    gateway.kind = gateway_kind(element);
    gateway.instantiates = element.flag("instantiate");
    gateway.all_events = element.attribute("eventGatewayType") == "Parallel";
    if (const auto holder = element.child("activationCondition"))
        gateway.activation = reading.condition(*holder);
    return gateway;
}

void read_sub_process(Reading& reading, Element element, SubProcess& sub_process) {
    using Kind = SubProcess::Kind;
    sub_process.kind = is_event_sub_process(element)   ? Kind::event
                       : element.is("transaction")     ? Kind::transaction
                       : element.is("adHocSubProcess") ? Kind::ad_hoc
                                                       : Kind::embedded;
    if (sub_process.kind != Kind::ad_hoc) return;
    sub_process.sequential = element.attribute("ordering") == "Sequential";
    sub_process.cancels_remaining = !element.unset("cancelRemainingInstances");
    if (const auto holder = element.child("completionCondition"))
        sub_process.completion = reading.condition(*holder);
    const auto zeebe = extension_of(element, Space::zeebe, "adHoc");
    if (const std::string active = attribute_of(zeebe, "activeElementsCollection"); !active.empty())
        sub_process.active_elements = reading.expression_in(*zeebe, active, "active elements");
}

CallActivity read_call_activity(Reading& reading, Element element) {
    CallActivity call{};
    std::string called = element.text_of("calledElement");
    std::string binding(element.attribute(Space::camunda, "calledElementBinding").value_or(""));
    call.binding_value = element.attribute(Space::camunda, "calledElementVersion").value_or("");
    if (call.binding_value.empty())
        call.binding_value =
            element.attribute(Space::camunda, "calledElementVersionTag").value_or("");
    if (const auto zeebe = extension_of(element, Space::zeebe, "calledElement")) {
        called = zeebe->text_of("processId");
        binding = zeebe->text_of("bindingType");
        call.binding_value = zeebe->text_of("versionTag");
    }
    if (element.attribute(Space::camunda, "caseRef"))
        reading.document.error(ProblemKind::call_activity, element, "cases are not supported");
    else if (called.empty())
        reading.document.error(ProblemKind::call_activity, element,
                               "a call activity needs calledElement");
    // A reference to this document may have a prefix.
    const auto target = reading.document.find(called);
    if (target && (target->is("process") || is_global_task(*target))) called = target->id();
    call.called = reading.text_or_fixed(element, called, "calledElement");
    call.binding = binding_of(binding);
    return call;
}

}  // namespace holdfast::bpmn
