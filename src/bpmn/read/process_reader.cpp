#include "bpmn/read/process_reader.h"

#include "bpmn/read/names.h"
#include "bpmn/read/node_readers.h"

namespace holdfast::bpmn {
namespace {

class ProcessReader {
public:
    explicit ProcessReader(Reading& reading) : reading_(reading), process_(reading.process) {}

    void add_scope(Element element, std::optional<ScopeId> parent,
                   std::optional<FlowNodeId> owner) {
        const ScopeId id{static_cast<std::uint32_t>(process_.scopes.size())};
        Scope scope;
        scope.id = element.id();
        scope.parent = parent;
        scope.owner = owner;
        process_.scopes.push_back(std::move(scope));
        reading_.scope_elements.push_back(element);
        if (owner) std::get<SubProcess>(process_.nodes[owner->index].element).inside = id;
        for (const Element& child : element.children()) {
            if (is_flow_node(child)) add_node(child, id);
            if (child.is("dataObject") || child.is("property")) add_variable(child, id);
        }
    }

    FlowNodeId add_node(Element element, ScopeId scope) {
        const FlowNodeId id{static_cast<std::uint32_t>(process_.nodes.size())};
        FlowNode node;
        node.id = element.id();
        node.name = element.text_of("name");
        node.line = element.line();
        node.scope = scope;
        if (is_sub_process(element)) node.element = SubProcess{};
        process_.nodes.push_back(std::move(node));
        process_.scopes[scope.index].nodes.push_back(id);
        process_.node_ids.emplace(element.id(), id);
        reading_.elements.push_back(element);
        reading_.node_of.emplace(element.index(), id);
        if (is_sub_process(element)) add_scope(element, scope, id);
        return id;
    }

    void read_nodes() {
        for (std::uint32_t i = 0; i < process_.nodes.size(); ++i) {
            const Element element = reading_.elements[i];
            FlowNode& node = process_.nodes[i];
            node.properties = read_properties(element);
            if (is_event(element)) node.element = read_event(reading_, element);
            if (is_gateway(element)) node.element = read_gateway(reading_, element);
            if (is_task(element) || is_global_task(element))
                node.element = read_task(reading_, element);
            if (element.is("callActivity")) node.element = read_call_activity(reading_, element);
            if (auto* inner = std::get_if<SubProcess>(&node.element))
                read_sub_process(reading_, element, *inner);
            if (node.is_activity()) node.activity = read_activity(reading_, element);
        }
    }

    // A flow whose ends are not nodes of this process is reported by the rules of references.
    void read_flows() {
        for (const Element& scope : reading_.scope_elements)
            for (const Element& flow : scope.children("sequenceFlow")) add_flow(flow);
    }

    void read_defaults() {
        for (std::uint32_t i = 0; i < process_.nodes.size(); ++i) {
            const auto named = reading_.elements[i].attribute("default");
            if (!named) continue;
            FlowNode& node = process_.nodes[i];
            for (const FlowId flow : node.outgoing)
                if (process_[flow].id == *named) node.default_flow = flow;
            if (!node.default_flow)
                reading_.document.error(ProblemKind::sequence_flow, reading_.elements[i],
                                        "the default flow " + std::string(*named) +
                                            " is not one of its outgoing flows");
        }
    }

    void read_lanes(Element process) {
        std::vector<Element> open{process};
        while (!open.empty()) {
            const Element element = open.back();
            open.pop_back();
            for (const Element& child : element.children())
                if (child.is("laneSet") || child.is("childLaneSet") || child.is("lane") ||
                    is_sub_process(child))
                    open.push_back(child);
            if (element.is("lane")) add_lane(element);
        }
    }

private:
    void add_variable(Element element, ScopeId scope) {
        process_.scopes[scope.index].variables.push_back(
            {.id = element.id(),
             .name = element.text_of("name").empty() ? element.id() : element.text_of("name"),
             .is_collection = element.flag("isCollection")});
    }

