// Random models as XML.
#include <algorithm>
#include <set>

#include "engine/walks/graph.h"

namespace holdfast::walks {
namespace {

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "='" + value + "'";
}

std::string trigger_of(const Element& element) {
    switch (element.trigger) {
        case Trigger::none: return "";
        case Trigger::message: return "<messageEventDefinition messageRef='" + element.name + "'/>";
        case Trigger::timer:
            return "<timerEventDefinition><timeDuration>PT" + std::to_string(element.seconds) +
                   "S</timeDuration></timerEventDefinition>";
        case Trigger::signal: return "<signalEventDefinition signalRef='" + element.name + "'/>";
        case Trigger::error: return "<errorEventDefinition errorRef='" + element.name + "'/>";
    }
    return "";
}

std::string loop_of(const Element& element) {
    const std::string times = std::to_string(element.times);
    switch (element.repeat) {
        case Repeat::none: return "";
        case Repeat::standard: return "<standardLoopCharacteristics loopMaximum='" + times + "'/>";
        case Repeat::parallel:
        case Repeat::sequential: break;
    }
    return "<multiInstanceLoopCharacteristics isSequential='" +
           std::string(element.repeat == Repeat::sequential ? "true" : "false") +
           "'><loopCardinality>=" + times + "</loopCardinality></multiInstanceLoopCharacteristics>";
}

class Renderer {
public:
    explicit Renderer(const Graph& graph) : graph_(graph) {}

    std::string all() {
        std::string inside = scope(0);
        std::string beside;
        for (const std::string& name : messages_)
            beside += "<message" + attribute("id", name) + attribute("name", name) + "/>";
        for (const std::string& name : signals_)
            beside += "<signal" + attribute("id", name) + attribute("name", name) + "/>";
        for (const std::string& name : errors_)
            beside += "<error" + attribute("id", name) + attribute("errorCode", name) + "/>";
        return "<definitions xmlns='http://www.omg.org/spec/BPMN/20100524/MODEL'"
               " xmlns:zeebe='http://camunda.org/schema/zeebe/1.0' targetNamespace='t'>" +
               beside + "<process id='p' isExecutable='true'>" + inside +
               "</process></definitions>";
    }

private:
    std::string scope(Index index) {
        std::string text;
        for (const Index element : graph_.scopes[index].elements) text += one(graph_[element]);
        for (const Flow& flow : graph_.flows) {
            if (graph_[flow.from].scope != index) continue;
            text += "<sequenceFlow" + attribute("id", flow.id) +
                    attribute("sourceRef", graph_[flow.from].id) +
                    attribute("targetRef", graph_[flow.to].id) + ">";
            if (!flow.condition.empty())
                text += "<conditionExpression>=" + flow.condition + "</conditionExpression>";
            text += "</sequenceFlow>";
        }
        return text;
    }

    std::string one(const Element& element) {
        note(element);
        const std::string name = tag(element);
        std::string attributes = attribute("id", element.id);
        if (element.attached_to)
            attributes += attribute("attachedToRef", graph_[*element.attached_to].id) +
                          attribute("cancelActivity", element.interrupts ? "true" : "false");
        if (element.default_flow)
            attributes += attribute("default", graph_.flows[*element.default_flow].id);
        if (element.kind == Kind::event_sub_process)
            attributes += attribute("triggeredByEvent", "true");
        if (element.kind == Kind::receive) attributes += attribute("messageRef", element.name);
        if (element.kind == Kind::start && element.trigger != Trigger::none)
            attributes += attribute("isInterrupting", element.interrupts ? "true" : "false");
        return "<" + name + attributes + ">" + content(element) + "</" + name + ">";
    }
    std::string content(const Element& element) {
        if (element.inside) return scope(*element.inside);
        switch (element.kind) {
            case Kind::terminate: return "<terminateEventDefinition/>";
            case Kind::error_end: return "<errorEventDefinition errorRef='" + element.name + "'/>";
            case Kind::throw_signal:
                return "<signalEventDefinition signalRef='" + element.name + "'/>";
            case Kind::script:
                return "<extensionElements><zeebe:script expression='=1' resultVariable='" +
                       element.name + "'/></extensionElements>";
            case Kind::user: return loop_of(element);
            case Kind::receive: return "";
            default: return trigger_of(element);
        }
    }
    static std::string tag(const Element& element) {
        static const char* const tags[] = {"startEvent",
                                           "endEvent",
                                           "endEvent",
                                           "endEvent",
                                           "task",
                                           "scriptTask",
                                           "userTask",
                                           "serviceTask",
                                           "receiveTask",
                                           "exclusiveGateway",
                                           "parallelGateway",
                                           "inclusiveGateway",
                                           "eventBasedGateway",
                                           "intermediateCatchEvent",
                                           "intermediateThrowEvent",
                                           "boundaryEvent",
                                           "subProcess",
                                           "subProcess"};
        return tags[static_cast<std::size_t>(element.kind)];
    }
    void note(const Element& element) {
        if (element.trigger == Trigger::message) messages_.insert(element.name);
        if (element.trigger == Trigger::signal || element.kind == Kind::throw_signal)
            signals_.insert(element.name);
        if (element.trigger == Trigger::error || element.kind == Kind::error_end)
            errors_.insert(element.name);
    }

    const Graph& graph_;
    std::set<std::string> messages_;
    std::set<std::string> signals_;
    std::set<std::string> errors_;
};

}  // namespace

std::string xml_of(const Graph& graph) { return Renderer(graph).all(); }

}  // namespace holdfast::walks
