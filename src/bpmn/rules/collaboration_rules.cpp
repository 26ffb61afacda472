// Pools, message flows, conversations and choreographies. They are not executed, but a model that
// contradicts itself here was not meant to run.
#include <charconv>

#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

// The process around an element; of a pool, the process that it refers to.
std::optional<Element> process_around(const Document& document, Element element) {
    if (element.is("participant")) {
        const auto process = document.find(element.text_of("processRef"));
        return process && process->is("process") ? process : std::nullopt;
    }
    while (!element.is_root()) {
        if (element.is("process")) return element;
        element = element.parent();
    }
    return std::nullopt;
}

bool has_definition(const Document& document, Element event, std::string_view name) {
    for (const Element& child : event.children()) {
        if (child.is(name)) return true;
        if (!child.is("eventDefinitionRef")) continue;
        const auto definition = document.find(child.text());
        if (definition && definition->is(name)) return true;
    }
    return false;
}

enum class FlowEnd { source, target };

void check_message_flow_end(Document& document, Element flow, Element end, FlowEnd role) {
    const bool is_source = role == FlowEnd::source;
    const std::string name(end.name());
    const bool never = is_source ? end.is("startEvent") || end.is("intermediateCatchEvent") ||
                                       end.is("boundaryEvent")
                                 : is_throw_event(end);
    if (never)
        document.error(
            ProblemKind::collaboration, flow,
            name + " cannot be the " + (is_source ? "source" : "target") + " of a message flow");
    const bool needs_message = is_source ? is_throw_event(end) : end.is("startEvent");
    if (!never && needs_message && !has_definition(document, end, "messageEventDefinition"))
        document.error(ProblemKind::collaboration, flow,
                       name + " at a message flow needs a messageEventDefinition");
}

void check_message_flow(Document& document, Element flow) {
    const auto source = document.find(flow.text_of("sourceRef"));
    const auto target = document.find(flow.text_of("targetRef"));
    if (!source || !target) return;
    const auto from = process_around(document, *source);
    const auto to = process_around(document, *target);
    const bool same = *source == *target || (from && to && *from == *to);
    if (same)
        document.error(ProblemKind::collaboration, flow,
                       "a message flow has to connect different pools");
    check_message_flow_end(document, flow, *source, FlowEnd::source);
    check_message_flow_end(document, flow, *target, FlowEnd::target);
}

std::optional<int> number_of(Element element, std::string_view name) {
    const auto text = element.attribute(name);
    int number = 0;
    if (!text) return std::nullopt;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
    return number;
}

void check_multiplicity(Document& document, Element element) {
    const auto minimum = number_of(element, "minimum");
    const auto maximum = number_of(element, "maximum");
    if (minimum && *minimum < 0)
        document.error(ProblemKind::collaboration, element, "minimum cannot be negative");
    if (maximum && (*maximum < 1 || (minimum && *maximum < *minimum)))
        document.error(ProblemKind::collaboration, element,
                       "maximum has to be at least one and at least the minimum");
}

// A global conversation has nothing but participants, message flows and correlation keys.
void check_global_conversation(Document& document, Element element) {
    for (const Element& child : element.children())
        if (!child.is("participant") && !child.is("messageFlow") && !child.is("correlationKey") &&
            !child.is("documentation") && !child.is("extensionElements"))
            document.error(ProblemKind::collaboration, child,
                           "a globalConversation cannot contain " + std::string(child.name()));
}

void check_choreography_reference(Document& document, Element reference) {
    const Element owner = reference.parent();
    if (owner.is("choreography") || owner.is("globalConversation"))
        document.error(ProblemKind::choreography, reference,
                       std::string(owner.name()) + " cannot refer to a choreography");
    const auto target = document.find(reference.text());
    if (target && owner.is("collaboration") && target->flag("isClosed") != owner.flag("isClosed"))
        document.error(ProblemKind::collaboration, reference,
                       "isClosed of the collaboration and of its choreography differ");
}

}  // namespace

// Modelers use them as documentation, so that only strict documents are held to these rules.
void check_collaborations(Document& document) {
    if (!document.is_strict()) return;
    for (std::uint32_t i = 0; i < document.size(); ++i) {
        const Element element = document.at(i);
        if (element.is("messageFlow")) check_message_flow(document, element);
        if (element.is("participantMultiplicity")) check_multiplicity(document, element);
        if (element.is("globalConversation")) check_global_conversation(document, element);
        if (element.is("choreographyRef")) check_choreography_reference(document, element);
    }
}

}  // namespace holdfast::bpmn
