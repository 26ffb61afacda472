#include "store/sqlite/rows/rows.h"

#include <cstring>

#include "model/codec/codec.h"
#include "store/load_document.h"
#include "store/row_checksum.h"
#include "store/sqlite/rows/columns.h"
#include "store/tables/definition_table.h"
#include "store/tables/instance_table.h"
#include "store/tables/record_tables.h"

namespace holdfast::sqlite {
namespace {

std::vector<TokenId> tokens_of(std::string_view bytes) {
    std::vector<TokenId> tokens(bytes.size() / 16);
    for (std::size_t i = 0; i < tokens.size(); ++i)
        std::memcpy(tokens[i].value.bytes.data(), bytes.data() + 16 * i, 16);
    return tokens;
}

Digest digest_of(Statement& row) { return row.digest(); }

// The documents were not read; their checksums are kept, for the one of the row.
void leave_documents(const std::optional<Digest>& state_checksum,
                     const std::optional<Digest>& metadata_checksum, Instance& instance) {
    if (state_checksum) instance.state = Document::trusted("{}", *state_checksum);
    if (metadata_checksum) instance.state_metadata = Document::trusted("{}", *metadata_checksum);
    drop_documents(instance);
}

// Reads the columns of load_instance in their order.
StoredInstance read_instance(Statement& row, PageContent content = PageContent::documents) {
    StoredInstance stored;
    Instance& instance = stored.row.instance;
    stored.seq = row.integer();
    stored.row.corrupt = !tables::read_instance_columns(row, instance);
    const auto state_checksum = row.optional(digest_of);
    const auto metadata_checksum = row.optional(digest_of);
    const auto state = row.optional(text_of);
    const auto metadata = row.optional(text_of);
    if (content == PageContent::documents) {
        stored.row.corrupt |=
            !load_document(state, state_checksum, Form::canonical, instance.state);
        stored.row.corrupt |=
            !load_document(metadata, metadata_checksum, Form::canonical, instance.state_metadata);
    } else {
        leave_documents(state_checksum, metadata_checksum, instance);
    }
    if (const auto waits = row.optional(text_of)) {
        if (auto parsed = waits_from_text(*waits))
            instance.waits = *std::move(parsed);
        else
            stored.row.corrupt = true;
    }
    stored.snapshot_version = static_cast<std::uint64_t>(row.integer());
    const auto checksum = row.optional([](Statement& column) { return column.integer(); });
    stored.row.misplaced = !is_row_sound(instance, checksum);
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
    auto definition = read_row<tables::Definitions>(row);
    row.reset();
    HF_CHECK(row.check());
    return finish_definition(std::move(definition));
}

}  // namespace

Result<void> for_each_row(Statement& statement, const std::function<void(Statement&)>& visit) {
    for (;;) {
        const auto stepped = statement.step();
        if (!stepped) return std::unexpected(stepped.error());
        if (*stepped == Stepped::done) break;
        visit(statement);
        if (auto sound = statement.check(); !sound) {
            statement.reset();
            return sound;
        }
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
    if (stored.row.misplaced || stored.row.instance.id != id) {
        stored.row = {
            .instance = hidden_row(id, stored.row.instance), .corrupt = true, .misplaced = true};
        return stored;
    }
    if (depth == Depth::whole)
        if (auto done = load_children(database, stored.seq, stored.row.instance.children); !done)
            return std::unexpected(done.error());
    return stored;
}

Result<std::optional<StoredInstance>> load_instance_row(Database& database, const InstanceId& id) {
    std::optional<StoredInstance> stored;
    HF_CHECK(for_each_row(database["load_instance_row"].bind(id),
                          [&](Statement& row) { stored = read_instance(row, PageContent::rows); }));
    return stored;
}

Result<std::shared_ptr<const Definition>> load_definition(Database& database,
                                                          const TenantRef& wanted) {
    return read_definition(
        database["load_definitions"].bind(wanted.tenant, wanted.ref.key, wanted.ref.version));
}

Result<std::shared_ptr<const Definition>> load_newest_definition(Database& database,
                                                                 const TenantKey& key) {
    return read_definition(database["load_newest_definitions"].bind(key.tenant, key.key));
}

HistoryAnchor read_history_anchor(Statement& row) {
    HistoryAnchor anchor;
    anchor.version = static_cast<Version>(row.integer());
    anchor.hash = row.digest();
    anchor.state = row.optional(text_of);
    anchor.state_metadata = row.optional(text_of);
    anchor.at = row.moment();
    return anchor;
}

Checkpoint read_checkpoint(Statement& row, const InstanceId& instance) {
    auto checkpoint = read_row<tables::Checkpoints>(row);
    checkpoint.instance = instance;
    return checkpoint;
}

std::vector<std::uint8_t> to_blob(const std::vector<TokenId>& tokens) {
    std::vector<std::uint8_t> bytes;
    for (const TokenId& token : tokens)
        bytes.insert(bytes.end(), token.value.bytes.begin(), token.value.bytes.end());
    return bytes;
}

}  // namespace holdfast::sqlite
