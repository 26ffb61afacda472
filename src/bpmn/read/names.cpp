#include "bpmn/read/names.h"

#include <algorithm>
#include <array>

namespace holdfast::bpmn {
namespace {

template <std::size_t Count>
bool is_one_of(Element element, const std::array<std::string_view, Count>& names) {
    return element.space() == Space::bpmn &&
           std::ranges::find(names, element.name()) != names.end();
}

}  // namespace

bool is_task(Element element) {
    static constexpr std::array<std::string_view, 8> names{
        "task",     "userTask",    "serviceTask", "scriptTask",
        "sendTask", "receiveTask", "manualTask",  "businessRuleTask"};
    return is_one_of(element, names);
}

bool is_sub_process(Element element) {
    static constexpr std::array<std::string_view, 3> names{"subProcess", "transaction",
                                                           "adHocSubProcess"};
    return is_one_of(element, names);
}

bool is_activity(Element element) {
    return is_task(element) || is_sub_process(element) || element.is("callActivity");
}

bool is_gateway(Element element) {
    static constexpr std::array<std::string_view, 5> names{"exclusiveGateway", "parallelGateway",
                                                           "inclusiveGateway", "eventBasedGateway",
                                                           "complexGateway"};
    return is_one_of(element, names);
}

bool is_event(Element element) {
    static constexpr std::array<std::string_view, 5> names{
        "startEvent", "endEvent", "intermediateCatchEvent", "intermediateThrowEvent",
        "boundaryEvent"};
    return is_one_of(element, names);
}

bool is_flow_node(Element element) {
    return is_activity(element) || is_event(element) || is_gateway(element);
}

bool is_event_definition(Element element) {
    static constexpr std::array<std::string_view, 10> names{
        "messageEventDefinition",    "timerEventDefinition",      "signalEventDefinition",
        "errorEventDefinition",      "escalationEventDefinition", "conditionalEventDefinition",
        "compensateEventDefinition", "linkEventDefinition",       "terminateEventDefinition",
        "cancelEventDefinition"};
    return is_one_of(element, names);
}

bool is_global_task(Element element) {
    static constexpr std::array<std::string_view, 5> names{"globalTask", "globalUserTask",
                                                           "globalScriptTask", "globalManualTask",
                                                           "globalBusinessRuleTask"};
    return is_one_of(element, names);
}

bool is_artifact(Element element) {
    static constexpr std::array<std::string_view, 3> names{"association", "group",
                                                           "textAnnotation"};
    return is_one_of(element, names);
}

bool is_choreography_activity(Element element) {
    static constexpr std::array<std::string_view, 3> names{"choreographyTask", "callChoreography",
                                                           "subChoreography"};
    return is_one_of(element, names);
}

bool is_item_aware(Element element) {
    static constexpr std::array<std::string_view, 9> names{
        "dataObject", "dataObjectReference", "dataStore",     "dataStoreReference", "property",
        "dataInput",  "dataOutput",          "inputDataItem", "outputDataItem"};
    return is_one_of(element, names);
}

bool is_throw_event(Element element) {
    return element.is("endEvent") || element.is("intermediateThrowEvent");
}

bool is_event_sub_process(Element element) {
    return is_sub_process(element) && element.flag("triggeredByEvent");
}

}  // namespace holdfast::bpmn