    void add_flow(Element element) {
        const auto source = reading_.node(element.text_of("sourceRef"));
        const auto target = reading_.node(element.text_of("targetRef"));
        if (!source || !target) return;
        const FlowId id{static_cast<std::uint32_t>(process_.flows.size())};
        SequenceFlow flow{.id = element.id(),
                          .name = element.text_of("name"),
                          .line = element.line(),
                          .source = *source,
                          .target = *target,
                          .condition = {}};
        if (flow.id.empty())
            flow.id =
                process_[*source].id + "->" + process_[*target].id + "#" + std::to_string(id.index);
        if (const auto holder = element.child("conditionExpression"))
            flow.condition = reading_.condition(*holder);
        process_.flows.push_back(std::move(flow));
        process_.scopes[process_[*source].scope.index].flows.push_back(id);
        process_.nodes[source->index].outgoing.push_back(id);
        process_.nodes[target->index].incoming.push_back(id);
        reading_.flow_elements.push_back(element);
    }

    // The innermost lane wins: it comes last.
    void add_lane(Element element) {
        const LaneId id{static_cast<std::uint32_t>(process_.lanes.size())};
        process_.lanes.push_back({.id = element.id(), .name = element.text_of("name")});
        for (const Element& reference : element.children("flowNodeRef"))
            if (const auto node = reading_.node(reference.text()))
                process_.nodes[node->index].lane = id;
    }

    Reading& reading_;
    Process& process_;
};

// What follows from the nodes and flows together.
class Connections {
public:
    explicit Connections(Reading& reading) : reading_(reading), process_(reading.process) {}

    void connect() {
        for (std::uint32_t i = 0; i < process_.nodes.size(); ++i) {
            add_boundary(FlowNodeId{i});
            add_link_target(FlowNodeId{i});
        }
        for (std::uint32_t i = 0; i < process_.nodes.size(); ++i) add_link(FlowNodeId{i});
        add_compensation_handlers();
        for (Scope& scope : process_.scopes) {
            for (const FlowNodeId node : scope.nodes) place(scope, node);
            if (!has_start(scope)) add_entries_without_start(scope);
        }
    }

private:
    void add_boundary(FlowNodeId id) {
        const Event* event = process_[id].event();
        if (event && event->attached_to)
            process_.nodes[event->attached_to->index].activity.boundary_events.push_back(id);
    }

    static const LinkTrigger* link_of(const FlowNode& node, Event::Position position) {
        const Event* event = node.event();
        if (!event || event->position != position || event->triggers.size() != 1) return nullptr;
        return std::get_if<LinkTrigger>(&event->triggers[0]);
    }

    void add_link_target(FlowNodeId id) {
        const FlowNode& node = process_[id];
        const LinkTrigger* link = link_of(node, Event::Position::intermediate_catch);
        if (!link) return;
        targets_.emplace(std::pair(node.scope, link->name), id);
        if (const auto definition = definition_of(id))
            named_targets_.emplace(std::pair(node.scope, definition->index()), id);
    }

    // A target that is named by its id beats equal names.
    void add_link(FlowNodeId id) {
        if (!link_of(process_[id], Event::Position::intermediate_throw)) return;
        FlowNode& node = process_.nodes[id.index];
        auto& link = std::get<LinkTrigger>(std::get<Event>(node.element).triggers[0]);
        if (const auto named = named_target(reading_.elements[id.index])) {
            const auto found = named_targets_.find({node.scope, named->index()});
            if (found != named_targets_.end()) link.target = found->second;
        } else if (const auto found = targets_.find({node.scope, link.name});
                   found != targets_.end()) {
            link.target = found->second;
        }
        if (link.target)
            std::get<Event>(process_.nodes[link.target->index].element).link_sources.push_back(id);
    }

    std::optional<Element> definition_of(FlowNodeId node) const {
        for (const Element& child : reading_.elements[node.index].children()) {
            if (child.is("linkEventDefinition")) return child;
            if (child.is("eventDefinitionRef")) return reading_.document.find(child.text());
        }
        return std::nullopt;
    }

