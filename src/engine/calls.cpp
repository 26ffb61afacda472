// Call activities: another process, or a global task, as a child.
#include "engine/families.h"

namespace holdfast::engine {
namespace {

Result<bj::object> arguments_of(Run& run, const Live& live) {
    const bpmn::Mappings& mappings = run.node_of(live).activity.mappings;
    bj::object arguments;
    if (mappings.all_in || mappings.inputs.empty()) arguments = run.visible(live.id);
    for (const bpmn::Mapping& mapping : mappings.inputs) {
        HF_TRY(bj::value value, run.evaluate_json(mapping.source, live.id));
        arguments.insert_or_assign(mapping.target, std::move(value));
    }
    return arguments;
}

void await_called(Run& run, const Live& live, const InstanceId& child) {
    run.await(live, {.names = {escalation_name(child)}, .workflows = {child}});
}

// What the mappings take out of the variables of the called process.
Result<bj::object> outputs_of(Run& run, const Live& live, const bj::object& variables) {
    const bpmn::Mappings& mappings = run.node_of(live).activity.mappings;
    bj::object out;
    if (mappings.all_out) out = variables;
    for (const bpmn::Mapping& mapping : mappings.outputs) {
        HF_TRY(bj::value value, run.evaluate_json(mapping.source, live.id, variables));
        out.insert_or_assign(mapping.target, std::move(value));
    }
    return out;
}

// An error or an escalation brings the variables that the mappings name.
void take_thrown_variables(Run& run, const Live& live, const bj::value& thrown) {
    const bj::value* variables =
        thrown.is_object() ? thrown.get_object().if_contains("variables") : nullptr;
    if (!variables || !variables->is_object()) return;
    if (const auto outputs = outputs_of(run, live, variables->get_object()))
        run.write_all(live.parent, *outputs);
}

std::string member_of(const bj::value& value, const char* name) {
    const bj::value* found = value.is_object() ? value.get_object().if_contains(name) : nullptr;
    return found && found->is_string() ? std::string(found->get_string()) : "";
}

}  // namespace

void begin_call(Run& run, Live& live) {
    const bpmn::CallActivity& call = *run.node_of(live).call_activity();
    if (run.depth() >= most_calls)
        return stick_again(
            run, live, "too_many_calls",
            "more than " + std::to_string(most_calls) + " calls are inside of each other");
    auto arguments = arguments_of(run, live);
    if (!arguments) return stick_again(run, live, "bad_mapping", arguments.error().message);
    const InstanceId child{run.new_id()};
    live.memo["child"] = to_string(child);
    BusinessReference business;
    if (run.node_of(live).activity.mappings.business_key) business = run.instance().business;
    run.reaction().children.push_back({.id = child,
                                       .definition = run.text(call.called, live.id),
                                       .business = business,
                                       .arguments = Document::of(*std::move(arguments)),
                                       .depth = run.depth() + 1});
    await_called(run, live, child);
}

void resume_escalated(Run& run, Live& live, const bj::value& value) {
    const ActivityInstanceId id = live.id;
    take_thrown_variables(run, live, value);
    throw_escalation(run, id, member_of(value, "code"));
    if (Live* still = run.find(id))
        await_called(run, *still, *parse_id<InstanceId>(still->memo.at("child").as_string()));
}

namespace {

// A child that could not be started looks like one that was cleared; the workflow has an incident
// that says why.
bool never_started(const Run& run, const stimulus::WorkflowEnded& ended) {
    const auto& why = run.instance().last_error;
    return ended.status == "cleared" && ended.wait.began_at == run.now() &&
           run.instance().incident && (why == "unknown_definition" || why == "not_startable");
}

}  // namespace

void resume_call(Run& run, Live& live, const stimulus::WorkflowEnded& ended) {
    live.memo.erase("child");
    const bj::value result = ended.result.value();
    if (ended.status == name_of(Status::failed) && !member_of(result, "code").empty()) {
        take_thrown_variables(run, live, result);
        return throw_error(run, live.id, member_of(result, "code"), member_of(result, "message"));
    }
    if (never_started(run, ended))
        return stick_again(run, live, *run.instance().last_error,
                           "'" + run.text(run.node_of(live).call_activity()->called, live.id) +
                               "' is not deployed, or only events start it");
    if (ended.status != name_of(Status::succeeded)) {
        return stick_again(run, live, "call_" + std::string(ended.status),
                           "the called process ended so");
    }
    complete_call(run, live, result.is_object() ? result.get_object() : bj::object{});
}

void complete_call(Run& run, Live& live, const bj::object& variables) {
    const bpmn::Mappings& mappings = run.node_of(live).activity.mappings;
    if (!mappings.all_out && mappings.outputs.empty())
        return complete_activity(run, live.id, variables);
    if (const auto outputs = outputs_of(run, live, variables))
        return complete_activity(run, live.id, *outputs);
    else {
        live.memo["result"] = variables;
        run.hold(live, "called", "bad_mapping", outputs.error().message);
    }
}

}  // namespace holdfast::engine
