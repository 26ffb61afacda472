// Standard loops and multi-instance activities. One activity instance stands for the whole loop;
// inside of it each round or item is one of its own, with its own variables.
#include "engine/families.h"

namespace holdfast::engine {
namespace {

std::int64_t number_in(const Live& loop, const char* name) {
    return loop.memo.at(name).to_number<std::int64_t>();
}

const bpmn::MultiInstance* multi_instance_of(Run& run, const Live& loop) {
    return std::get_if<bpmn::MultiInstance>(&run.node_of(loop).activity.loop);
}

void end_loop(Run& run, ActivityInstanceId id) {
    Live& loop = *run.find(id);
    run.drop_inside(id);
    if (const bpmn::MultiInstance* many = multi_instance_of(run, loop);
        many && !many->output_collection.empty())
        run.write(loop.parent, many->output_collection, loop.memo.at("outputs"));
    const Live ended = loop;
    run.drop_listeners(id);
    run.drop(id);
    if (const bj::value* thrower = ended.memo.if_contains("compensates"))
        return continue_compensation(run, *parse_id<ActivityInstanceId>(thrower->as_string()));
    leave(run, ended.node, ended.parent, run.process()[ended.node].activity.completion_quantity);
    check_ad_hoc(run, ended.parent);
}

std::int64_t next_round(Live& loop) {
    const std::int64_t index = number_in(loop, "begun");
    loop.memo["begun"] = index + 1;
    return index;
}

void begin_body(Run& run, Live& loop, std::int64_t index) {
    bj::object variables{{"loopCounter", index + 1}};
    const bpmn::MultiInstance* many = multi_instance_of(run, loop);
    if (const bj::value* items = loop.memo.if_contains("items");
        items && many && !many->element_variable.empty())
        variables[many->element_variable] = items->as_array().at(static_cast<std::size_t>(index));
    begin_activity(run, loop.node, loop.id, {{"body", index}}, std::move(variables));
}

// Whether a standard loop has another round.
Result<bool> goes_on(Run& run, const Live& loop, const bpmn::StandardLoop& standard) {
    const std::int64_t done = number_in(loop, "done");
    if (standard.maximum && done >= static_cast<std::int64_t>(*standard.maximum)) return false;
    if (!standard.condition) return true;
    return run.check(*standard.condition, loop.parent, {{"loopCounter", done}});
}

// Whether a multi-instance activity is over.
Result<bool> is_over(Run& run, const Live& loop, const bpmn::MultiInstance& many) {
    const std::int64_t count = number_in(loop, "count");
    const std::int64_t done = number_in(loop, "done");
    const std::int64_t begun = number_in(loop, "begun");
    if (done == count) return true;
    if (!many.completion) return false;
    return run.check(*many.completion, loop.parent,
                     {{"numberOfInstances", count},
                      {"numberOfCompletedInstances", done},
                      {"numberOfActiveInstances", begun - done},
                      {"nrOfInstances", count},
                      {"nrOfCompletedInstances", done},
                      {"nrOfActiveInstances", begun - done}});
}

std::unexpected<Error> too_many() {
    return fail(ErrorCode::refused, "a multi-instance activity has at most " +
                                        std::to_string(most_items) + " instances");
}

// How many instances; the error: no number, no list, or too many.
Result<std::int64_t> count_of(Run& run, Live& loop, const bpmn::MultiInstance& many) {
    if (many.collection) {
        HF_TRY(bj::value items, run.evaluate_json(*many.collection, loop.parent));
        if (!items.is_array()) return fail(ErrorCode::refused, "its collection is no list");
        const std::size_t size = items.get_array().size();
        if (size > most_items) return too_many();
        loop.memo["items"] = std::move(items);
        return static_cast<std::int64_t>(size);
    }
    HF_TRY(const feel::Value value, run.evaluate(*many.cardinality, loop.parent));
    const auto* number = value.get<feel::Decimal>();
    const auto whole = number ? number->whole() : std::nullopt;
    if (!whole || *whole < 0)
        return fail(ErrorCode::refused, "the number of instances is no number");
    if (*whole > static_cast<std::int64_t>(most_items)) return too_many();
    return *whole;
}

void begin_many(Run& run, Live& loop, const bpmn::MultiInstance& many) {
    const auto count = count_of(run, loop, many);
    if (!count) {
        const Move again{loop.node, loop.parent, std::nullopt};
        run.drop(loop.id);
        run.stick(again, "bad_loop", count.error().message);
        return;
    }
    loop.memo["count"] = *count;
    loop.memo["outputs"] = bj::array(static_cast<std::size_t>(*count), bj::value(nullptr));
    if (*count == 0) return end_loop(run, loop.id);
    const ActivityInstanceId id = loop.id;
    const std::int64_t at_once = many.sequential ? 1 : *count;
    for (std::int64_t i = 0; i < at_once; ++i)
        if (Live* still = run.find(id)) begin_body(run, *still, next_round(*still));
}

}  // namespace

void begin_loop(Run& run, bpmn::FlowNodeId node, const Around& parent, const bj::object& memo) {
    Live& loop = run.add(node, parent, Live::Role::loop);
    loop.memo = memo;
    loop.memo["begun"] = 0;
    loop.memo["done"] = 0;
    arm_boundary_events(run, loop);
    if (const bpmn::MultiInstance* many = multi_instance_of(run, loop))
        return begin_many(run, loop, *many);
    const auto& standard = std::get<bpmn::StandardLoop>(run.node_of(loop).activity.loop);
    if (standard.test_before) return decide_loop(run, loop);
    begin_body(run, loop, next_round(loop));
}

void enter_body(Run& run, Live& loop) {
    bj::value* again = loop.memo.if_contains("again");
    if (!again || again->as_array().empty()) return begin_body(run, loop, next_round(loop));
    const auto index = again->as_array().front().to_number<std::int64_t>();
    again->as_array().erase(again->as_array().begin());
    begin_body(run, loop, index);
}

// A round is a move: one after the other, within the budget of the reaction.
void decide_loop(Run& run, Live& loop) {
    const bpmn::MultiInstance* many = multi_instance_of(run, loop);
    const auto* standard = std::get_if<bpmn::StandardLoop>(&run.node_of(loop).activity.loop);
    const auto goes = standard ? goes_on(run, loop, *standard) : is_over(run, loop, *many);
    if (!goes) return run.hold(loop, "loop", "bad_condition", goes.error().message);
    run.release(loop);
    if (standard ? !*goes : *goes) return end_loop(run, loop.id);
    if (standard || many->sequential) run.move(loop.node, loop.id);
}

Result<void> keep_output(Run& run, const Live& instance, const bj::object& result) {
    Live* loop = run.find(instance.parent);
    const bpmn::MultiInstance* many = loop ? multi_instance_of(run, *loop) : nullptr;
    if (!many || !many->output_element) return {};
    bj::object own = instance.variables.value_or(bj::object{});
    for (const auto& member : result) own.insert_or_assign(member.key(), member.value());
    HF_TRY(bj::value value, run.evaluate_json(*many->output_element, loop->id, own));
    loop->memo["outputs"].as_array()[instance.memo.at("body").to_number<std::size_t>()] =
        std::move(value);
    return {};
}

void complete_instance_of_loop(Run& run, const Live& instance) {
    Live* loop = run.find(instance.parent);
    if (!loop) return;
    loop->memo["done"] = number_in(*loop, "done") + 1;
    decide_loop(run, *loop);
}

}  // namespace holdfast::engine
