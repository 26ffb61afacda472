#include "store/postgres/load/decode.h"

#include "model/codec/codec.h"
#include "model/codec/snapshot.h"
#include "store/load_document.h"
#include "store/postgres/connection/columns.h"
#include "store/row_checksum.h"
#include "store/tables/definition_table.h"
#include "store/tables/instance_table.h"
#include "store/tables/record_tables.h"

namespace holdfast::postgres {
namespace {

// A column of documents. Absent if there is no row, or if only the other document is not {}.
std::optional<std::string> stored_text(Row& row, const std::optional<Digest>& checksum) {
    if (row.null()) return std::nullopt;
    std::string text(row.jsonb());
    if (!checksum && text == "{}") return std::nullopt;
    return text;
}

std::unexpected<Failure> corrupt_row(std::string what) {
    return std::unexpected(Failure{FailureKind::corrupt, "", std::move(what)});
}

// jsonb does not preserve member order and notation: the canonical text is built again.
void load_documents(InstanceRow& found, const std::optional<std::string>& state,
                    const std::optional<std::string>& metadata) {
    Instance& instance = found.row.instance;
    const bool state_fits = load_document(state, found.state_checksum, Form::value, instance.state);
    const bool metadata_fits =
        load_document(metadata, found.metadata_checksum, Form::value, instance.state_metadata);
    if (!state_fits || !metadata_fits) found.row.corrupt = true;
}

}  // namespace

void add_waits(InstanceRow& instance, std::string_view text) {
    auto waits = waits_from_text(text);
    if (!waits) instance.row.corrupt = true;
    for (Waiting& waiting : waits ? *waits : std::vector<Waiting>{})
        add_wait(instance.row.instance, std::move(waiting));
}

InstanceRow instance_row(Row& row) {
    InstanceRow found;
    Instance& instance = found.row.instance;
    found.row.corrupt = !tables::read_instance_columns(row, instance);
    found.state_checksum = row.optional(&Row::digest);
    found.metadata_checksum = row.optional(&Row::digest);
    // Also where the documents are not loaded: the checksum of the row covers theirs.
    if (found.state_checksum) instance.state = Document::trusted("{}", *found.state_checksum);
    if (found.metadata_checksum)
        instance.state_metadata = Document::trusted("{}", *found.metadata_checksum);
    if (const auto text = row.optional(&Row::text)) {
        found.several_waits = *text == "[]";
        add_waits(found, *text);
    }
    found.snapshot_version = row.int4();
    const auto checksum = row.optional(&Row::int8);
    found.row.misplaced = checksum && !is_row_sound(instance, static_cast<std::int64_t>(*checksum));
    return found;
}

void hide_if_misplaced(InstanceRow& found, const InstanceId& asked) {
    if (!found.row.misplaced && found.row.instance.id == asked) return;
    found.row = {
        .instance = hidden_row(asked, found.row.instance), .corrupt = true, .misplaced = true};
    found.snapshot_version = engine_schema_version;
}

Reply<void> check_version(const InstanceRow& instance) {
    auto checked = check_snapshot_version(instance.snapshot_version);
    if (checked) return {};
    return std::unexpected(Failure{
        FailureKind::refused, "",
        "instance " + to_string(instance.row.instance.id) + ": " + checked.error().message});
}

void add_documents(InstanceRow& instance, Row& row) {
    const auto state = stored_text(row, instance.state_checksum);
    const auto metadata = stored_text(row, instance.metadata_checksum);
    load_documents(instance, state, metadata);
}

void expect_no_documents(InstanceRow& instance) {
    load_documents(instance, std::nullopt, std::nullopt);
}

ActivityRow activity_row(Row& row) {
    ActivityRow child;
    child.id = row.id<ActivityInstanceId>();
    child.activity = row.text();
    child.completed = row.boolean();
    child.position = static_cast<std::int64_t>(row.int8());
    return child;
}

VariableRow variable_row(Row& row) {
    VariableRow child;
    child.id = row.id<ScopeId>();
    child.variables = canonical_document(row.text());
    child.position = static_cast<std::int64_t>(row.int8());
    return child;
}

ConditionRow condition_row(Row& row) {
    ConditionRow child;
    child.id = row.id<ConditionId>();
    child.gateway = row.id<ActivityInstanceId>();
    child.sequence_flow = row.text();
    child.result = row.boolean();
    child.evaluated = row.boolean();
    child.position = static_cast<std::int64_t>(row.int8());
    return child;
}

ForkRow fork_row(Row& row) {
    ForkRow child;
    child.id = row.id<ForkId>();
    child.gateway = row.id<ActivityInstanceId>();
    for (const Uuid& token : row.uuids()) child.tokens.push_back(TokenId{token});
    child.position = static_cast<std::int64_t>(row.int8());
    return child;
}

Checkpoint checkpoint_row(Row& row) {
    const auto instance = row.id<InstanceId>();
    auto checkpoint = read_row<tables::Checkpoints>(row);
    checkpoint.instance = instance;
    return checkpoint;
}

KeyedOutcome answer_row(Row& row) {
    KeyedOutcome answer;
    answer.key.tenant = row.text();
    answer.key.key = row.text();
    answer.request = row.digest();
    answer.outcome = row.text();
    answer.operation = row.id<OperationId>();
    answer.at = row.moment();
    return answer;
}

HistoryAnchor history_anchor_row(Row& row) {
    HistoryAnchor anchor;
    anchor.version = row.int8();
    anchor.hash = row.digest();
    anchor.state = row.optional(&Row::text);
    anchor.state_metadata = row.optional(&Row::text);
    anchor.at = row.moment();
    return anchor;
}

Reply<std::shared_ptr<const Definition>> definition_row(Row& row) {
    Definition definition;
    tables::Decode decode(row);
    tables::Definitions::columns(decode, definition);
    if (!decode.unknown().empty())
        return corrupt_row("definitions has a row with an unknown " +
                           std::string(decode.unknown()));
    const std::string key = definition.ref.key;
    auto finished = finish_definition(std::move(definition));
    if (!finished) return corrupt_row("definition " + key + ": " + finished.error().message);
    return *std::move(finished);
}

Document canonical_document(std::string text) {
    const Digest checksum = sha256(text);
    return Document::trusted(std::move(text), checksum);
}

}  // namespace holdfast::postgres
