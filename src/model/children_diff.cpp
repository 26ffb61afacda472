#include "model/children_diff.h"

#include <algorithm>
#include <map>

namespace holdfast {
namespace {

void add_activities(std::vector<ActivityRow>& rows, const std::vector<Activity>& activities,
                    bool completed) {
    std::int64_t position = 0;
    for (const Activity& activity : activities)
        rows.push_back({activity.id, activity.activity, completed, position++});
}

template <class Row>
void sort_by_position(std::vector<Row>& rows) {
    std::ranges::stable_sort(rows, {}, &Row::position);
}

// Compares two row sets by `key_of`; keys are unique on each side.
template <class Row, class KeyOf, class IdOf>
auto diff_rows(const std::vector<Row>& before, const std::vector<Row>& after, KeyOf key_of,
               IdOf id_of) {
    using Key = decltype(key_of(std::declval<const Row&>()));
    RowDiff<Row, decltype(id_of(std::declval<const Row&>()))> changes;
    std::map<Key, const Row*> stored;
    for (const Row& row : before) stored.emplace(key_of(row), &row);
    for (const Row& row : after) {
        const auto found = stored.find(key_of(row));
        if (found == stored.end()) {
            changes.inserted.push_back(row);
            continue;
        }
        Row kept = row;
        kept.id = found->second->id;  // a stored row keeps its id
        if (kept != *found->second) changes.updated.push_back(std::move(kept));
        stored.erase(found);
    }
    for (const auto& [key, row] : stored) changes.deleted.push_back(id_of(*row));
    return changes;
}

constexpr auto id_of = [](const auto& row) { return row.id; };

}  // namespace

ChildRows to_rows(const Children& children) {
    ChildRows rows;
    add_activities(rows.activities, children.active, false);
    add_activities(rows.activities, children.completed, true);
    std::int64_t position = 0;
    for (const VariableScope& scope : children.variables)
        rows.variables.push_back({scope.id, scope.variables, position++});
    for (const auto& [gateway, conditions] : children.conditions) {
        position = 0;
        for (const Condition& condition : conditions)
            rows.conditions.push_back({condition.id, gateway, condition.sequence_flow,
                                       condition.result, condition.evaluated, position++});
    }
    position = 0;
    for (const OpenFork& fork : children.forks)
        rows.forks.push_back({fork.id, fork.gateway, fork.tokens, position++});
    return rows;
}

Children from_rows(ChildRows rows) {
    sort_by_position(rows.activities);
    sort_by_position(rows.variables);
    sort_by_position(rows.conditions);
    sort_by_position(rows.forks);
    Children children;
    for (ActivityRow& row : rows.activities)
        (row.completed ? children.completed : children.active)
            .push_back({row.id, std::move(row.activity)});
    for (VariableRow& row : rows.variables)
        children.variables.push_back({row.id, std::move(row.variables)});
    for (ConditionRow& row : rows.conditions)
        children.conditions[row.gateway].push_back(
            {row.id, std::move(row.sequence_flow), row.result, row.evaluated});
    for (ForkRow& row : rows.forks)
        children.forks.push_back({row.id, row.gateway, std::move(row.tokens)});
    return children;
}

ChildrenDiff diff(const Children& before, const Children& after) {
    if (before == after) return {};
    const ChildRows old_rows = to_rows(before);
    const ChildRows new_rows = to_rows(after);
    const auto flow_of = [](const ConditionRow& row) {
        return std::pair{row.gateway, row.sequence_flow};
    };
    return {diff_rows(old_rows.activities, new_rows.activities, id_of, id_of),
            diff_rows(old_rows.variables, new_rows.variables, id_of, id_of),
            diff_rows(old_rows.conditions, new_rows.conditions, flow_of, id_of),
            diff_rows(old_rows.forks, new_rows.forks, id_of, id_of)};
}

}  // namespace holdfast
