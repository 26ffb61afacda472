#include "model/children_diff.h"

#include <algorithm>
#include <map>

namespace holdfast {
namespace {

constexpr auto id_of = [](const auto& row) { return row.id; };
constexpr auto flow_of = [](const Condition& condition) { return condition.sequence_flow; };

// In order: the stored positions as far as they rise, and the next one where there is none.
template <class Child>
void number(std::vector<Child>& children) {
    std::int64_t last = -1;
    for (Child& child : children)
        last = child.place.position = std::max(child.place.position, last + 1);
}

// `after` is a list as somebody made it: only what was in the list before has a place in it.
template <class Child, class KeyOf>
void keep_places(const std::vector<Child>& before, std::vector<Child>& after, KeyOf key_of) {
    std::map<decltype(key_of(before.front())), std::int64_t> stored;
    std::int64_t last = -1;
    for (const Child& child : before)
        stored[key_of(child)] = last = std::max(child.place.position, last + 1);
    for (Child& child : after) {
        const auto found = stored.find(key_of(child));
        child.place.position = found == stored.end() ? -1 : found->second;
    }
    number(after);
}

void add_activities(std::vector<ActivityRow>& rows, const std::vector<Activity>& activities,
                    bool completed) {
    for (const Activity& activity : activities)
        rows.push_back({activity.id, activity.activity, completed, activity.place.position});
}

// Of children that all have places.
ChildRows rows_of(const Children& children) {
    ChildRows rows;
    add_activities(rows.activities, children.active, false);
    add_activities(rows.activities, children.completed, true);
    for (const VariableScope& scope : children.variables)
        rows.variables.push_back({scope.id, scope.variables, scope.place.position});
    for (const auto& [gateway, conditions] : children.conditions)
        for (const Condition& condition : conditions)
            rows.conditions.push_back({condition.id, gateway, condition.sequence_flow,
                                       condition.result, condition.evaluated,
                                       condition.place.position});
    for (const OpenFork& fork : children.forks)
        rows.forks.push_back({fork.id, fork.gateway, fork.tokens, fork.place.position});
    return rows;
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

}  // namespace

ChildRows to_rows(const Children& children) {
    Children numbered = children;
    number(numbered.active);
    number(numbered.completed);
    number(numbered.variables);
    for (auto& [gateway, conditions] : numbered.conditions) number(conditions);
    number(numbered.forks);
    return rows_of(numbered);
}

Children from_rows(ChildRows rows) {
    sort_by_position(rows.activities);
    sort_by_position(rows.variables);
    sort_by_position(rows.conditions);
    sort_by_position(rows.forks);
    Children children;
    for (ActivityRow& row : rows.activities)
        (row.completed ? children.completed : children.active)
            .push_back({row.id, std::move(row.activity), {row.position}});
    for (VariableRow& row : rows.variables)
        children.variables.push_back({row.id, std::move(row.variables), {row.position}});
    for (ConditionRow& row : rows.conditions)
        children.conditions[row.gateway].push_back(
            {row.id, std::move(row.sequence_flow), row.result, row.evaluated, {row.position}});
    for (ForkRow& row : rows.forks)
        children.forks.push_back({row.id, row.gateway, std::move(row.tokens), {row.position}});
    return children;
}

void keep_places(const Children& before, Children& after) {
    keep_places(before.active, after.active, id_of);
    keep_places(before.completed, after.completed, id_of);
    keep_places(before.variables, after.variables, id_of);
    for (auto& [gateway, conditions] : after.conditions) {
        const auto found = before.conditions.find(gateway);
        keep_places(found == before.conditions.end() ? std::vector<Condition>{} : found->second,
                    conditions, flow_of);
    }
    keep_places(before.forks, after.forks, id_of);
}

ChildrenDiff diff(const Children& before, const Children& after) {
    if (before == after) return {};
    const ChildRows old_rows = to_rows(before);
    Children numbered = after;
    keep_places(before, numbered);
    const ChildRows new_rows = rows_of(numbered);
    const auto flow_of_row = [](const ConditionRow& row) {
        return std::pair{row.gateway, row.sequence_flow};
    };
    return {diff_rows(old_rows.activities, new_rows.activities, id_of, id_of),
            diff_rows(old_rows.variables, new_rows.variables, id_of, id_of),
            diff_rows(old_rows.conditions, new_rows.conditions, flow_of_row, id_of),
            diff_rows(old_rows.forks, new_rows.forks, id_of, id_of)};
}

}  // namespace holdfast
