#include "store/sqlite/write.h"

#include "base/assert.h"
#include "base/json/canonical.h"
#include "store/load_document.h"
#include "store/sqlite/rows.h"

namespace holdfast::sqlite {
namespace {

std::optional<Digest> checksum_column(const Document& document) {
    if (document.is_empty_object()) return std::nullopt;
    return document.checksum();
}

std::optional<std::string_view> text_column(const std::string& text) {
    if (text.empty()) return std::nullopt;
    return text;
}

std::optional<std::string> parts_column(const BusinessReference& business) {
    if (business.parts.empty()) return std::nullopt;
    boost::json::object parts;
    for (const auto& [name, value] : business.parts) parts[name] = value;
    return json::canonical(parts);
}

bool has_document(const Instance& instance) {
    return !instance.state.is_empty_object() || !instance.state_metadata.is_empty_object();
}

bool same_identity(const Instance& a, const Instance& b) {
    return a.definition == b.definition && a.business == b.business &&
           a.started_by == b.started_by && a.parent == b.parent && a.created_at == b.created_at &&
           a.execution_started_at == b.execution_started_at;
}

class Writing {
public:
    Writing(WriteSide& side, const StoreOptions& options) : side_(side), options_(options) {}

    // Runs one statement; false once anything has failed.
    template <class... Values>
    bool run(std::string_view statement, const Values&... values) {
        if (!done_) return false;
        if (options_.fault && options_.fault(rows_)) {
            done_ = fail(ErrorCode::refused, "a fault was injected");
            return false;
        }
        done_ = (*side_.database)[statement].bind(values...).run();
        if (done_) ++rows_;
        return done_.has_value();
    }

    void insert_instance(const Instance& i) {
        const auto& checkpoint = i.last_checkpoint;
        const auto parts = parts_column(i.business);
        run("insert_instances", i.id, i.tenant, i.definition.key, i.definition.version,
            text_column(i.business.key), parts, name_of(i.status), i.paused, i.incident,
            i.quarantined, i.version, i.rev, i.history_hash, i.started_by, i.parent, i.created_at,
            i.execution_started_at, i.completed_at, i.updated_at, i.last_modified_by,
            i.last_modified_at, checkpoint ? std::optional(checkpoint->name) : std::nullopt,
            checkpoint ? std::optional(checkpoint->version) : std::nullopt,
            checkpoint ? std::optional(checkpoint->at) : std::nullopt, checksum_column(i.state),
            checksum_column(i.state_metadata));
    }

    void update_instance(std::int64_t seq, const Instance& before, const Instance& i) {
        const auto& checkpoint = i.last_checkpoint;
        const auto name = checkpoint ? std::optional(checkpoint->name) : std::nullopt;
        run("update_instances", seq, name_of(i.status), i.paused, i.incident, i.quarantined,
            i.version, i.rev, i.history_hash, i.completed_at, i.updated_at, i.last_modified_by,
            i.last_modified_at, name,
            checkpoint ? std::optional(checkpoint->version) : std::nullopt,
            checkpoint ? std::optional(checkpoint->at) : std::nullopt, checksum_column(i.state),
            checksum_column(i.state_metadata));
        if (same_identity(before, i)) return;
        const auto parts = parts_column(i.business);
        run("update_instance_identity", seq, i.definition.key, i.definition.version,
            text_column(i.business.key), parts, i.started_by, i.parent, i.created_at,
            i.execution_started_at);
    }

    // A row exists exactly when one of the two documents holds something.
    void documents(std::int64_t seq, const Instance* before, const Instance* after) {
        const bool had = before && has_document(*before);
        const bool has = after && has_document(*after);
        if (had && !has) run("delete_documents", seq);
        if (!had && has)
            run("insert_document", seq, after->state.text(), after->state_metadata.text());
        if (had && has)
            run("update_document", seq, after->state.text(), after->state_metadata.text());
    }

    void state_paths(std::int64_t seq, const Instance* before, const Instance* after) {
        if (side_.index_paths.empty()) return;
        const PathValues old_values =
            before ? path_values(side_.index_paths, before->state) : PathValues{};
        const PathValues new_values =
            after ? path_values(side_.index_paths, after->state) : PathValues{};
        for (const auto& value : old_values)
            if (!std::ranges::binary_search(new_values, value))
                run("delete_state_path", value.first, value.second, seq);
        for (const auto& value : new_values)
            if (!std::ranges::binary_search(old_values, value))
                run("insert_state_path", value.first, value.second, seq);
    }

    void business_parts(std::int64_t seq, const Instance* before, const Instance* after) {
        static const std::map<std::string, std::string> none;
        const auto& old_parts = before ? before->business.parts : none;
        const auto& new_parts = after ? after->business.parts : none;
        if (old_parts == new_parts) return;
        for (const auto& [name, value] : old_parts) run("delete_business_part", name, value, seq);
        for (const auto& [name, value] : new_parts) run("insert_business_part", name, value, seq);
    }

