// Sequence flows: what they may connect, conditions, defaults, the lists of incoming and outgoing.
#include <set>

#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

void check_flow_end(Document& document, Element flow, Element end, std::string_view role) {
    const bool source = role == "source";
    const std::string name = end.id() + " (" + std::string(end.name()) + ")";
    const std::string as = " cannot be the " + std::string(role) + " of a sequence flow";
    if (is_event_sub_process(end))
        document.error(ProblemKind::sequence_flow, flow, "the event sub-process " + name + as);
    if (end.is("startEvent") && !source) document.error(ProblemKind::start_event, flow, name + as);
    if (end.is("endEvent") && source) document.error(ProblemKind::end_event, flow, name + as);
    if (end.is("boundaryEvent") && !source)
        document.error(ProblemKind::boundary_event, flow, name + as);
    if (end.flag("isForCompensation"))
        document.error(ProblemKind::compensation, flow, name + " is for compensation: it" + as);
}

void check_flow(Document& document, Element flow) {
    const auto source = document.find(flow.text_of("sourceRef"));
    const auto target = document.find(flow.text_of("targetRef"));
    if (!source || !target || !is_flow_node(*source) || !is_flow_node(*target)) return;
    check_flow_end(document, flow, *source, "source");
    check_flow_end(document, flow, *target, "target");
    if (source->parent() != target->parent())
        document.error(ProblemKind::sequence_flow, flow,
                       "a sequence flow cannot leave its process or sub-process");
    if (flow.unset("isImmediate"))
        document.error(ProblemKind::sequence_flow, flow,
                       "isImmediate cannot be false in an executable process");
    const bool may_have_condition = is_activity(*source) || source->is("exclusiveGateway") ||
                                    source->is("inclusiveGateway") || source->is("complexGateway");
    if (!flow.child("conditionExpression") || may_have_condition) return;
    const std::string which = "a flow out of " + std::string(source->name());
    if (document.is_strict() || source->is("eventBasedGateway"))
        document.error(ProblemKind::sequence_flow, flow, which + " cannot have a condition");
    else if (source->is("parallelGateway"))
        document.warn(ProblemKind::ignored, flow, which + " is taken whatever its condition says");
}

// The flows that nodes list, as pairs of a node and a flow.
class FlowLists {
public:
    FlowLists(const Reading& reading, std::string_view name) {
        for (const Element& node : reading.elements)
            for (const Element& listed : node.children(name))
                if (const auto flow = reading.document.find(listed.text()))
                    listed_.emplace(node.index(), flow->index());
    }

    bool contain(Element node, Element flow) const {
        return listed_.contains({node.index(), flow.index()});
    }

private:
    std::set<std::pair<std::uint32_t, std::uint32_t>> listed_;
};

// Many modelers write no lists.
void check_lists(Reading& reading) {
    Document& document = reading.document;
    if (!document.is_strict()) return;
    const FlowLists incoming(reading, "incoming");
    const FlowLists outgoing(reading, "outgoing");
    for (const Element& flow : reading.flow_elements) {
        const auto source = document.find(flow.text_of("sourceRef"));
        const auto target = document.find(flow.text_of("targetRef"));
        if (source && !outgoing.contain(*source, flow))
            document.error(ProblemKind::sequence_flow, flow,
                           source->id() + " does not list it as outgoing");
        if (target && !incoming.contain(*target, flow))
            document.error(ProblemKind::sequence_flow, flow,
                           target->id() + " does not list it as incoming");
    }
}

void check_listed(Document& document, Element node) {
    for (const auto& [name, end] : {std::pair{"incoming", "targetRef"}, {"outgoing", "sourceRef"}})
        for (const Element& listed : node.children(name)) {
            const auto flow = document.find(listed.text());
            if (!flow || !flow->is("sequenceFlow")) continue;
            const auto at = document.find(flow->text_of(end));
            if (at && *at != node)
                document.error(ProblemKind::sequence_flow, listed,
                               "it lists " + flow->id() + " as " + name +
                                   ", which is connected to " + at->id());
        }
}

// One outgoing flow that is conditional would lose the token.
void check_conditions(Reading& reading, const FlowNode& node, Element element) {
    const Process& process = reading.process;
    const bool chooses =
        node.is_activity() || element.is("exclusiveGateway") || element.is("inclusiveGateway");
    if (chooses && node.outgoing.size() == 1 && process[node.outgoing[0]].condition.has_value())
        reading.document.error(ProblemKind::sequence_flow, element,
                               "its only outgoing flow cannot be conditional");
    if (node.default_flow && process[*node.default_flow].condition.has_value())
        reading.document.error(ProblemKind::sequence_flow, element,
                               "its default flow cannot have a condition");
}

}  // namespace

void check_flows(Reading& reading) {
    for (const Element& scope : reading.scope_elements)
        for (const Element& flow : scope.children("sequenceFlow"))
            check_flow(reading.document, flow);
    check_lists(reading);
    for (std::size_t i = 0; i < reading.elements.size(); ++i) {
        check_listed(reading.document, reading.elements[i]);
        check_conditions(reading, reading.process.nodes[i], reading.elements[i]);
    }
}

}  // namespace holdfast::bpmn
