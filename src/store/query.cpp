#include "store/query.h"

#include <algorithm>

namespace holdfast {
namespace {

bool documents_match(const InstanceQuery& query, const Instance& instance) {
    if (query.meta_contains &&
        !json::contains(instance.state_metadata.value(), *query.meta_contains))
        return false;
    if (!query.contains && query.paths.empty()) return true;
    const boost::json::value state = instance.state.value();
    if (query.contains && !json::contains(state, *query.contains)) return false;
    return std::ranges::all_of(query.paths, [&](const auto& wanted) {
        return json::text_at(state, wanted.first) == wanted.second;
    });
}

bool business_matches(const auto& query, const BusinessReference& business) {
    if (query.business_key && business.key != *query.business_key) return false;
    return std::ranges::all_of(query.business_parts, [&](const auto& wanted) {
        const auto part = business.parts.find(wanted.first);
        return part != business.parts.end() && part->second == wanted.second;
    });
}

}  // namespace

bool InstanceQuery::only_open() const {
    return !statuses.empty() &&
           std::ranges::all_of(statuses, [](Status status) { return is_open(status); });
}

bool InstanceQuery::filters_rows() const {
    return (!statuses.empty() && !only_open()) || created_from || created_before;
}

bool matches(const InstanceQuery& query, const Instance& instance) {
    if (!query.statuses.empty() &&
        std::ranges::find(query.statuses, instance.status) == query.statuses.end())
        return false;
    if (query.definition && instance.definition.key != *query.definition) return false;
    if (query.created_from && instance.created_at < *query.created_from) return false;
    if (query.created_before && instance.created_at >= *query.created_before) return false;
    return business_matches(query, instance.business) && documents_match(query, instance);
}

bool TaskQuery::only_open() const {
    return !states.empty() &&
           std::ranges::all_of(states, [](TaskState state) { return is_open(state); });
}

bool matches(const TaskQuery& query, const HumanTask& task) {
    const TaskSpec& spec = task.spec;
    const auto is = [](const std::optional<std::string>& wanted, const auto& found) {
        return !wanted || found == *wanted;
    };
    const auto has = [](const std::vector<std::string>& list,
                        const std::optional<std::string>& wanted) {
        return !wanted || std::ranges::find(list, *wanted) != list.end();
    };
    if (query.instance && task.instance != *query.instance) return false;
    if (query.due_before && !(spec.due_at && *spec.due_at < *query.due_before)) return false;
    if (!query.states.empty() && std::ranges::find(query.states, task.state) == query.states.end())
        return false;
    return is(query.assignee, spec.assignee) && is(query.holder, task.holder) &&
           is(query.definition, task.definition) && business_matches(query, task.business) &&
           is(query.queue, spec.queue) && has(spec.candidate_users, query.candidate_user) &&
           has(spec.candidate_groups, query.candidate_group);
}

}  // namespace holdfast
