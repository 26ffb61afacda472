// What tasks, sub-processes and call activities have in common.
#include "engine/families.h"

namespace holdfast::engine {

bool listens(const bpmn::Trigger& trigger) {
    return std::holds_alternative<bpmn::MessageTrigger>(trigger) ||
           std::holds_alternative<bpmn::TimerTrigger>(trigger) ||
           std::holds_alternative<bpmn::SignalTrigger>(trigger) ||
           std::holds_alternative<bpmn::ConditionTrigger>(trigger);
}

void arm_boundary_event(Run& run, const Live& host, bpmn::FlowNodeId event) {
    const auto& triggers = run.process()[event].event()->triggers;
    if (triggers.empty() || !listens(triggers.front())) return;
    Live& listener = run.add(event, host.parent, Live::Role::listener);
    listener.memo["on"] = to_string(host.id);
    arm(run, listener);
}

void arm_boundary_events(Run& run, const Live& host) {
    for (const bpmn::FlowNodeId event : run.node_of(host).activity.boundary_events)
        arm_boundary_event(run, host, event);
}

void stick_again(Run& run, const Live& live, std::string code, const std::string& detail) {
    const Move again{live.node, live.parent, std::nullopt};
    // The same round of the loop begins again.
    if (Live* loop = run.find(live.parent); loop && live.memo.contains("body")) {
        if (!loop->memo.contains("again")) loop->memo["again"] = bj::array{};
        loop->memo["again"].as_array().push_back(live.memo.at("body"));
    }
    run.drop(live.id);
    run.stick(again, std::move(code), detail);
}

namespace {

// False: stuck, an input cannot be evaluated.
bool take_inputs(Run& run, Live& live) {
    const bpmn::Mappings& mappings = run.node_of(live).activity.mappings;
    if (mappings.inputs.empty() || run.node_of(live).call_activity()) return true;
    if (!live.variables) live.variables = bj::object{};
    for (const bpmn::Mapping& mapping : mappings.inputs) {
        auto value = run.evaluate_json(mapping.source, live.id);
        if (!value) {
            stick_again(run, live, "bad_mapping", value.error().message);
            return false;
        }
        const std::string name = mapping.target.substr(0, mapping.target.find('.'));
        if (!live.variables->contains(name)) (*live.variables)[name] = nullptr;
        run.assign(live.id, mapping.target, *std::move(value));
    }
    return true;
}

// All of it, or nothing.
Result<void> hand_out(Run& run, const Live& live, const bj::object& result) {
    if (live.memo.contains("body")) HF_CHECK(keep_output(run, live, result));
    const std::vector<bpmn::Mapping>& outputs = run.node_of(live).activity.mappings.outputs;
    if (outputs.empty() || run.node_of(live).call_activity()) {
        run.write_all(live.parent, result);
        return {};
    }
    std::optional<Run::Saved> saved;
    if (outputs.size() > 1) saved = run.save(live.parent);
    for (const bpmn::Mapping& mapping : outputs) {
        auto value = run.evaluate_json(mapping.source, live.id, result);
        if (!value) {
            if (saved) run.restore(*std::move(saved));
            return std::unexpected(value.error());
        }
        run.assign(live.parent, mapping.target, *std::move(value));
    }
    return {};
}

// Enough tokens have arrived; false: not yet.
bool take_tokens(Run& run, const Move& move) {
    const std::uint32_t needed = run.process()[move.node].activity.start_quantity;
    if (needed < 2) return true;
    std::vector<ActivityInstanceId> waiting;
    for (const Live& live : run.lives())
        if (live.node == move.node && live.parent == move.parent &&
            live.role == Live::Role::arrived)
            waiting.push_back(live.id);
    if (waiting.size() + 1 < needed) {
        run.add(move.node, move.parent, Live::Role::arrived).memo["from"] = "";
        return false;
    }
    for (const ActivityInstanceId& id : waiting) run.drop(id);
    return true;
}

}  // namespace

void enter_activity(Run& run, const Move& move) {
    if (!take_tokens(run, move)) return;
    if (std::holds_alternative<std::monostate>(run.process()[move.node].activity.loop))
        begin_activity(run, move.node, move.parent);
    else
        begin_loop(run, move.node, move.parent, {});
}

ActivityInstanceId begin_activity(Run& run, bpmn::FlowNodeId node, const Around& parent,
                                  const bj::object& memo, std::optional<bj::object> variables) {
    Live& live = run.add(node, parent);
    const ActivityInstanceId id = live.id;
    live.memo = memo;
    live.variables = std::move(variables);
    if (!memo.contains("body")) arm_boundary_events(run, live);
    if (!take_inputs(run, live)) return id;
    if (run.process()[node].task())
        begin_task(run, live);
    else if (run.process()[node].sub_process())
        begin_sub_process(run, live);
    else
        begin_call(run, live);
    return id;
}

void complete_activity(Run& run, ActivityInstanceId id, const bj::object& result) {
    Live& live = *run.find(id);
    run.cancel_job(live);
    run.end_waits(id);
    live.memo.erase("task");
    live.memo.erase("child");
    live.memo.erase("job");
    if (const auto done = hand_out(run, live, result); !done) {
        live.memo["result"] = result;
        return run.hold(live, "outputs", "bad_mapping", done.error().message);
    }
    if (live.memo.contains("body")) {
        const Live body = live;
        run.note_completed(live);
        run.drop(id);
        return complete_instance_of_loop(run, body);
    }
    run.drop_listeners(id);
    const Live ended = live;
    run.drop_inside(id);
    live.role = Live::Role::done;
    if (!is_worth_keeping(run, live)) run.drop(id);
    if (const bj::value* thrower = ended.memo.if_contains("compensates"))
        return continue_compensation(run, *parse_id<ActivityInstanceId>(thrower->as_string()));
    leave(run, ended.node, ended.parent, run.process()[ended.node].activity.completion_quantity);
    check_ad_hoc(run, ended.parent);
}

}  // namespace holdfast::engine
