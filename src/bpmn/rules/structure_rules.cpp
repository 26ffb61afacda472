// Known elements and attributes, where elements may be, required ids, values of attributes.
#include <algorithm>
#include <array>
#include <span>

#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

// Sorted. Every element of BPMN 2.0 that a document may contain.
constexpr std::string_view element_names[] = {"activationCondition",
                                              "adHocSubProcess",
                                              "assignment",
                                              "association",
                                              "auditing",
                                              "boundaryEvent",
                                              "businessRuleTask",
                                              "callActivity",
                                              "callChoreography",
                                              "callConversation",
                                              "cancelEventDefinition",
                                              "categorizedFlowElements",
                                              "category",
                                              "categoryValue",
                                              "childLaneSet",
                                              "choreography",
                                              "choreographyRef",
                                              "choreographyTask",
                                              "collaboration",
                                              "compensateEventDefinition",
                                              "completionCondition",
                                              "complexBehaviorDefinition",
                                              "complexGateway",
                                              "condition",
                                              "conditionExpression",
                                              "conditionalEventDefinition",
                                              "conversation",
                                              "conversationAssociation",
                                              "conversationLink",
                                              "correlationKey",
                                              "correlationProperty",
                                              "correlationPropertyBinding",
                                              "correlationPropertyRef",
                                              "correlationPropertyRetrievalExpression",
                                              "correlationSubscription",
                                              "dataInput",
                                              "dataInputAssociation",
                                              "dataInputRefs",
                                              "dataObject",
                                              "dataObjectReference",
                                              "dataOutput",
                                              "dataOutputAssociation",
                                              "dataOutputRefs",
                                              "dataPath",
                                              "dataState",
                                              "dataStore",
                                              "dataStoreReference",
                                              "definitions",
                                              "documentation",
                                              "endEvent",
                                              "endPoint",
                                              "endPointRef",
                                              "error",
                                              "errorEventDefinition",
                                              "errorRef",
                                              "escalation",
                                              "escalationEventDefinition",
                                              "event",
                                              "eventBasedGateway",
                                              "eventDefinition",
                                              "eventDefinitionRef",
                                              "exclusiveGateway",
                                              "expression",
                                              "extension",
                                              "extensionElements",
                                              "flowNodeRef",
                                              "formalExpression",
                                              "from",
                                              "globalBusinessRuleTask",
                                              "globalChoreographyTask",
                                              "globalConversation",
                                              "globalManualTask",
                                              "globalScriptTask",
                                              "globalTask",
                                              "globalUserTask",
                                              "group",
                                              "humanPerformer",
                                              "implicitThrowEvent",
                                              "import",
                                              "inMessageRef",
                                              "inclusiveGateway",
                                              "incoming",
                                              "innerConversationNodeRef",
                                              "innerMessageFlowRef",
                                              "innerParticipantRef",
                                              "inputDataItem",
                                              "inputSet",
                                              "inputSetRefs",
                                              "interface",
                                              "interfaceRef",
                                              "intermediateCatchEvent",
                                              "intermediateThrowEvent",
                                              "ioBinding",
                                              "ioSpecification",
                                              "itemDefinition",
                                              "lane",
                                              "laneSet",
                                              "linkEventDefinition",
                                              "loopCardinality",
                                              "loopCondition",
                                              "loopDataInputRef",
                                              "loopDataOutputRef",
                                              "manualTask",
                                              "message",
                                              "messageEventDefinition",
                                              "messageFlow",
                                              "messageFlowAssociation",
                                              "messageFlowRef",
                                              "messagePath",
                                              "monitoring",
                                              "multiInstanceLoopCharacteristics",
                                              "operation",
                                              "operationRef",
                                              "optionalInputRefs",
                                              "optionalOutputRefs",
                                              "outMessageRef",
                                              "outerConversationNodeRef",
                                              "outerMessageFlowRef",
                                              "outerParticipantRef",
                                              "outgoing",
                                              "outputDataItem",
                                              "outputSet",
                                              "outputSetRefs",
                                              "parallelGateway",
                                              "participant",
                                              "participantAssociation",
                                              "participantMultiplicity",
                                              "participantRef",
                                              "partitionElement",
                                              "partnerEntity",
                                              "partnerRole",
                                              "performer",
                                              "potentialOwner",
                                              "process",
                                              "property",
                                              "receiveTask",
                                              "relationship",
                                              "rendering",
                                              "resource",
                                              "resourceAssignmentExpression",
                                              "resourceParameter",
                                              "resourceParameterBinding",
                                              "resourceRef",
                                              "resourceRole",
                                              "script",
                                              "scriptTask",
                                              "sendTask",
                                              "sequenceFlow",
                                              "serviceTask",
                                              "signal",
                                              "signalEventDefinition",
                                              "source",
                                              "sourceRef",
                                              "standardLoopCharacteristics",
                                              "startEvent",
                                              "subChoreography",
                                              "subConversation",
                                              "subProcess",
                                              "supportedInterfaceRef",
                                              "supports",
                                              "target",
                                              "targetRef",
                                              "task",
                                              "terminateEventDefinition",
                                              "text",
                                              "textAnnotation",
                                              "timeCycle",
                                              "timeDate",
                                              "timeDuration",
                                              "timerEventDefinition",
                                              "to",
                                              "transaction",
                                              "transformation",
                                              "userTask",
                                              "whileExecutingInputRefs",
                                              "whileExecutingOutputRefs"};

