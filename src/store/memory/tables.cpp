#include "store/memory/tables.h"

#include "store/memory/mail.h"
#include "store/memory/signals.h"
#include "store/memory/tasks.h"
#include "store/row_checksum.h"
#include "store/stream_records.h"

namespace holdfast::memory {
namespace {

// Absent unless the history since the last clear has both documents of that version.
std::optional<StateAt> state_at(const Tables& tables, const InstanceId& id, Version version) {
    std::optional<Document> state;
    std::optional<Document> metadata;
    const auto anchor = tables.history_anchors.find(id);
    if (anchor != tables.history_anchors.end() && anchor->second.version <= version) {
        const auto& [at, hash, text, metadata_text, time] = anchor->second;
        if (text) state = Document::trusted(*text, sha256(*text));
        if (metadata_text) metadata = Document::trusted(*metadata_text, sha256(*metadata_text));
    }
    for (auto row = tables.history.lower_bound({id, 0});
         row != tables.history.end() && row->first.first == id; ++row) {
        const HistoryRow& history = row->second;
        if (history.type == HistoryType::cleared && history.version >= version) return std::nullopt;
        if (history.version > version || !carries_state(history.type)) continue;
        state = Document::trusted(history.payload, sha256(history.payload));
        if (history.state_metadata)
            metadata = Document::trusted(*history.state_metadata, sha256(*history.state_metadata));
    }
    if (!state || !metadata) return std::nullopt;
    return StateAt{*std::move(state), *std::move(metadata)};
}

void load_lineage(const Tables& tables, const InstanceId& id, Loaded& loaded) {
    auto after = tables.history.upper_bound({id, ~Version{0}});
    if (after == tables.history.begin()) return;
    const auto& [key, row] = *std::prev(after);
    if (key.first == id) loaded.lineages[id] = {row.version, row.hash, row.cause.tenant()};
}

void load_newest(const Tables& tables, const TenantKey& key, Loaded& loaded) {
    auto after = tables.definitions.upper_bound({key.tenant, {key.key, ~std::uint32_t{0}}});
    if (after == tables.definitions.begin()) return;
    const auto& [found, definition] = *std::prev(after);
    if (found.tenant == key.tenant && found.ref.key == key.key) loaded.newest[key] = definition;
}

void apply_instance(Tables& tables, const InstanceChange& change) {
    const InstanceId& id = change.after ? change.after->id : change.before->id;
    if (change.cleared) {
        const auto is_its_own = [&](const auto& item) { return item.first.first == id; };
        std::erase_if(tables.checkpoints, is_its_own);
        std::erase_if(tables.steps, is_its_own);
        std::erase_if(tables.winners, is_its_own);
    }
    if (!change.after) {
        release_answers(tables, id);
        tables.instances.erase(id);
        return;
    }
    Instance stored = *change.after;
    stored.state.forget_value();
    stored.state_metadata.forget_value();
    if (change.before && !change.document_changed()) {
        const Instance& old = tables.instances.at(id).instance;  // `before` may not have read them
        stored.state = old.state;
        stored.state_metadata = old.state_metadata;
    }
    // Likewise, and they are the same if it has read them.
    if (change.before && !change.cleared && change.before->children == change.after->children)
        stored.children = tables.instances.at(id).instance.children;
    // Updated rows keep their ids, as in the databases.
    if (change.before) {
        const ChildrenDiff diff = change.children();
        for (const ConditionRow& row : diff.conditions.updated)
            for (Condition& condition : stored.children.conditions[row.gateway])
                if (condition.sequence_flow == row.sequence_flow) condition.id = row.id;
    }
    keep_places(change.before && !change.cleared ? change.before->children : Children{},
                stored.children);
    tables.instances.insert_or_assign(id, Loaded::Row{std::move(stored), change.corrupt});
}

}  // namespace

Loaded::Row row_for(const InstanceId& id, const Loaded::Row& row) {
    if (row.instance.id == id) return row;
    return {.instance = hidden_row(id, row.instance), .corrupt = true, .misplaced = true};
}

void load_definition(const Tables& tables, const TenantRef& wanted, Loaded& loaded) {
    const auto found = tables.definitions.find(wanted);
    if (found != tables.definitions.end()) loaded.definitions.insert(*found);
}

Loaded load(const Tables& tables, const ReadSet& reads) {
    Loaded loaded;
    loaded.now = tables.latest;
    for (const auto& [id, need] : reads.instances()) {
        const auto found = tables.instances.find(id);
        if (found != tables.instances.end()) {
            loaded.instances.emplace(id, row_for(id, found->second));
            const Instance& instance = found->second.instance;
            load_definition(tables, {instance.tenant, instance.definition}, loaded);
        } else if (need.past == Past::looked_up) {
            load_lineage(tables, id, loaded);
        }
    }
    for (const TenantKey& key : reads.definitions()) load_newest(tables, key, loaded);
    for (const TenantRef& wanted : reads.definition_versions())
        load_definition(tables, wanted, loaded);
    for (const auto& wanted : reads.states())
        if (auto state = state_at(tables, wanted.first, wanted.second))
            loaded.states[wanted] = *std::move(state);
    for (const auto& wanted : reads.checkpoints())
        if (const auto found = tables.checkpoints.find(wanted); found != tables.checkpoints.end())
            loaded.checkpoints.insert(*found);
    for (const TenantKey& key : reads.answers())
        if (const auto found = tables.answers.find(key); found != tables.answers.end())
            loaded.answers.insert(*found);
    load_mail(tables, reads, loaded);
    load_signals(tables, reads, loaded);
    load_tasks(tables, reads, loaded);
    return loaded;
}

Result<void> check(const Tables& tables, const Changes& changes) {
    for (const InstanceChange* change : changes.instances)
        if (change->after && change->after->business.key.size() > 256)
            return fail(ErrorCode::refused, "the business key is longer than 256 bytes");
    for (const HistoryRow& row : *changes.history)
        if (tables.history.contains({row.instance, row.version}))
            return fail(ErrorCode::refused, "the version already has a history row");
    HF_CHECK(check_signals(tables, changes));
    return check_tasks(tables, changes);
}

std::size_t count_rows(const Changes& changes) {
    std::size_t rows = 1 + changes.history->size() + changes.conflicts->size() +
                       changes.definitions->size() + changes.checkpoints.size() +
                       changes.answers.size() + count_signal_rows(changes) +
                       count_task_rows(changes);
    for (const InstanceChange* change : changes.instances)
        rows += 1 + (change->document_changed() ? 1 : 0) + change->children().size();
    return rows;
}

void release_answers(Tables& tables, const InstanceId& id) {
    for (auto& [key, answer] : tables.answers) {
        if (answer.instance != id) continue;
        answer.instance.reset();
        answer.at = tables.latest;
    }
}

void apply(Tables& tables, const RoundId& round, const Changes& changes) {
    for (const InstanceChange* change : changes.instances) apply_instance(tables, *change);
    for (const HistoryRow& row : *changes.history)
        tables.history.emplace(std::pair{row.instance, row.version}, row);
    for (const ConflictRow& row : *changes.conflicts) tables.conflicts.emplace(row.id, row);
    for (const auto& definition : *changes.definitions) {
        tables.definitions.emplace(TenantRef{definition->tenant, definition->ref}, definition);
        for (const json::Path& path : definition->indexes) tables.index_paths.emplace(path, false);
    }
    for (const Checkpoint* checkpoint : changes.checkpoints)
        tables.checkpoints.insert_or_assign({checkpoint->instance, checkpoint->name}, *checkpoint);
    for (const KeyedOutcome* answer : changes.answers) tables.answers.emplace(answer->key, *answer);
    apply_mail(tables, changes);
    apply_signals(tables, changes);
    apply_tasks(tables, changes);
    tables.rounds.emplace(round, CommitStatus::committed);
    if (!has_records(changes)) return;
    auto& stream = tables.stream;
    const std::uint64_t last = stream.empty() ? tables.forgotten : stream.rbegin()->first;
    stream.emplace(last + 1, records_of(changes));
}

}  // namespace holdfast::memory