    std::optional<Element> named_target(Element thrower) const {
        const auto definition = thrower.child("linkEventDefinition");
        const auto target = definition ? definition->child("target") : std::nullopt;
        return target ? reading_.document.find(target->text()) : std::nullopt;
    }

    // A boundary event of compensation is associated with the handler.
    void add_compensation_handlers() {
        for (const Element& scope : reading_.scope_elements)
            for (const Element& association : scope.children("association"))
                add_handler(association);
    }

    void add_handler(Element association) {
        auto boundary = reading_.node(association.text_of("sourceRef"));
        auto handler = reading_.node(association.text_of("targetRef"));
        if (!boundary || !handler) return;
        if (!catches_compensation(*boundary)) std::swap(boundary, handler);
        if (!catches_compensation(*boundary) || !process_[*handler].is_activity()) return;
        const auto activity = process_[*boundary].event()->attached_to;
        if (activity) process_.nodes[activity->index].activity.compensation_handler = *handler;
    }

    bool catches_compensation(FlowNodeId id) const {
        const Event* event = process_[id].event();
        return event && event->position == Event::Position::boundary &&
               event->triggers.size() == 1 &&
               std::holds_alternative<CompensationTrigger>(event->triggers[0]);
    }

    void place(Scope& scope, FlowNodeId id) {
        const FlowNode& node = process_[id];
        const Event* event = node.event();
        if (event && event->position == Event::Position::start)
            (event->triggers.empty() ? scope.entries : scope.triggered_starts).push_back(id);
        const bool instantiates = (node.task() && node.task()->instantiates) ||
                                  (node.gateway() && node.gateway()->instantiates);
        if (instantiates) scope.triggered_starts.push_back(id);
        if (node.sub_process() && node.sub_process()->kind == SubProcess::Kind::event)
            scope.event_sub_processes.push_back(id);
    }

    static bool has_start(const Scope& scope) {
        return !scope.entries.empty() || !scope.triggered_starts.empty();
    }

    void add_entries_without_start(Scope& scope) {
        for (const FlowNodeId id : scope.nodes) {
            const FlowNode& node = process_[id];
            const bool outside =
                node.activity.for_compensation ||
                (node.sub_process() && node.sub_process()->kind == SubProcess::Kind::event);
            const Event* event = node.event();
            const bool entered_otherwise =
                event && (event->position == Event::Position::boundary ||
                          link_of(node, Event::Position::intermediate_catch) != nullptr);
            if (node.incoming.empty() && !outside && !entered_otherwise)
                scope.entries.push_back(id);
        }
    }

    Reading& reading_;
    Process& process_;
    std::map<std::pair<ScopeId, std::string>, FlowNodeId> targets_;
    std::map<std::pair<ScopeId, std::uint32_t>, FlowNodeId> named_targets_;  // by link definition
};

}  // namespace

void read_process(Reading& reading, Element element) {
    Process& process = reading.process;
    process.id = element.id();
    process.line = element.line();
    process.name = element.text_of("name");
    process.version_tag = element.attribute(Space::camunda, "versionTag").value_or("");
    if (const auto tag = extension_of(element, Space::zeebe, "versionTag"))
        process.version_tag = tag->text_of("value");
    ProcessReader reader(reading);
    reader.add_scope(element, std::nullopt, std::nullopt);
    reader.read_nodes();
    reader.read_flows();
    reader.read_defaults();
    reader.read_lanes(element);
    Connections(reading).connect();
}

void read_global_task(Reading& reading, Element element) {
    Process& process = reading.process;
    process.id = element.id();
    process.line = element.line();
    process.name = element.text_of("name");
    ProcessReader reader(reading);
    process.scopes.emplace_back();
    process.scopes[0].id = element.id();
    reading.scope_elements.push_back(element);
    const FlowNodeId task = reader.add_node(element, ScopeId{0});
    reader.read_nodes();
    process.scopes[0].entries.push_back(task);
}

}  // namespace holdfast::bpmn