constexpr std::string_view attribute_names[] = {"activityRef",
                                                "associationDirection",
                                                "attachedToRef",
                                                "behavior",
                                                "calledChoreographyRef",
                                                "calledCollaborationRef",
                                                "calledElement",
                                                "cancelActivity",
                                                "cancelRemainingInstances",
                                                "capacity",
                                                "categoryValueRef",
                                                "choreographyRef",
                                                "completionQuantity",
                                                "correlationKeyRef",
                                                "correlationPropertyRef",
                                                "dataObjectRef",
                                                "dataStoreRef",
                                                "default",
                                                "definition",
                                                "definitionalCollaborationRef",
                                                "direction",
                                                "errorCode",
                                                "errorRef",
                                                "escalationCode",
                                                "escalationRef",
                                                "evaluatesToTypeRef",
                                                "eventGatewayType",
                                                "exporter",
                                                "exporterVersion",
                                                "expressionLanguage",
                                                "gatewayDirection",
                                                "id",
                                                "implementation",
                                                "implementationRef",
                                                "importType",
                                                "initiatingParticipantRef",
                                                "innerConversationNodeRef",
                                                "innerMessageFlowRef",
                                                "inputDataRef",
                                                "instantiate",
                                                "isClosed",
                                                "isCollection",
                                                "isExecutable",
                                                "isForCompensation",
                                                "isImmediate",
                                                "isInterrupting",
                                                "isRequired",
                                                "isSequential",
                                                "isUnlimited",
                                                "itemKind",
                                                "itemRef",
                                                "itemSubjectRef",
                                                "language",
                                                "location",
                                                "loopMaximum",
                                                "loopType",
                                                "maximum",
                                                "messageRef",
                                                "method",
                                                "minimum",
                                                "mustUnderstand",
                                                "name",
                                                "namespace",
                                                "noneBehaviorEventRef",
                                                "oneBehaviorEventRef",
                                                "operationRef",
                                                "ordering",
                                                "outerConversationNodeRef",
                                                "outerMessageFlowRef",
                                                "outputDataRef",
                                                "parallelMultiple",
                                                "parameterRef",
                                                "partitionElementRef",
                                                "processRef",
                                                "processType",
                                                "scriptFormat",
                                                "scriptLanguage",
                                                "signalRef",
                                                "sourceRef",
                                                "startQuantity",
                                                "structureRef",
                                                "supportedInterfaceRef",
                                                "targetNamespace",
                                                "targetRef",
                                                "testBefore",
                                                "textFormat",
                                                "triggeredByEvent",
                                                "type",
                                                "typeLanguage",
                                                "value",
                                                "waitForCompletion"};

constexpr std::string_view boolean_names[] = {"cancelActivity",    "cancelRemainingInstances",
                                              "instantiate",       "isClosed",
                                              "isCollection",      "isExecutable",
                                              "isForCompensation", "isImmediate",
                                              "isInterrupting",    "isRequired",
                                              "isSequential",      "isUnlimited",
                                              "parallelMultiple",  "testBefore",
                                              "triggeredByEvent",  "waitForCompletion"};

// An attribute and the values that it may have.
struct Choice {
    std::string_view attribute;
    std::array<std::string_view, 4> values;
};

constexpr Choice attribute_choices[] = {
    {"gatewayDirection", {"Unspecified", "Converging", "Diverging", "Mixed"}},
    {"eventGatewayType", {"Exclusive", "Parallel"}},
    {"ordering", {"Parallel", "Sequential"}},
    {"processType", {"None", "Public", "Private"}},
    {"behavior", {"None", "One", "All", "Complex"}},
    {"associationDirection", {"None", "One", "Both"}},
};

