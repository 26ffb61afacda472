#include <boost/json.hpp>

#include "model/codec/codec.h"
#include "model/codec/member_reader.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

bj::array to_json(const std::vector<Activity>& activities) {
    bj::array list;
    for (const Activity& activity : activities)
        list.push_back(bj::object{{"activityInstanceId", to_string(activity.id)},
                                  {"activityId", activity.activity}});
    return list;
}

bj::array to_json(const std::vector<Condition>& conditions) {
    bj::array list;
    for (const Condition& condition : conditions)
        list.push_back(bj::object{{"conditionStateId", to_string(condition.id)},
                                  {"sequenceFlowId", condition.sequence_flow},
                                  {"result", condition.result},
                                  {"isEvaluated", condition.evaluated}});
    return list;
}

bj::object to_json(const OpenFork& fork) {
    bj::array tokens;
    for (const TokenId& token : fork.tokens) tokens.emplace_back(to_string(token));
    return {{"forkId", to_string(fork.id)},
            {"gateway", to_string(fork.gateway)},
            {"tokens", std::move(tokens)}};
}

Activity read_activity(MemberReader& reader) {
    return {reader.id<ActivityInstanceId>("activityInstanceId"), reader.text("activityId")};
}

VariableScope read_scope(MemberReader& reader) {
    return {reader.id<ScopeId>("scopeId"), reader.document("variables")};
}

Condition read_condition(MemberReader& reader) {
    return {reader.id<ConditionId>("conditionStateId"), reader.text("sequenceFlowId"),
            reader.flag("result"), reader.flag("isEvaluated")};
}

OpenFork read_fork(MemberReader& reader) {
    OpenFork fork{.id = reader.id<ForkId>("forkId"),
                  .gateway = reader.id<ActivityInstanceId>("gateway")};
    for (const std::string& text : reader.texts("tokens"))
        if (const auto token = parse_id<TokenId>(text))
            fork.tokens.push_back(*token);
        else
            reader.blame("tokens");
    return fork;
}

// The items of a list; an invalid item makes the member `name` invalid.
template <class Item>
std::vector<Item> read_list(MemberReader& reader, std::string_view name, const bj::value& value,
                            Item (*read)(MemberReader&)) {
    std::vector<Item> items;
    const bj::array* list = value.if_array();
    if (!list) reader.blame(name);
    for (const bj::value& one : list ? *list : bj::array{}) {
        MemberReader item(one);
        if (auto given = item.give(read(item)))
            items.push_back(*std::move(given));
        else
            reader.blame(name);
    }
    return items;
}

}  // namespace

bj::object to_json(const Children& children) {
    bj::array variables;
    for (const VariableScope& scope : children.variables)
        variables.push_back(
            bj::object{{"scopeId", to_string(scope.id)}, {"variables", scope.variables.value()}});
    bj::object conditions;
    for (const auto& [gateway, list] : children.conditions)
        conditions[to_string(gateway)] = to_json(list);
    bj::array forks;
    for (const OpenFork& fork : children.forks) forks.push_back(to_json(fork));
    return {{"activeActivities", to_json(children.active)},
            {"completedActivities", to_json(children.completed)},
            {"variables", std::move(variables)},
            {"conditions", std::move(conditions)},
            {"forks", std::move(forks)}};
}

Result<Children> children_from_json(const bj::value& value) {
    MemberReader reader(value);
    const auto list = [&](std::string_view name, auto read) {
        return read_list(reader, name, reader.value(name), read);
    };
    Children children{.active = list("activeActivities", read_activity),
                      .completed = list("completedActivities", read_activity),
                      .variables = list("variables", read_scope),
                      .forks = list("forks", read_fork)};
    const bj::object* conditions = reader.value("conditions").if_object();
    if (!conditions) reader.blame("conditions");
    for (const auto& gateway : conditions ? *conditions : bj::object{}) {
        const auto id = parse_id<ActivityInstanceId>(gateway.key());
        if (!id) reader.blame("conditions");
        children.conditions[id.value_or(ActivityInstanceId{})] =
            read_list(reader, "conditions", gateway.value(), read_condition);
    }
    return reader.give(std::move(children));
}

}  // namespace holdfast
