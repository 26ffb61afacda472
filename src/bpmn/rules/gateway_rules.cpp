// Gateways: their directions, and what may follow an event-based one.
#include "bpmn/read/names.h"
#include "bpmn/rules/rules.h"

namespace holdfast::bpmn {
namespace {

class GatewayRules {
public:
    GatewayRules(Reading& reading, FlowNodeId id)
        : document_(reading.document),
          reading_(reading),
          node_(reading.process[id]),
          element_(reading.elements[id.index]) {}

    void check() {
        check_direction();
        if (node_.gateway()->kind == Gateway::Kind::event_based) check_event_based();
    }

private:
    void refuse(std::string message) {
        document_.error(ProblemKind::gateway, element_, std::move(message));
    }

    void check_direction() {
        const std::size_t in = node_.incoming.size();
        const std::size_t out = node_.outgoing.size();
        const std::string direction = element_.text_of("gatewayDirection");
        if (direction == "Converging" && out > 1)
            refuse("a converging gateway has at most one outgoing flow");
        if (direction == "Diverging" && in > 1)
            refuse("a diverging gateway has at most one incoming flow");
        if (direction == "Mixed" && (in < 2 || out < 2))
            refuse("a mixed gateway has several incoming and several outgoing flows");
        if (in == 0 && out == 0) refuse("a gateway needs sequence flows");
        if (document_.is_strict() && in < 2 && out < 2 &&
            node_.gateway()->kind != Gateway::Kind::event_based)
            refuse("a gateway has several incoming or several outgoing flows");
    }

    void check_event_based() {
        if (node_.outgoing.empty() || (document_.is_strict() && node_.outgoing.size() < 2))
            refuse("an event-based gateway has at least two outgoing flows");
        if (node_.gateway()->instantiates && !node_.incoming.empty())
            refuse("a gateway that starts the process has no incoming flow");
        bool any_message = false;
        bool any_receive = false;
        for (const FlowId flow : node_.outgoing) {
            const FlowNodeId target = reading_.process[flow].target;
            check_target(target);
            const Element element = reading_.elements[target.index];
            any_receive = any_receive || element.is("receiveTask");
            for (const Element& definition : definitions_of(document_, element))
                any_message = any_message || definition.is("messageEventDefinition");
        }
        if (any_message && any_receive)
            refuse("message events and receive tasks cannot follow the same gateway");
    }

    void check_target(FlowNodeId target) {
        const FlowNode& node = reading_.process[target];
        const Element element = reading_.elements[target.index];
        if (!is_allowed_target(element))
            refuse(
                "it can be followed by receive tasks and by message, timer, signal and "
                "conditional catch events, not by " +
                node.id);
        if (node.incoming.size() > 1)
            refuse(node.id + " follows an event-based gateway: it has no other incoming flow");
        if (!node.activity.boundary_events.empty())
            refuse(node.id + " follows an event-based gateway: it cannot have boundary events");
    }

    bool is_allowed_target(Element element) const {
        if (element.is("receiveTask")) return true;
        const auto definitions = definitions_of(document_, element);
        if (!element.is("intermediateCatchEvent") || definitions.empty()) return false;
        for (const Element& definition : definitions)
            if (!definition.is("messageEventDefinition") &&
                !definition.is("timerEventDefinition") && !definition.is("signalEventDefinition") &&
                !definition.is("conditionalEventDefinition"))
                return false;
        return true;
    }

    Document& document_;
    Reading& reading_;
    const FlowNode& node_;
    Element element_;
};

}  // namespace

void check_gateways(Reading& reading) {
    for (std::uint32_t i = 0; i < reading.process.nodes.size(); ++i)
        if (reading.process.nodes[i].gateway()) GatewayRules(reading, FlowNodeId{i}).check();
}

}  // namespace holdfast::bpmn
