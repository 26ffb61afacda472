// Events that wait: catch events, boundary events, starts of event sub-processes.
#include "engine/families.h"
#include "engine/timers.h"
#include "feel/values/show.h"
#include "model/definition.h"

namespace holdfast::engine {
namespace {

const bpmn::Event& event_of(Run& run, const Live& live) { return *run.node_of(live).event(); }

// Parallel multiple: whether the last one of its triggers has occurred.
bool is_last_trigger(Run& run, Live& live) {
    if (!event_of(run, live).all_triggers) return true;
    return live.memo["triggers"].as_object().empty();
}

void end_gate(Run& run, const Live& winner) {
    const bj::value* gate = winner.memo.if_contains("gate");
    if (!gate) return;
    std::vector<ActivityInstanceId> others;
    for (const Live& live : run.lives())
        if (const bj::value* other = live.memo.if_contains("gate");
            other && *other == *gate && live.id != winner.id)
            others.push_back(live.id);
    for (const ActivityInstanceId& id : others) run.drop(id);
}

void fire_boundary(Run& run, Live& live, std::size_t index, const bj::value& value) {
    const bpmn::FlowNodeId node = live.node;
    const Around parent = live.parent;
    const bpmn::Event& event = event_of(run, live);
    const auto host = parse_id<ActivityInstanceId>(live.memo.at("on").as_string());
    if (event.interrupts)
        run.drop(*host);
    else
        arm_one(run, live, index);
    take_and_leave(run, node, value, parent);
}

void fire_start(Run& run, Live& live, std::size_t index, const bj::value& value) {
    const bpmn::Event& event = event_of(run, live);
    const Around parent = live.parent;
    const bpmn::FlowNodeId start = live.node;
    if (!event.interrupts) arm_one(run, live, index);
    begin_event_sub_process(run, start, parent, value);
}

void fire(Run& run, Live& live, std::size_t index, const bj::value& value) {
    const bpmn::Event& event = event_of(run, live);
    if (event.position == bpmn::Event::Position::boundary)
        return fire_boundary(run, live, index, value);
    if (event.position == bpmn::Event::Position::start) return fire_start(run, live, index, value);
    end_gate(run, live);
    const bpmn::FlowNodeId node = live.node;
    const Around parent = live.parent;
    run.drop(live.id);
    take_and_leave(run, node, value, parent);
}

void trigger_index(Run& run, Live& live, std::size_t index, const bj::value& value) {
    if (!is_last_trigger(run, live)) return void(take_payload(run, {}, value, live.parent));
    const bpmn::Event& event = event_of(run, live);
    if (event.triggers.size() > 1) {
        run.end_waits(live.id);
        live.memo["triggers"] = bj::object{};
        // All of them wait again, except the one that `fire` arms.
        if (!event.interrupts && live.role == Live::Role::listener)
            for (std::size_t other = 0; other < event.triggers.size(); ++other)
                if (other != index) arm_one(run, live, other);
    }
    fire(run, live, index, value);
}

// A copy, because what is done with them changes the memo.
std::vector<std::pair<TokenId, std::size_t>> armed_triggers(const Live& live) {
    std::vector<std::pair<TokenId, std::size_t>> armed;
    if (const bj::value* known = live.memo.if_contains("triggers"))
        for (const auto& [token, index] : known->as_object())
            armed.emplace_back(*parse_id<TokenId>(token), index.to_number<std::size_t>());
    return armed;
}

// Conditions fire when they become true. Null is not yet: a variable is missing.
bool became_true(Run& run, Live& live, const bpmn::ConditionTrigger& trigger) {
    const auto value = run.evaluate(trigger.condition, live.parent);
    const bool fails = !value || !(value->is_null() || value->get<bool>());
    if (fails && !live.memo.contains("bad"))
        run.raise("bad_condition", run.node_of(live).id,
                  value ? "its condition is not true or false" : value.error().message);
    if (fails) live.memo["bad"] = true;
    if (!fails) live.memo.erase("bad");
    const bool is = value && value->is_true();
    const bj::value* before = live.memo.if_contains("was");
    const bool was = before && before->as_bool();
    if (is != was) live.memo["was"] = is;
    return is && !was;
}

}  // namespace

void arm_one(Run& run, Live& live, std::size_t index) {
    const bpmn::Trigger& trigger = event_of(run, live).triggers[index];
    Wait wait;
    if (const auto* message = std::get_if<bpmn::MessageTrigger>(&trigger)) {
        auto key = key_of(run, run.process()[*message->message], live.parent);
        if (!key) return hold_unarmed(run, live, index, "no_correlation_key", key.error().message);
        wait.names = {*std::move(key)};
    } else if (const auto* signal = std::get_if<bpmn::SignalTrigger>(&trigger)) {
        wait.names = {run.text(run.process()[signal->signal].name, live.parent)};
    } else if (const auto* timer = std::get_if<bpmn::TimerTrigger>(&trigger)) {
        const auto due = next_due_of(run, live, *timer);
        if (!due) return hold_unarmed(run, live, index, "bad_timer", due.error().message);
        if (!*due) return;
        wait.until = *due;
    } else {
        // Nobody sends this: conditions are evaluated when the process moves.
        wait.names = {"process/condition/" + to_string(live.id)};
    }
    const TokenId token = run.await(live, std::move(wait));
    if (!live.memo.contains("triggers")) live.memo["triggers"] = bj::object{};
    live.memo["triggers"].as_object()[to_string(token)] = index;
}

void hold_unarmed(Run& run, Live& live, std::size_t index, const std::string& code,
                  const std::string& detail) {
    if (!live.memo.contains("unarmed")) live.memo["unarmed"] = bj::array{};
    live.memo["unarmed"].as_array().emplace_back(index);
    run.hold(live, "arm", code, detail);
}

void arm_rest(Run& run, Live& live) {
    const bj::array unarmed = live.memo.at("unarmed").as_array();
    live.memo.erase("unarmed");
    for (const bj::value& index : unarmed) {
        if (is_starter(run.instance()))
            listen_again(run, live, index.to_number<std::size_t>());
        else
            arm_one(run, live, index.to_number<std::size_t>());
    }
}

void arm(Run& run, Live& live) {
    for (std::size_t i = 0; i < event_of(run, live).triggers.size(); ++i) arm_one(run, live, i);
}

void trigger(Run& run, Live& live, const TokenId& token, const bj::value& value) {
    if (const auto index = take_trigger(live, token)) trigger_index(run, live, *index, value);
}

std::optional<std::size_t> take_trigger(Live& live, const TokenId& token) {
    bj::value* known = live.memo.if_contains("triggers");
    const bj::value* index = known ? known->as_object().if_contains(to_string(token)) : nullptr;
    if (!index) return std::nullopt;
    const std::size_t which = index->to_number<std::size_t>();
    known->as_object().erase(to_string(token));
    return which;
}

bool fire_conditions(Run& run) {
    for (Live& live : run.lives()) {
        const bpmn::Event* event = run.node_of(live).event();
        if (!event) continue;
        for (const auto& [token, index] : armed_triggers(live)) {
            const auto* condition = std::get_if<bpmn::ConditionTrigger>(&event->triggers[index]);
            if (!condition || !became_true(run, live, *condition)) continue;
            run.end_wait(token);
            trigger(run, live, token, nullptr);
            return true;
        }
    }
    return false;
}

void catch_signal(Run& run, const std::string& name, const bj::value& value) {
    std::vector<std::pair<ActivityInstanceId, TokenId>> waiting;
    for (const Live& live : run.lives()) {
        const bpmn::Event* event = run.node_of(live).event();
        if (!event) continue;
        for (const auto& [token, index] : armed_triggers(live)) {
            const auto* signal = std::get_if<bpmn::SignalTrigger>(&event->triggers[index]);
            if (signal && run.text(run.process()[signal->signal].name, live.parent) == name)
                waiting.emplace_back(live.id, token);
        }
    }
    for (const auto& [id, token] : waiting) {
        Live* live = run.find(id);
        if (!live) continue;
        run.end_wait(token);
        trigger(run, *live, token, value);
    }
}

Result<EventKey> key_of(Run& run, const bpmn::Message& message, const Around& from) {
    EventKey key(run.text(message.name, from));
    if (!message.correlation_key) return key;
    HF_TRY(const feel::Value value, run.evaluate(*message.correlation_key, from));
    if (!value.is_null()) key.correlation = feel::shown(value);
    if (!key.correlation.empty()) return key;
    return fail(ErrorCode::refused,
                "the correlation key of message '" + key.name + "' has no value");
}

Result<void> take_payload(Run& run, const std::vector<bpmn::Mapping>& outputs,
                          const bj::value& value, const Around& to) {
    const bj::object none;
    const bj::object& members = value.is_object() ? value.get_object() : none;
    if (outputs.empty()) {
        run.write_all(to, members);
        return {};
    }
    Run::Saved saved = run.save(to);
    for (const bpmn::Mapping& mapping : outputs) {
        auto result = run.evaluate_json(mapping.source, to, members);
        if (!result) {
            run.restore(std::move(saved));
            return std::unexpected(result.error());
        }
        run.assign(to, mapping.target, *std::move(result));
    }
    return {};
}

void take_and_leave(Run& run, bpmn::FlowNodeId event, const bj::value& value,
                    const Around& parent) {
    const auto taken = take_payload(run, run.process()[event].event()->outputs, value, parent);
    if (taken) return leave(run, event, parent);
    run.stick_leaving(event, parent, 1, "bad_mapping", taken.error().message);
    run.lives().back().memo["payload"] = value;
}

}  // namespace holdfast::engine
