#include "store/postgres/load/decode.h"

#include <boost/json.hpp>

#include "base/json/contains.h"
#include "base/json/parse.h"
#include "model/codec/codec.h"
#include "model/codec/snapshot.h"
#include "store/load_document.h"

namespace holdfast::postgres {
namespace {

constexpr json::Limits stored_limits{.depth = 1'000, .nodes = 10'000'000};

// A column of documents. Absent if there is no row, or if only the other document is not {}.
std::optional<std::string> stored_text(Row& row, const std::optional<Digest>& checksum) {
    if (row.null()) return std::nullopt;
    std::string text(row.jsonb());
    if (!checksum && text == "{}") return std::nullopt;
    return text;
}

std::map<std::string, std::string> business_parts(std::string_view jsonb) {
    std::map<std::string, std::string> parts;
    const auto value = json::parse(jsonb, stored_limits);
    if (!value || !value->is_object()) return parts;
    for (const auto& member : value->get_object())
        if (member.value().is_string())
            parts.emplace(member.key(), std::string(member.value().get_string()));
    return parts;
}

BusinessReference business_reference(Row& row) {
    BusinessReference business;
    business.key = row.optional(&Row::text).value_or("");
    if (!row.null()) business.parts = business_parts(row.jsonb());
    return business;
}

std::optional<LastCheckpoint> last_checkpoint(Row& row) {
    auto name = row.optional(&Row::text);
    const auto version = row.optional(&Row::int8);
    const auto at = row.optional(&Row::moment);
    if (!name || !version || !at) return std::nullopt;
    return LastCheckpoint{*std::move(name), *version, *at};
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

void read_runtime(Row& row, InstanceRow& found) {
    Instance& instance = found.row.instance;
    instance.run = row.int8();
    instance.index = row.int8();
    if (const auto text = row.optional(&Row::text)) {
        auto waiting = waiting_from_text(*text);
        if (waiting)
            instance.waiting = *std::move(waiting);
        else
            found.row.corrupt = true;
    }
    if (auto result = row.optional(&Row::text))
        instance.result = canonical_document(*std::move(result));
    instance.last_error = row.optional(&Row::text);
    instance.last_executed_by = row.optional(&Row::text);
    instance.last_executed_at = row.optional(&Row::moment);
    if (const auto text = row.optional(&Row::text)) {
        auto program = program_from_text(*text);
        if (program)
            instance.program = *std::move(program);
        else
            found.row.corrupt = true;
    }
    found.snapshot_version = row.int4();
}

std::optional<std::chrono::microseconds> duration(Row& row) {
    const auto count = row.optional(&Row::int8);
    if (!count) return std::nullopt;
    return std::chrono::microseconds(static_cast<std::int64_t>(*count));
}

}  // namespace

InstanceRow instance_row(Row& row) {
    InstanceRow found;
    Instance& instance = found.row.instance;
    instance.id = row.id<InstanceId>();
    instance.tenant = row.text();
    instance.definition.key = row.text();
    instance.definition.version = row.int4();
    instance.business = business_reference(row);
    const auto status = parse_status(row.text());
    instance.status = status.value_or(Status::failed);
    found.row.corrupt = !status;
    instance.paused = row.boolean();
    instance.incident = row.boolean();
    instance.quarantined = row.boolean();
    instance.version = row.int8();
    instance.rev = row.int8();
    instance.history_hash = row.digest();
    instance.started_by = row.optional(&Row::id<UserId>);
    instance.parent = row.optional(&Row::id<InstanceId>);
    instance.created_at = row.moment();
    instance.execution_started_at = row.optional(&Row::moment);
    instance.completed_at = row.optional(&Row::moment);
    instance.updated_at = row.moment();
    instance.last_modified_by = row.optional(&Row::id<UserId>);
    instance.last_modified_at = row.moment();
    instance.last_checkpoint = last_checkpoint(row);
    found.state_checksum = row.optional(&Row::digest);
    found.metadata_checksum = row.optional(&Row::digest);
    read_runtime(row, found);
    return found;
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
    Checkpoint checkpoint;
    checkpoint.instance = row.id<InstanceId>();
    checkpoint.name = row.text();
    checkpoint.version = row.int8();
    checkpoint.state = canonical_document(row.text());
    checkpoint.state_metadata = canonical_document(row.text());
    checkpoint.created_by = row.optional(&Row::id<UserId>);
    checkpoint.created_at = row.moment();
    return checkpoint;
}

KeyedOutcome answer_row(Row& row) {
    KeyedOutcome answer;
    answer.key = row.text();
    answer.request = row.digest();
    answer.outcome = row.text();
    answer.operation = row.id<OperationId>();
    answer.at = row.moment();
    return answer;
}

Reply<HistoryRow> history_row(Row& row) {
    HistoryRow entry;
    entry.instance = row.id<InstanceId>();
    entry.version = row.int8();
    const std::string type = row.text();
    const auto known = parse_history_type(type);
    if (!known) return corrupt_row("history entry with unknown type " + type);
    entry.type = *known;
    entry.payload = row.text();
    entry.state_metadata = row.optional(&Row::text);
    entry.cause.user = row.optional(&Row::id<UserId>);
    entry.cause.operation = row.id<OperationId>();
    entry.cause.correlation = row.optional(&Row::text).value_or("");
    entry.at = row.moment();
    entry.hash = row.digest();
    return entry;
}

Reply<ConflictRow> conflict_row(Row& row) {
    ConflictRow conflict;
    conflict.id = row.id<OperationId>();
    conflict.instance = row.id<InstanceId>();
    conflict.user = row.optional(&Row::id<UserId>);
    conflict.expected = row.int8();
    conflict.actual = row.int8();
    conflict.paths = row.texts();
    const std::string resolution = row.text();
    const auto known = parse_resolution(resolution);
    if (!known) return corrupt_row("conflict with unknown resolution " + resolution);
    conflict.resolution = *known;
    conflict.at = row.moment();
    return conflict;
}

Reply<std::shared_ptr<const Definition>> definition_row(Row& row) {
    auto definition = std::make_shared<Definition>();
    definition->ref.key = row.text();
    definition->ref.version = row.int4();
    definition->schema = row.optional(&Row::text);
    for (const std::string& text : row.texts()) {
        auto path = json::parse_path(text);
        if (!path)
            return corrupt_row("definition " + definition->ref.key + " with invalid index path " +
                               text);
        definition->indexes.push_back(*std::move(path));
    }
    definition->checksum = row.digest();
    definition->created_by = row.optional(&Row::id<UserId>);
    definition->created_at = row.moment();
    const std::string kind = row.text();
    const auto known = parse_definition_kind(kind);
    if (!known)
        return corrupt_row("definition " + definition->ref.key + " with unknown kind " + kind);
    definition->kind = *known;
    definition->retention.keep_for = duration(row);
    definition->retention.stale_after = duration(row);
    if (definition->schema) {
        auto compiled = StateSchema::compile(*definition->schema);
        if (!compiled)
            return corrupt_row("schema of definition " + definition->ref.key + ": " +
                               compiled.error().message);
        definition->compiled = *std::move(compiled);
    }
    return definition;
}

Document canonical_document(std::string text) {
    const Digest checksum = sha256(text);
    return Document::trusted(std::move(text), checksum);
}

}  // namespace holdfast::postgres
