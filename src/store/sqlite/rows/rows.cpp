#include "store/sqlite/rows/rows.h"

#include <boost/json.hpp>
#include <cstring>

#include "base/json/canonical.h"
#include "base/json/parse.h"
#include "model/codec/codec.h"
#include "store/load_document.h"

namespace holdfast::sqlite {
namespace {

std::vector<TokenId> tokens_of(std::string_view bytes) {
    std::vector<TokenId> tokens(bytes.size() / 16);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        std::memcpy(tokens[i].value.bytes.data(), bytes.data() + 16 * i, 16);
    return tokens;
}

Digest digest_of(Statement& row) { return row.digest(); }
std::chrono::microseconds duration_of(Statement& row) {
    return std::chrono::microseconds{row.integer()};
}
UserId user_of(Statement& row) { return row.id<UserId>(); }

std::optional<LastCheckpoint> read_last_checkpoint(Statement& row) {
    auto name = row.optional(text_of);
    const auto version = static_cast<Version>(row.integer());
    const Moment at = row.moment();
    if (!name) return std::nullopt;
    return LastCheckpoint{*std::move(name), version, at};
}

// Reads the columns of load_instance in their order.
StoredInstance read_instance(Statement& row) {
    StoredInstance stored;
    Instance& instance = stored.row.instance;
    stored.seq = row.integer();
    instance.id = row.id<InstanceId>();
    instance.tenant = row.text();
    instance.definition.key = row.text();
    instance.definition.version = static_cast<std::uint32_t>(row.integer());
    instance.business.key = row.text();
    if (auto parts = row.optional(text_of)) instance.business.parts = parts_from_json(*parts);
    instance.status = parse_status(row.view()).value_or(Status::failed);
    instance.paused = row.flag();
    instance.incident = row.flag();
    instance.quarantined = row.flag();
    instance.version = static_cast<Version>(row.integer());
    instance.rev = static_cast<std::uint64_t>(row.integer());
    instance.history_hash = row.digest();
    instance.started_by = row.optional(user_of);
    instance.parent = row.optional([](Statement& column) { return column.id<InstanceId>(); });
    instance.created_at = row.moment();
    instance.execution_started_at = row.optional(moment_of);
    instance.completed_at = row.optional(moment_of);
    instance.updated_at = row.moment();
    instance.last_modified_by = row.optional(user_of);
    instance.last_modified_at = row.moment();
    instance.last_checkpoint = read_last_checkpoint(row);
    const auto state_checksum = row.optional(digest_of);
    const auto metadata_checksum = row.optional(digest_of);
    const auto state = row.optional(text_of);
    const auto metadata = row.optional(text_of);
    stored.row.corrupt |= !load_document(state, state_checksum, Form::canonical, instance.state);
    instance.run = static_cast<std::uint64_t>(row.integer());
    instance.index = static_cast<std::uint64_t>(row.integer());
    if (const auto waiting = row.optional(text_of)) {
        if (auto parsed = waiting_from_text(*waiting))
            instance.waiting = *std::move(parsed);
        else
            stored.row.corrupt = true;
    }
    if (auto result = row.optional(text_of)) {
        const Digest checksum = sha256(*result);
        instance.result = Document::trusted(*std::move(result), checksum);
    }
    instance.last_error = row.optional(text_of);
    instance.last_executed_by = row.optional(text_of);
    instance.last_executed_at = row.optional(moment_of);
    if (const auto program = row.optional(text_of)) {
        if (auto parsed = program_from_text(*program))
            instance.program = *std::move(parsed);
        else
            stored.row.corrupt = true;
    }
    stored.snapshot_version = static_cast<std::uint64_t>(row.integer());
    stored.row.corrupt |=
        !load_document(metadata, metadata_checksum, Form::canonical, instance.state_metadata);
    return stored;
}

Result<void> load_children(Database& database, std::int64_t seq, Children& children) {
    ChildRows rows;
    auto done = for_each_row(database["load_activities"].bind(seq), [&](Statement& row) {
        const auto id = row.id<ActivityInstanceId>();
        std::string activity = row.text();
        const bool completed = row.flag();
        rows.activities.push_back({id, std::move(activity), completed, row.integer()});
    });
    if (!done) return done;
    done = for_each_row(database["load_variables"].bind(seq), [&](Statement& row) {
        const auto id = row.id<ScopeId>();
        std::string text = row.text();
        const Digest checksum = sha256(text);
        rows.variables.push_back({id, Document::trusted(std::move(text), checksum), row.integer()});
    });
    if (!done) return done;
    done = for_each_row(database["load_conditions"].bind(seq), [&](Statement& row) {
        ConditionRow condition;
        condition.id = row.id<ConditionId>();
        condition.gateway = row.id<ActivityInstanceId>();
        condition.sequence_flow = row.text();
        condition.result = row.flag();
        condition.evaluated = row.flag();
        condition.position = row.integer();
        rows.conditions.push_back(std::move(condition));
    });
    if (!done) return done;
    done = for_each_row(database["load_forks"].bind(seq), [&](Statement& row) {
        ForkRow fork;
        fork.id = row.id<ForkId>();
        fork.gateway = row.id<ActivityInstanceId>();
        fork.tokens = tokens_of(row.view());
        fork.position = row.integer();
        rows.forks.push_back(std::move(fork));
    });
    children = from_rows(std::move(rows));
    return done;
}

// Null: the statement returned no row.
Result<std::shared_ptr<const Definition>> read_definition(Statement& row) {
    const auto stepped = row.step();
    if (!stepped) return std::unexpected(stepped.error());
    if (*stepped == Stepped::done) return nullptr;
    Definition definition;
    definition.ref.key = row.text();
    definition.ref.version = static_cast<std::uint32_t>(row.integer());
    definition.schema = row.optional(text_of);
    const std::string indexes = row.text();
    definition.checksum = row.digest();
    definition.created_by = row.optional(user_of);
    definition.created_at = row.moment();
    definition.kind = parse_definition_kind(row.view()).value_or(DefinitionKind::outside);
    definition.retention.keep_for = row.optional(duration_of);
    definition.retention.stale_after = row.optional(duration_of);
    row.reset();
    return finish_definition(std::move(definition), indexes);
}

}  // namespace

Result<void> for_each_row(Statement& statement, const std::function<void(Statement&)>& visit) {
    for (;;) {
        const auto stepped = statement.step();
        if (!stepped) return std::unexpected(stepped.error());
        if (*stepped == Stepped::done) break;
        visit(statement);
    }
    statement.reset();
    return {};
}

Result<std::optional<StoredInstance>> load_instance(Database& database, const InstanceId& id,
                                                    Depth depth) {
    Statement& statement = database["load_instance"].bind(id);
    const auto stepped = statement.step();
    if (!stepped) return std::unexpected(stepped.error());
    if (*stepped == Stepped::done) {
        statement.reset();
        return std::nullopt;
    }
    StoredInstance stored = read_instance(statement);
    statement.reset();
    if (depth == Depth::whole)
        if (auto done = load_children(database, stored.seq, stored.row.instance.children); !done)
            return std::unexpected(done.error());
    return stored;
}

Result<std::shared_ptr<const Definition>> load_definition(Database& database,
                                                          const DefinitionRef& ref) {
    return read_definition(database["load_definitions"].bind(ref.key, ref.version));
}

Result<std::shared_ptr<const Definition>> load_newest_definition(Database& database,
                                                                 const std::string& key) {
    return read_definition(database["load_newest_definitions"].bind(key));
}

HistoryRow read_history_row(Statement& row) {
    HistoryRow history;
    history.instance = row.id<InstanceId>();
    history.version = static_cast<Version>(row.integer());
    history.type = parse_history_type(row.view()).value_or(HistoryType::written);
    history.payload = row.text();
    history.state_metadata = row.optional(text_of);
    history.cause.user = row.optional(user_of);
    history.cause.operation = row.id<OperationId>();
    history.cause.correlation = row.text();
    history.at = row.moment();
    history.hash = row.digest();
    return history;
}

ConflictRow read_conflict_row(Statement& row) {
    ConflictRow conflict;
    conflict.id = row.id<OperationId>();
    conflict.instance = row.id<InstanceId>();
    conflict.user = row.optional(user_of);
    conflict.expected = static_cast<Version>(row.integer());
    conflict.actual = static_cast<Version>(row.integer());
    conflict.paths = paths_from_json(row.view());
    conflict.resolution = parse_resolution(row.view()).value_or(Resolution::rejected);
    conflict.at = row.moment();
    return conflict;
}

Checkpoint read_checkpoint(Statement& row, const InstanceId& instance) {
    Checkpoint checkpoint;
    checkpoint.instance = instance;
    checkpoint.name = row.text();
    checkpoint.version = static_cast<Version>(row.integer());
    std::string state = row.text();
    std::string metadata = row.text();
    checkpoint.state = Document::trusted(state, sha256(state));
    checkpoint.state_metadata = Document::trusted(metadata, sha256(metadata));
    checkpoint.created_by = row.optional(user_of);
    checkpoint.created_at = row.moment();
    return checkpoint;
}

std::vector<std::uint8_t> to_blob(const std::vector<TokenId>& tokens) {
    std::vector<std::uint8_t> bytes;
    for (const TokenId& token : tokens)
        bytes.insert(bytes.end(), token.value.bytes.begin(), token.value.bytes.end());
    return bytes;
}

}  // namespace holdfast::sqlite
