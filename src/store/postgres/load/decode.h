// Rows of the tables as values of the model. Each function takes the columns of its table in their
// order.
#pragma once

#include "model/checkpoint.h"
#include "model/children_diff.h"
#include "model/conflict.h"
#include "model/definition.h"
#include "model/history.h"
#include "store/postgres/connection/failure.h"
#include "store/postgres/connection/rows.h"
#include "store/view.h"

namespace holdfast::postgres {

// A row of instances and the checksums that its documents must have; absent: the document is {}.
struct InstanceRow {
    Loaded::Row row;
    std::optional<Digest> state_checksum;
    std::optional<Digest> metadata_checksum;
    std::uint32_t snapshot_version = 1;
};

// An unknown status makes the row corrupt; its documents are not looked at yet.
InstanceRow instance_row(Row& row);
// refused: a newer holdfast wrote it; a round leaves it alone.
Reply<void> check_version(const InstanceRow& instance);
// Puts the two documents, which may be null, into the instance; corrupt if one fails its checksum.
void add_documents(InstanceRow& instance, Row& row);
// The instance has no document row: it is corrupt if it has a checksum.
void expect_no_documents(InstanceRow& instance);

// One child row, after the instance id that leads it.
ActivityRow activity_row(Row& row);
VariableRow variable_row(Row& row);
ConditionRow condition_row(Row& row);
ForkRow fork_row(Row& row);

Checkpoint checkpoint_row(Row& row);
KeyedOutcome answer_row(Row& row);
Reply<HistoryRow> history_row(Row& row);
Reply<ConflictRow> conflict_row(Row& row);
// Compiles its schema.
Reply<std::shared_ptr<const Definition>> definition_row(Row& row);

// Canonical text that the hash chain or the engine vouches for.
Document canonical_document(std::string text);

}  // namespace holdfast::postgres
