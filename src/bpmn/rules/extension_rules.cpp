// Extensions of vendors: unknown ones are warnings, known ones that would change what is executed
// and are not supported are errors.
#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "bpmn/rules/rules.h"
#include "bpmn/timer/schedule.h"

namespace holdfast::bpmn {
namespace {

constexpr std::string_view zeebe_elements[] = {"adHoc",
                                               "assignmentDefinition",
                                               "calledDecision",
                                               "calledElement",
                                               "conditionalFilter",
                                               "formDefinition",
                                               "header",
                                               "input",
                                               "ioMapping",
                                               "loopCharacteristics",
                                               "output",
                                               "priorityDefinition",
                                               "properties",
                                               "property",
                                               "script",
                                               "subscription",
                                               "taskDefinition",
                                               "taskHeaders",
                                               "taskSchedule",
                                               "userTask",
                                               "userTaskForm",
                                               "versionTag"};

constexpr std::string_view camunda_elements[] = {"constraint",
                                                 "entry",
                                                 "failedJobRetryTimeCycle",
                                                 "field",
                                                 "formData",
                                                 "formField",
                                                 "formProperty",
                                                 "in",
                                                 "inputOutput",
                                                 "inputParameter",
                                                 "list",
                                                 "map",
                                                 "out",
                                                 "outputParameter",
                                                 "potentialStarter",
                                                 "properties",
                                                 "property",
                                                 "string",
                                                 "expression",
                                                 "validation",
                                                 "value"};

// They would run code at certain moments: without them the process does something else.
constexpr std::string_view refused_elements[] = {"executionListener", "executionListeners",
                                                 "taskListener",      "taskListeners",
                                                 "connector",         "errorEventDefinition"};

constexpr std::string_view camunda_attributes[] = {"assignee",
                                                   "asyncAfter",
                                                   "asyncBefore",
                                                   "async",
                                                   "calledElementBinding",
                                                   "calledElementTenantId",
                                                   "calledElementVersion",
                                                   "calledElementVersionTag",
                                                   "candidateGroups",
                                                   "candidateStarterGroups",
                                                   "candidateStarterUsers",
                                                   "candidateUsers",
                                                   "caseRef",
                                                   "class",
                                                   "collection",
                                                   "decisionRef",
                                                   "decisionRefBinding",
                                                   "decisionRefVersion",
                                                   "delegateExpression",
                                                   "dueDate",
                                                   "elementVariable",
                                                   "errorCodeVariable",
                                                   "errorMessage",
                                                   "errorMessageVariable",
                                                   "escalationCodeVariable",
                                                   "exclusive",
                                                   "expression",
                                                   "followUpDate",
                                                   "formHandlerClass",
                                                   "formKey",
                                                   "formRef",
                                                   "formRefBinding",
                                                   "formRefVersion",
                                                   "historyTimeToLive",
                                                   "initiator",
                                                   "isStartableInTasklist",
                                                   "jobPriority",
                                                   "mapDecisionResult",
                                                   "modelerTemplate",
                                                   "modelerTemplateVersion",
                                                   "priority",
                                                   "resource",
                                                   "resultVariable",
                                                   "taskPriority",
                                                   "topic",
                                                   "type",
                                                   "variableEvents",
                                                   "variableMappingClass",
                                                   "variableMappingDelegateExpression",
                                                   "variableName",
                                                   "versionTag"};

bool is_known(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

bool inside_extension(Element element) {
    return !element.is_root() && element.parent().is("extensionElements");
}

void check_extension_element(Document& document, Element element) {
    const std::string name(element.name());
    if (element.space() == Space::other) {
        if (inside_extension(element))
            document.warn(ProblemKind::unknown_extension, element,
                          "the extension " + name + " is not known and has no effect");
        return;
    }
    const bool zeebe = element.space() == Space::zeebe;
    if (!inside_extension(element)) return;
    const bool known = zeebe ? is_known(zeebe_elements, name) : is_known(camunda_elements, name);
    if (is_known(refused_elements, name))
        document.error(ProblemKind::extension, element, name + " is not supported");
    else if (!known)
        document.warn(ProblemKind::unknown_extension, element,
                      "the extension " + name + " is not known and has no effect");
}

// Days, or a duration.
bool is_time_to_live(std::string_view text) {
    if (text.empty()) return true;
    if (text.starts_with('P')) return parse_timer_duration(text).has_value();
    std::uint32_t days = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), days);
    return error == std::errc{} && end == text.data() + text.size();
}

void check_extension_attributes(Document& document, Element element) {
    const XmlNode& node = element.node();
    for (std::uint32_t i = 0; i < node.attributes; ++i) {
        const XmlAttribute& attribute = element.tree().attributes[node.first_attribute + i];
        if (attribute.space == Space::other ||
            (attribute.space == Space::camunda && !is_known(camunda_attributes, attribute.name)))
            document.warn(
                ProblemKind::unknown_extension, element,
                "the extension attribute " + attribute.name + " is not known and has no effect");
    }
    const auto kept = element.attribute(Space::camunda, "historyTimeToLive");
    if (kept && !is_time_to_live(*kept))
        document.error(ProblemKind::extension, element,
                       "historyTimeToLive '" + std::string(*kept) + "' is no number of days");
    for (const std::string_view name :
         {"variableMappingClass", "variableMappingDelegateExpression", "formHandlerClass"})
        if (element.attribute(Space::camunda, name))
            document.error(ProblemKind::extension, element,
                           std::string(name) + " is not supported");
}

}  // namespace

void check_extensions(Document& document) {
    for (std::uint32_t i = 0; i < document.size(); ++i) {
        const Element element = document.at(i);
        if (element.space() == Space::bpmn)
            check_extension_attributes(document, element);
        else
            check_extension_element(document, element);
    }
}

}  // namespace holdfast::bpmn