bool is_listed(std::span<const std::string_view> names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

void check_value(Document& document, Element element, const XmlAttribute& attribute) {
    const std::string& value = attribute.value;
    if (is_listed(boolean_names, attribute.name) && value != "true" && value != "false" &&
        value != "1" && value != "0")
        document.error(ProblemKind::bad_value, element,
                       attribute.name + " has to be true or false");
    for (const Choice& choice : attribute_choices) {
        // Data associations and message flows have directions of their own.
        if (choice.attribute != attribute.name || is_listed(choice.values, value)) continue;
        document.error(ProblemKind::bad_value, element,
                       attribute.name + " cannot be '" + value + "'");
    }
}

void check_attributes(Document& document, Element element) {
    const XmlNode& node = element.node();
    for (std::uint32_t i = 0; i < node.attributes; ++i) {
        const XmlAttribute& attribute = element.tree().attributes[node.first_attribute + i];
        if (attribute.space != Space::unnamed) continue;
        if (!is_listed(attribute_names, attribute.name))
            document.error(ProblemKind::unknown_attribute, element,
                           "BPMN has no attribute " + attribute.name);
        else
            check_value(document, element, attribute);
    }
}

bool is_root_element(Element element) {
    static constexpr std::string_view names[] = {"category",
                                                 "collaboration",
                                                 "choreography",
                                                 "correlationProperty",
                                                 "dataStore",
                                                 "documentation",
                                                 "endPoint",
                                                 "error",
                                                 "escalation",
                                                 "extension",
                                                 "extensionElements",
                                                 "globalChoreographyTask",
                                                 "globalConversation",
                                                 "import",
                                                 "interface",
                                                 "itemDefinition",
                                                 "message",
                                                 "partnerEntity",
                                                 "partnerRole",
                                                 "process",
                                                 "relationship",
                                                 "resource",
                                                 "signal"};
    return is_listed(names, element.name()) || is_event_definition(element) ||
           is_global_task(element);
}

// Where an element may be, as far as a wrong place would change what is executed.
void check_place(Document& document, Element element) {
    if (element.is_root()) return;
    const Element parent = element.parent();
    const bool in_scope = parent.is("process") || is_sub_process(parent);
    const bool in_choreography = parent.is("choreography") || parent.is("subChoreography");
    if (parent.is_root() && !is_root_element(element))
        document.error(ProblemKind::unknown_element, element,
                       std::string(element.name()) + " cannot be in definitions");
    const bool scoped = is_flow_node(element) || element.is("sequenceFlow") ||
                        element.is("dataObject") || element.is("dataObjectReference");
    if (scoped && !in_scope && !in_choreography && !parent.is_root())
        document.error(ProblemKind::unknown_element, element,
                       std::string(element.name()) + " has to be in a process or sub-process");
    if (is_choreography_activity(element) && in_scope)
        document.error(ProblemKind::choreography, element,
                       "a process cannot contain " + std::string(element.name()));
    if (element.is("correlationSubscription") && parent.flag("isExecutable"))
        document.error(
            ProblemKind::message, element,
            "correlationSubscription is not supported; give the message a correlation key");
    if (element.is("ioSpecification") && is_sub_process(parent))
        document.error(ProblemKind::item, element, "a sub-process cannot have an ioSpecification");
    if (element.is("property") && !in_scope && !is_activity(parent) && !is_event(parent) &&
        !parent.is_root())
        document.error(ProblemKind::item, element,
                       "a property belongs to a process, an activity or an event");
}

bool needs_id(Element element) {
    return is_flow_node(element) || element.is("process") || is_global_task(element);
}

}  // namespace

void check_structure(Document& document) {
    for (std::uint32_t i = 0; i < document.size(); ++i) {
        const Element element = document.at(i);
        if (element.space() != Space::bpmn) continue;
        if (!is_listed(element_names, element.name())) {
            document.error(ProblemKind::unknown_element, element,
                           "BPMN has no element " + std::string(element.name()));
            continue;
        }
        check_attributes(document, element);
        check_place(document, element);
        if (needs_id(element) && !element.attribute("id"))
            document.error(ProblemKind::missing_id, element,
                           std::string(element.name()) + " needs an id");
    }
}

}  // namespace holdfast::bpmn