    void children(std::int64_t seq, const ChildrenDiff& diff) {
        for (const auto& id : diff.activities.deleted) run("delete_activities", id);
        for (const auto& row : diff.activities.updated)
            run("update_activities", row.id, row.activity, row.completed, row.position);
        for (const auto& row : diff.activities.inserted)
            run("insert_activities", row.id, seq, row.activity, row.completed, row.position);
        for (const auto& id : diff.variables.deleted) run("delete_variables", id);
        for (const auto& row : diff.variables.updated)
            run("update_variables", row.id, row.variables.text(), row.position);
        for (const auto& row : diff.variables.inserted)
            run("insert_variables", row.id, seq, row.variables.text(), row.position);
        for (const auto& id : diff.conditions.deleted) run("delete_conditions", id);
        for (const auto& row : diff.conditions.updated)
            run("update_conditions", row.id, row.result, row.evaluated, row.position);
        for (const auto& row : diff.conditions.inserted)
            run("insert_conditions", row.id, seq, row.gateway, row.sequence_flow, row.result,
                row.evaluated, row.position);
        for (const auto& id : diff.forks.deleted) run("delete_forks", id);
        for (const auto& row : diff.forks.updated)
            run("update_forks", row.id, row.gateway, to_blob(row.tokens), row.position);
        for (const auto& row : diff.forks.inserted)
            run("insert_forks", row.id, seq, row.gateway, to_blob(row.tokens), row.position);
    }

    void history(const HistoryRow& row) {
        run("insert_history", row.instance, row.version, name_of(row.type), row.payload,
            row.state_metadata, row.cause.user, row.cause.operation,
            text_column(row.cause.correlation), row.at, row.hash);
    }

    void conflict(const ConflictRow& row) {
        const std::string paths = paths_to_json(row.paths);
        run("insert_conflicts", row.id, row.instance, row.user, row.expected, row.actual, paths,
            name_of(row.resolution), row.at);
    }

    void definition(const Definition& definition) {
        const std::string indexes = indexes_to_json(definition.indexes);
        run("insert_definitions", definition.ref.key, definition.ref.version, definition.schema,
            indexes, definition.checksum, definition.created_by, definition.created_at);
        for (const json::Path& path : definition.indexes)
            run("insert_index_paths", json::to_string(path));
    }

    void checkpoint(const Checkpoint& checkpoint) {
        run("put_checkpoints", checkpoint.instance, checkpoint.name, checkpoint.version,
            checkpoint.state.text(), checkpoint.state_metadata.text(), checkpoint.created_by,
            checkpoint.created_at);
    }

    void answer(const ClientAnswer& answer) {
        run("insert_operations", answer.key, answer.request, answer.outcome, answer.operation,
            answer.at);
    }

    std::int64_t inserted_seq() const { return side_.database->last_insert_rowid(); }
    Result<std::size_t> result() const {
        if (!done_) return std::unexpected(done_.error());
        return rows_;
    }

private:
    WriteSide& side_;
    const StoreOptions& options_;
    Result<void> done_;
    std::size_t rows_ = 0;
};

void write_instance(Writing& writing, const InstanceChange& change, Sequences& sequences) {
    const Instance* before = change.before ? &*change.before : nullptr;
    const Instance* after = change.after ? &*change.after : nullptr;
    HF_ASSERT(before || after, "a change is about an instance that is there before or after");
    if (after && !before) {
        writing.insert_instance(*after);
        sequences[after->id] = writing.inserted_seq();
    }
    const std::int64_t seq = sequences.at(after ? after->id : before->id);
    if (after && before) writing.update_instance(seq, *before, *after);
    if (!after || change.document_changed()) {
        writing.state_paths(seq, before, after);
        writing.documents(seq, before, after);
    }
    writing.business_parts(seq, before, after);
    if (change.cleared) writing.run("delete_checkpoints", seq);
    if (after)
        writing.children(seq, change.children());
    else
        writing.run("delete_instances", seq);  // the children go with it
}

}  // namespace

Result<std::size_t> write(WriteSide& side, const StoreOptions& options, const Round& round,
                          Moment now, const Changes& changes, Sequences& sequences) {
    Writing writing(side, options);
    writing.run("write_round", round.id, now);
    for (const auto& definition : *changes.definitions) writing.definition(*definition);
    for (const InstanceChange* change : changes.instances) {
        write_instance(writing, *change, sequences);
        if (!writing.result()) return writing.result();
    }
    for (const Checkpoint* checkpoint : changes.checkpoints) writing.checkpoint(*checkpoint);
    for (const HistoryRow& row : *changes.history) writing.history(row);
    for (const ConflictRow& row : *changes.conflicts) writing.conflict(row);
    for (const ClientAnswer* answer : changes.answers) writing.answer(*answer);
    return writing.result();
}

}  // namespace holdfast::sqlite
