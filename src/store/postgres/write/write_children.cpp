#include <algorithm>

#include "store/postgres/write/statement_queue.h"

namespace holdfast::postgres {
namespace {

template <class Row>
struct ChildOf {
    InstanceId instance;
    Row row;
};

// The changes of one child table, over all instances of the round.
template <class Row, class Key>
struct TableDiff {
    std::vector<Key> deleted;
    std::vector<ChildOf<Row>> inserted;
    std::vector<ChildOf<Row>> updated;

    void add(const InstanceId& instance, RowDiff<Row, Key> diff) {
        deleted.insert(deleted.end(), diff.deleted.begin(), diff.deleted.end());
        for (Row& row : diff.inserted) inserted.push_back({instance, std::move(row)});
        for (Row& row : diff.updated) updated.push_back({instance, std::move(row)});
    }
    void sort() {
        const auto by_id = [](const ChildOf<Row>& child) { return child.row.id; };
        std::ranges::sort(deleted);
        std::ranges::sort(inserted, {}, by_id);
        std::ranges::sort(updated, {}, by_id);
    }
};

struct TableDiffs {
    TableDiff<ActivityRow, ActivityInstanceId> activities;
    TableDiff<VariableRow, ScopeId> variables;
    TableDiff<ConditionRow, ConditionId> conditions;
    TableDiff<ForkRow, ForkId> forks;
};

// The stored children of a cleared instance are deleted with its row.
ChildrenDiff children_of(const InstanceChange& change) {
    return change.cleared ? diff({}, change.after->children) : change.children();
}

TableDiffs collect(const Changes& changes) {
    TableDiffs tables;
    for (const InstanceChange* change : changes.instances) {
        if (!change->after) continue;
        ChildrenDiff children = children_of(*change);
        const InstanceId& id = change->after->id;
        tables.activities.add(id, std::move(children.activities));
        tables.variables.add(id, std::move(children.variables));
        tables.conditions.add(id, std::move(children.conditions));
        tables.forks.add(id, std::move(children.forks));
    }
    tables.activities.sort();
    tables.variables.sort();
    tables.conditions.sort();
    tables.forks.sort();
    return tables;
}

std::string joined(const std::vector<TokenId>& tokens) {
    std::string text;
    for (const TokenId& token : tokens) text += (text.empty() ? "" : ",") + to_string(token);
    return text;
}

template <class Row, class Read>
auto child(Read Row::* member) {
    return [member](const ChildOf<Row>& one) -> const Read& { return one.row.*member; };
}

using ActivityOf = ChildOf<ActivityRow>;
using VariableOf = ChildOf<VariableRow>;
using ConditionOf = ChildOf<ConditionRow>;
using ForkOf = ChildOf<ForkRow>;

Parameters columns_of(const std::vector<ActivityOf>& rows) {
    Parameters columns;
    columns.array(rows, child(&ActivityRow::id)).array(rows, &ActivityOf::instance);
    columns.array(rows, child(&ActivityRow::activity)).array(rows, child(&ActivityRow::completed));
    columns.array(rows, child(&ActivityRow::position));
    return columns;
}

Parameters columns_of(const std::vector<VariableOf>& rows) {
    Parameters columns;
    columns.array(rows, child(&VariableRow::id)).array(rows, &VariableOf::instance);
    columns.array(rows,
                  [](const VariableOf& one) -> const auto& { return one.row.variables.text(); });
    columns.array(rows, child(&VariableRow::position));
    return columns;
}

Parameters columns_of(const std::vector<ConditionOf>& rows) {
    Parameters columns;
    columns.array(rows, child(&ConditionRow::id)).array(rows, &ConditionOf::instance);
    columns.array(rows, child(&ConditionRow::gateway));
    columns.array(rows, child(&ConditionRow::sequence_flow));
    columns.array(rows, child(&ConditionRow::result)).array(rows, child(&ConditionRow::evaluated));
    columns.array(rows, child(&ConditionRow::position));
    return columns;
}

Parameters columns_of(const std::vector<ForkOf>& rows) {
    Parameters columns;
    columns.array(rows, child(&ForkRow::id)).array(rows, &ForkOf::instance);
    columns.array(rows, child(&ForkRow::gateway));
    columns.array(rows, [](const ForkOf& one) { return joined(one.row.tokens); });
    columns.array(rows, child(&ForkRow::position));
    return columns;
}

struct Statements {
    std::string_view remove;
    std::string_view insert;
    std::string_view update;
};

template <class Row, class Key>
void queue_table(StatementQueue& queue, const TableDiff<Row, Key>& table, const Statements& names) {
    queue.write(names.remove, table.deleted.size(), Parameters().array(table.deleted));
    queue.write(names.insert, table.inserted.size(), columns_of(table.inserted));
    queue.write(names.update, table.updated.size(), columns_of(table.updated));
}

}  // namespace

void queue_children(StatementQueue& queue, const Changes& changes) {
    const TableDiffs tables = collect(changes);
    queue_table(queue, tables.activities,
                {"delete_activities", "insert_activities", "update_activities"});
    queue_table(queue, tables.variables,
                {"delete_variables", "insert_variables", "update_variables"});
    queue_table(queue, tables.conditions,
                {"delete_conditions", "insert_conditions", "update_conditions"});
    queue_table(queue, tables.forks, {"delete_forks", "insert_forks", "update_forks"});
}

}  // namespace holdfast::postgres
