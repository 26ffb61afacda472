// The row changes between two sets of children: only these are written (000.5).
#pragma once

#include <vector>

#include "model/instance.h"

namespace holdfast {

// Children as the rows of their tables. `position` preserves the order of the lists; there may be
// gaps where rows have gone.
struct ActivityRow {
    ActivityInstanceId id;
    std::string activity;
    bool completed = false;
    std::int64_t position = 0;

    bool operator==(const ActivityRow&) const = default;
};

struct VariableRow {
    ScopeId id;
    Document variables;
    std::int64_t position = 0;

    bool operator==(const VariableRow&) const = default;
};

struct ConditionRow {
    ConditionId id;
    ActivityInstanceId gateway;
    std::string sequence_flow;
    bool result = false;
    bool evaluated = false;
    std::int64_t position = 0;

    bool operator==(const ConditionRow&) const = default;
};

struct ForkRow {
    ForkId id;
    ActivityInstanceId gateway;
    std::vector<TokenId> tokens;
    std::int64_t position = 0;

    bool operator==(const ForkRow&) const = default;
};

struct ChildRows {
    std::vector<ActivityRow> activities;
    std::vector<VariableRow> variables;
    std::vector<ConditionRow> conditions;
    std::vector<ForkRow> forks;
};

// Stored children keep their positions; one that stands before its turn gets the next free one.
ChildRows to_rows(const Children& children);
// Splits activities by `completed` and groups conditions by gateway; rows may be in any order.
Children from_rows(ChildRows rows);

template <class Row, class Key>
struct RowDiff {
    std::vector<Row> inserted;
    std::vector<Row> updated;
    std::vector<Key> deleted;

    bool empty() const { return inserted.empty() && updated.empty() && deleted.empty(); }
    std::size_t size() const { return inserted.size() + updated.size() + deleted.size(); }
};

struct ChildrenDiff {
    RowDiff<ActivityRow, ActivityInstanceId> activities;
    RowDiff<VariableRow, ScopeId> variables;
    RowDiff<ConditionRow, ConditionId> conditions;
    RowDiff<ForkRow, ForkId> forks;

    bool empty() const {
        return activities.empty() && variables.empty() && conditions.empty() && forks.empty();
    }
    std::size_t size() const {
        return activities.size() + variables.size() + conditions.size() + forks.size();
    }
};

// Matches activities and forks by id, variables by scope, conditions by (gateway, sequence flow): a
// condition with a new id updates the stored row, which keeps its own id.
// A row is not written because a row before it went.
ChildrenDiff diff(const Children& before, const Children& after);

// Gives the children the places that `diff` writes.
void keep_places(const Children& before, Children& after);

}  // namespace holdfast
