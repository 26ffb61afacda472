// Every reference names an element of the document, of the right kind.
#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

using IsKind = bool (*)(Element);

bool is_anything(Element) { return true; }
bool is_message(Element element) { return element.is("message"); }
bool is_item_definition(Element element) { return element.is("itemDefinition"); }
bool is_sequence_flow(Element element) { return element.is("sequenceFlow"); }
bool is_operation(Element element) { return element.is("operation"); }
bool is_process_element(Element element) { return element.is("process"); }
bool is_participant(Element element) { return element.is("participant"); }
bool is_message_flow(Element element) { return element.is("messageFlow"); }
bool is_interaction_node(Element element) {
    return is_participant(element) || is_activity(element) || is_event(element) ||
           is_choreography_activity(element) || element.is("conversation") ||
           element.is("subConversation") || element.is("callConversation");
}
bool is_flow_or_choreography_node(Element element) {
    return is_flow_node(element) || is_choreography_activity(element);
}
bool is_input(Element element) { return element.is("dataInput"); }
bool is_output(Element element) { return element.is("dataOutput"); }

// `owner` empty: any element. The reference is an attribute, or the text of a child element.
struct Reference {
    std::string_view owner;
    std::string_view name;
    IsKind kind;
    std::string_view wanted;
    // Vendors accept other texts here: the code of an error, the name of a variable or of a type.
    bool in_strict_documents = false;
};

constexpr Reference attribute_references[] = {
    {"sequenceFlow", "sourceRef", is_flow_or_choreography_node, "a flow node"},
    {"sequenceFlow", "targetRef", is_flow_or_choreography_node, "a flow node"},
    {"messageFlow", "sourceRef", is_interaction_node, "a pool, an activity or an event"},
    {"messageFlow", "targetRef", is_interaction_node, "a pool, an activity or an event"},
    {"association", "sourceRef", is_anything, "an element"},
    {"association", "targetRef", is_anything, "an element"},
    {"", "attachedToRef", is_activity, "an activity"},
    {"", "default", is_sequence_flow, "a sequence flow"},
    {"", "messageRef", is_message, "a message"},
    {"", "signalRef", [](Element e) { return e.is("signal"); }, "a signal"},
    {"errorEventDefinition", "errorRef", [](Element e) { return e.is("error"); }, "an error", true},
    {"", "escalationRef", [](Element e) { return e.is("escalation"); }, "an escalation"},
    {"", "activityRef", is_activity, "an activity"},
    {"", "itemRef", is_item_definition, "an itemDefinition"},
    {"", "itemSubjectRef", is_item_definition, "an itemDefinition"},
    {"signal", "structureRef", is_item_definition, "an itemDefinition", true},
    {"error", "structureRef", is_item_definition, "an itemDefinition", true},
    {"escalation", "structureRef", is_item_definition, "an itemDefinition", true},
    {"", "dataObjectRef", [](Element e) { return e.is("dataObject"); }, "a data object"},
    {"", "dataStoreRef", [](Element e) { return e.is("dataStore"); }, "a data store"},
    {"serviceTask", "operationRef", is_operation, "an operation"},
    {"sendTask", "operationRef", is_operation, "an operation"},
    {"receiveTask", "operationRef", is_operation, "an operation"},
    {"ioBinding", "operationRef", is_operation, "an operation"},
    {"ioBinding", "inputDataRef", is_anything, "an input set"},
    {"ioBinding", "outputDataRef", is_anything, "an output set"},
    {"participant", "processRef", is_process_element, "a process"},
    {"", "oneBehaviorEventRef", is_event_definition, "an event definition"},
    {"", "noneBehaviorEventRef", is_event_definition, "an event definition"},
    {"", "categoryValueRef", [](Element e) { return e.is("categoryValue"); }, "a category value"},
    {"", "correlationKeyRef", [](Element e) { return e.is("correlationKey"); },
     "a correlation key"},
    {"", "correlationPropertyRef", [](Element e) { return e.is("correlationProperty"); },
     "a correlation property"},
    {"", "parameterRef", [](Element e) { return e.is("resourceParameter"); },
     "a resource parameter"},
    {"process", "definitionalCollaborationRef",
     [](Element e) { return e.is("collaboration") || e.is("choreography"); }, "a collaboration"},
    {"", "initiatingParticipantRef", is_participant, "a participant"},
};

