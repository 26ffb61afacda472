// Events that pass or throw.
#include <algorithm>

#include "engine/families.h"

namespace holdfast::engine {
namespace {

using Position = bpmn::Event::Position;

Result<bj::object> payload_of(Run& run, const std::vector<bpmn::Mapping>& mappings,
                              const Around& from) {
    bj::object payload;
    for (const bpmn::Mapping& mapping : mappings) {
        HF_TRY(bj::value value, run.evaluate_json(mapping.source, from));
        payload.insert_or_assign(mapping.target, std::move(value));
    }
    return payload;
}

Result<void> send(Run& run, const bpmn::Message& message, const Around& from, Document value) {
    HF_TRY(EventKey key, key_of(run, message, from));
    run.reaction().events.push_back({.id = {run.new_id()},
                                     .name = std::move(key.name),
                                     .value = std::move(value),
                                     .correlation = std::move(key.correlation)});
    return {};
}

// Whether everything that the event throws has its values: it throws all of it, or nothing.
Result<void> check_throw(Run& run, const bpmn::Event& event, const Around& from) {
    for (const bpmn::Trigger& trigger : event.triggers) {
        if (const auto* message = std::get_if<bpmn::MessageTrigger>(&trigger);
            message && message->message)
            HF_CHECK(key_of(run, run.process()[*message->message], from));
        if (const auto* signal = std::get_if<bpmn::SignalTrigger>(&trigger))
            HF_CHECK(payload_of(run, signal->variables, from));
    }
    HF_CHECK(payload_of(run, event.inputs, from));
    return {};
}

void throw_signal(Run& run, const bpmn::SignalTrigger& trigger, const Live& thrower) {
    const std::string name = run.text(run.process()[trigger.signal].name, thrower.parent);
    const bj::object payload =
        payload_of(run, trigger.variables, thrower.parent).value_or(bj::object{});
    run.reaction().events.push_back({.id = {run.new_id()},
                                     .name = name,
                                     .value = Document::of(payload),
                                     .fan_out = FanOut::all});
    catch_signal(run, name, payload);
}

void terminate(Run& run, Around scope) {
    run.drop_inside(scope);
    if (!scope) run.end_process();
}

// False: the token does not go on yet.
bool throw_one(Run& run, Live& thrower, const bpmn::Trigger& trigger) {
    const ActivityInstanceId id = thrower.id;
    if (const auto* message = std::get_if<bpmn::MessageTrigger>(&trigger)) {
        // A warning of the model says so.
        if (!message->message) return true;
        const bj::object payload =
            payload_of(run, run.node_of(thrower).event()->inputs, thrower.parent)
                .value_or(bj::object{});
        (void)send(run, run.process()[*message->message], thrower.parent, Document::of(payload));
    } else if (const auto* signal = std::get_if<bpmn::SignalTrigger>(&trigger)) {
        throw_signal(run, *signal, thrower);
    } else if (const auto* error = std::get_if<bpmn::ErrorTrigger>(&trigger)) {
        const bpmn::BpmnError& what = run.process()[*error->error];
        throw_error(run, id, run.text(what.code, thrower.parent), what.message);
    } else if (const auto* escalation = std::get_if<bpmn::EscalationTrigger>(&trigger)) {
        throw_escalation(run, id,
                         run.text(run.process()[*escalation->escalation].code, thrower.parent));
    } else if (const auto* compensation = std::get_if<bpmn::CompensationTrigger>(&trigger)) {
        begin_compensation(run, thrower, *compensation);
        return false;
    } else if (std::holds_alternative<bpmn::CancelTrigger>(trigger)) {
        cancel_transaction(run, thrower);
        return false;
    } else if (std::holds_alternative<bpmn::TerminateTrigger>(trigger)) {
        terminate(run, thrower.parent);
    }
    return true;
}

const bpmn::LinkTrigger* link_of(const bpmn::Event& event) {
    return event.triggers.empty() ? nullptr : std::get_if<bpmn::LinkTrigger>(&event.triggers[0]);
}

void enter_throw(Run& run, const Move& move) {
    const bpmn::Event& event = *run.process()[move.node].event();
    if (const auto ready = check_throw(run, event, move.parent); !ready) {
        run.stick(move, "cannot_throw", ready.error().message);
        return;
    }
    const ActivityInstanceId id = run.add(move.node, move.parent).id;
    for (const bpmn::Trigger& trigger : event.triggers) {
        Live* thrower = run.find(id);
        if (!thrower || !throw_one(run, *thrower, trigger)) return;
    }
    // What it threw may have ended it.
    if (!run.find(id)) return;
    run.drop(id);
    if (const bpmn::LinkTrigger* link = link_of(event)) return run.move(*link->target, move.parent);
    if (event.position == Position::intermediate_throw) leave(run, move.node, move.parent);
}

}  // namespace

void enter_event(Run& run, const Move& move) {
    const bpmn::Event& event = *run.process()[move.node].event();
    switch (event.position) {
        case Position::start:
        case Position::boundary: return leave(run, move.node, move.parent);
        case Position::intermediate_catch:
            if (event.triggers.empty() || link_of(event)) return leave(run, move.node, move.parent);
            return arm(run, run.add(move.node, move.parent));
        case Position::intermediate_throw:
        case Position::end: return enter_throw(run, move);
    }
}

Result<void> send_message(Run& run, const bpmn::Message& message, const Around& from) {
    return send(run, message, from, {});
}

}  // namespace holdfast::engine
