// Starts by events. A starter is an instance that waits for what starts others: its listeners are
// the start events, receive tasks and gateways' events that start the process.
#include "engine/families.h"

namespace holdfast::engine {
namespace {

// The event that lets a starter evaluate its conditions, with the variables of its value.
constexpr const char* conditions_event = "start:conditions";

const bpmn::ConditionTrigger* condition_of(Run& run, const Live& live, std::size_t index) {
    const bpmn::Event* event = run.node_of(live).event();
    return event ? std::get_if<bpmn::ConditionTrigger>(&event->triggers[index]) : nullptr;
}

void listen(Run& run, bpmn::FlowNodeId node) {
    Live& live = run.add(node, std::nullopt, Live::Role::listener);
    const bpmn::Event* event = run.process()[node].event();
    const std::size_t triggers = event ? event->triggers.size() : 1;
    for (std::size_t i = 0; i < triggers; ++i) listen_again(run, live, i);
}

// What is behind a gateway that starts the process.
std::vector<bpmn::FlowNodeId> behind(Run& run, bpmn::FlowNodeId gateway) {
    std::vector<bpmn::FlowNodeId> nodes;
    for (const bpmn::FlowId flow : run.process()[gateway].outgoing)
        nodes.push_back(run.process()[flow].target);
    return nodes;
}

// The gateway whose event started the process. Absent: another start.
std::optional<bpmn::FlowNodeId> gateway_before(Run& run, bpmn::FlowNodeId node) {
    for (const bpmn::FlowId flow : run.process()[node].incoming) {
        const bpmn::FlowNodeId source = run.process()[flow].source;
        const bpmn::Gateway* gateway = run.process()[source].gateway();
        if (gateway && gateway->instantiates) return source;
    }
    return std::nullopt;
}

bool is_complete(const Live& live, const bpmn::Event* event) {
    return !event || !event->all_triggers || live.memo.at("triggers").as_object().empty();
}

void add_instance(Run& run, const Live& live, const bj::value& value) {
    run.reaction().children.push_back({.id = {run.new_id()},
                                       .definition = run.process().id,
                                       .business = {},
                                       .arguments = Document::of(value),
                                       .detached = true,
                                       .at = run.node_of(live).id});
}

// Nothing has a value yet that could correlate: the name alone starts an instance.
std::optional<EventKey> message_awaited(Run& run, const Live& live, std::size_t index) {
    const bpmn::FlowNode& node = run.node_of(live);
    std::optional<bpmn::MessageId> message;
    if (!node.event())
        message = node.task()->message;
    else if (const auto* trigger =
                 std::get_if<bpmn::MessageTrigger>(&node.event()->triggers[index]))
        message = trigger->message;
    if (message) return EventKey(run.text(run.process()[*message].name, std::nullopt));
    if (!node.event()) return EventKey(node.id);
    return std::nullopt;
}

}  // namespace

void listen_again(Run& run, Live& live, std::size_t index) {
    Wait wait;
    if (auto message = message_awaited(run, live, index))
        wait.names = {*std::move(message)};
    else if (condition_of(run, live, index))
        wait.names = {EventKey(conditions_event)};
    else
        return arm_one(run, live, index);
    const TokenId token = run.await(live, std::move(wait));
    if (!live.memo.contains("triggers")) live.memo["triggers"] = bj::object{};
    live.memo["triggers"].as_object()[to_string(token)] = index;
}

bool starts_by_events(const bpmn::Process& process) {
    return !process.scopes.front().triggered_starts.empty();
}

void open_starts(Run& run) {
    for (const bpmn::FlowNodeId start : run.process().scopes.front().triggered_starts) {
        if (!run.process()[start].gateway()) {
            listen(run, start);
            continue;
        }
        for (const bpmn::FlowNodeId node : behind(run, start)) listen(run, node);
    }
}

void start_instance(Run& run, Live& live, const TokenId& token, const bj::value& value) {
    const auto index = take_trigger(live, token);
    if (!index) return;
    const bpmn::Event* event = run.node_of(live).event();
    const bpmn::ConditionTrigger* condition = condition_of(run, live, *index);
    const bj::object none;
    const auto counts = condition ? run.check(condition->condition, std::nullopt,
                                              value.is_object() ? value.get_object() : none)
                                  : Result<bool>(true);
    if (!counts) run.raise("bad_condition", run.node_of(live).id, counts.error().message);
    if (!counts || !*counts) return listen_again(run, live, *index);
    if (!is_complete(live, event)) return;
    add_instance(run, live, value);
    if (!event || !event->all_triggers) return listen_again(run, live, *index);
    for (std::size_t i = 0; i < event->triggers.size(); ++i) listen_again(run, live, i);
}

void begin_at(Run& run, bpmn::FlowNodeId node, const bj::value& value) {
    const auto gateway = gateway_before(run, node);
    if (gateway && run.process()[*gateway].gateway()->all_events)
        for (const bpmn::FlowNodeId other : behind(run, *gateway))
            if (other != node) run.move(other, std::nullopt);
    if (run.process()[node].task()) {
        const ActivityInstanceId id = begin_activity(run, node, std::nullopt);
        if (Live* live = run.find(id)) resume_receive_task(run, *live, value);
        return;
    }
    take_and_leave(run, node, value, std::nullopt);
}

}  // namespace holdfast::engine