constexpr Reference child_references[] = {
    {"", "incoming", is_sequence_flow, "a sequence flow"},
    {"", "outgoing", is_sequence_flow, "a sequence flow"},
    {"", "eventDefinitionRef", is_event_definition, "an event definition"},
    {"", "operationRef", is_operation, "an operation"},
    {"", "inMessageRef", is_message, "a message"},
    {"", "outMessageRef", is_message, "a message"},
    {"operation", "errorRef", [](Element e) { return e.is("error"); }, "an error"},
    {"", "flowNodeRef", is_flow_node, "a flow node", true},
    {"", "dataInputRefs", is_input, "a data input"},
    {"", "optionalInputRefs", is_input, "a data input"},
    {"", "whileExecutingInputRefs", is_input, "a data input"},
    {"", "dataOutputRefs", is_output, "a data output"},
    {"", "optionalOutputRefs", is_output, "a data output"},
    {"", "whileExecutingOutputRefs", is_output, "a data output"},
    {"", "inputSetRefs", [](Element e) { return e.is("inputSet"); }, "an input set"},
    {"", "outputSetRefs", [](Element e) { return e.is("outputSet"); }, "an output set"},
    {"dataInputAssociation", "sourceRef", is_item_aware, "a data object"},
    {"dataInputAssociation", "targetRef", is_item_aware, "a data input"},
    {"dataOutputAssociation", "sourceRef", is_item_aware, "a data output"},
    {"dataOutputAssociation", "targetRef", is_item_aware, "a data object"},
    {"", "loopDataInputRef", is_item_aware, "a data input", true},
    {"", "loopDataOutputRef", is_item_aware, "a data output", true},
    {"linkEventDefinition", "source", [](Element e) { return e.is("linkEventDefinition"); },
     "a link"},
    {"linkEventDefinition", "target", [](Element e) { return e.is("linkEventDefinition"); },
     "a link"},
    {"", "correlationPropertyRef", [](Element e) { return e.is("correlationProperty"); },
     "a correlation property"},
    {"", "resourceRef", [](Element e) { return e.is("resource"); }, "a resource"},
    {"", "supportedInterfaceRef", [](Element e) { return e.is("interface"); }, "an interface"},
    {"participant", "interfaceRef", [](Element e) { return e.is("interface"); }, "an interface"},
    {"", "participantRef", is_participant, "a participant"},
    {"", "messageFlowRef", is_message_flow, "a message flow"},
    {"", "choreographyRef", [](Element e) { return e.is("choreography"); }, "a choreography"},
};

void check_reference(Document& document, Element place, std::string_view value,
                     const Reference& reference) {
    if (reference.in_strict_documents && !document.is_strict()) return;
    const std::string name(reference.name);
    const auto target = document.find(value);
    if (!target)
        document.error(ProblemKind::missing_reference, place,
                       name + " names '" + std::string(value) + "', which does not exist");
    else if (!reference.kind(*target))
        document.error(ProblemKind::wrong_reference, place,
                       name + " names '" + std::string(value) + "', which is " +
                           std::string(target->name()) + " and not " +
                           std::string(reference.wanted));
}

void check_attribute_references(Document& document, Element element) {
    for (const Reference& reference : attribute_references) {
        if (!reference.owner.empty() && !element.is(reference.owner)) continue;
        if (const auto value = element.attribute(reference.name))
            check_reference(document, element, *value, reference);
    }
}

void check_child_reference(Document& document, Element element) {
    if (element.is_root()) return;
    for (const Reference& reference : child_references) {
        if (!element.is(reference.name)) continue;
        if (!reference.owner.empty() && !element.parent().is(reference.owner)) continue;
        check_reference(document, element, element.text(), reference);
    }
}

void check_required(Document& document, Element element, std::string_view owner,
                    std::string_view name) {
    if (element.is(owner) && !element.attribute(name))
        document.error(ProblemKind::missing_reference, element,
                       std::string(owner) + " needs " + std::string(name));
}

}  // namespace

void check_references(Document& document) {
    for (std::uint32_t i = 0; i < document.size(); ++i) {
        const Element element = document.at(i);
        if (element.space() != Space::bpmn) continue;
        check_attribute_references(document, element);
        check_child_reference(document, element);
        for (const std::string_view name : {"sourceRef", "targetRef"}) {
            check_required(document, element, "sequenceFlow", name);
            check_required(document, element, "messageFlow", name);
        }
        check_required(document, element, "boundaryEvent", "attachedToRef");
        check_required(document, element, "dataObjectReference", "dataObjectRef");
    }
}

}  // namespace holdfast::bpmn
