// Decodes rows to model values. Each function reads the columns in the order of its statements.
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

// A row of instances and the expected checksums of its documents; absent: the document is {}.
struct InstanceRow {
    Loaded::Row row;
    std::optional<Digest> state_checksum;
    std::optional<Digest> metadata_checksum;
    std::uint32_t snapshot_version = 1;
    bool several_waits = false;  // they are rows of their own
};

// Adds waits from their stored text.
void add_waits(InstanceRow& instance, std::string_view text);
// A value that is none of ours makes the row corrupt. Does not read the documents.
InstanceRow instance_row(Row& row);
// For the row that answered for `asked`: hides the content of one that may be another's. Call once
// its documents are read.
void hide_if_misplaced(InstanceRow& found, const InstanceId& asked);
// refused: a newer holdfast wrote the row.
Reply<void> check_version(const InstanceRow& instance);
// Reads the two documents, which may be null; the row is corrupt if one fails its checksum.
void add_documents(InstanceRow& instance, Row& row);
// For an instance without a document row: it is corrupt if it has a checksum.
void expect_no_documents(InstanceRow& instance);

// One child row, without the leading instance id.
ActivityRow activity_row(Row& row);
VariableRow variable_row(Row& row);
ConditionRow condition_row(Row& row);
ForkRow fork_row(Row& row);

Checkpoint checkpoint_row(Row& row);
KeyedOutcome answer_row(Row& row);
HistoryAnchor history_anchor_row(Row& row);
// Compiles its schema.
Reply<std::shared_ptr<const Definition>> definition_row(Row& row);

// Trusts that `text` is canonical and computes its checksum.
Document canonical_document(std::string text);

}  // namespace holdfast::postgres
