#include "store/sqlite/rows/write.h"

#include "base/assert.h"
#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "store/load_document.h"
#include "store/sqlite/rows/rows.h"

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

std::optional<std::string_view> value_column(const std::optional<Document>& document) {
    if (!document) return std::nullopt;
    return document->text();
}

bool has_document(const Instance& instance) {
    return !instance.state.is_empty_object() || !instance.state_metadata.is_empty_object();
}

// The columns for the wait, the result and the program of an instance.
struct Runtime {
    explicit Runtime(const Instance& instance) {
        if (instance.waiting) {
            token = instance.waiting->token;
            until = instance.waiting->wait.until;
            json = waiting_text(*instance.waiting);
        }
        if (instance.result) result = instance.result->text();
        if (instance.program) program = program_text(*instance.program);
    }

    std::optional<TokenId> token;
    std::optional<Moment> until;
    std::optional<std::string> json;
    std::optional<std::string> result;
    std::optional<std::string> program;
};

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
        const auto parts = parts_to_json(i.business);
        const Runtime runtime(i);
        run("insert_instances", i.id, i.tenant, i.definition.key, i.definition.version,
            text_column(i.business.key), parts, name_of(i.status), i.paused, i.incident,
            i.quarantined, i.version, i.rev, i.history_hash, i.started_by, i.parent, i.created_at,
            i.execution_started_at, i.completed_at, i.updated_at, i.last_modified_by,
            i.last_modified_at, checkpoint ? std::optional(checkpoint->name) : std::nullopt,
            checkpoint ? std::optional(checkpoint->version) : std::nullopt,
            checkpoint ? std::optional(checkpoint->at) : std::nullopt, checksum_column(i.state),
            checksum_column(i.state_metadata), i.run, i.index, name_of(kind_of(i.waiting)),
            runtime.token, runtime.until, runtime.json, runtime.result, i.last_error,
            i.last_executed_by, i.last_executed_at, runtime.program);
    }

    void update_instance(std::int64_t seq, const InstanceChange& change) {
        const Instance& i = *change.after;
        const auto& checkpoint = i.last_checkpoint;
        const auto name = checkpoint ? std::optional(checkpoint->name) : std::nullopt;
        const Runtime runtime(i);
        run("update_instances", seq, name_of(i.status), i.paused, i.incident, i.quarantined,
            i.version, i.rev, i.history_hash, i.completed_at, i.updated_at, i.last_modified_by,
            i.last_modified_at, name,
            checkpoint ? std::optional(checkpoint->version) : std::nullopt,
            checkpoint ? std::optional(checkpoint->at) : std::nullopt, checksum_column(i.state),
            checksum_column(i.state_metadata), i.run, i.index, name_of(kind_of(i.waiting)),
            runtime.token, runtime.until, runtime.json, runtime.result, i.last_error,
            i.last_executed_by, i.last_executed_at, runtime.program);
        if (change.keeps_identity()) return;
        const auto parts = parts_to_json(i.business);
        run("update_instance_identity", seq, i.definition.key, i.definition.version,
            text_column(i.business.key), parts, i.started_by, i.parent, i.created_at,
            i.execution_started_at);
    }

    // A row exists unless both documents are {}.
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

    // Updates the rows in which events, timers and completions look up the instance.
    void waits(std::int64_t seq, const Instance* before, const Instance* after) {
        const Waiting* old_wait = before && is_registered(*before) ? &*before->waiting : nullptr;
        const Waiting* new_wait = after && is_registered(*after) ? &*after->waiting : nullptr;
        if (old_wait && new_wait && *old_wait == *new_wait) return;
        if (old_wait) unregister(seq, *old_wait);
        if (new_wait) register_wait(seq, *new_wait);
    }

    void unregister(std::int64_t seq, const Waiting& waiting) {
        for (const std::string& name : waiting.wait.names)
            run("delete_waits", name, waiting.began_at, waiting.operation, seq);
        for (const InstanceId& id : waiting.wait.workflows)
            run("delete_completion_waits", id, waiting.began_at, waiting.operation, seq);
        if (waiting.wait.until) run("delete_timers", seq);
    }

    void register_wait(std::int64_t seq, const Waiting& waiting) {
        for (const std::string& name : waiting.wait.names)
            run("insert_waits", name, waiting.began_at, waiting.operation, seq, waiting.token);
        for (const InstanceId& id : waiting.wait.workflows)
            run("insert_completion_waits", id, waiting.began_at, waiting.operation, seq,
                waiting.token);
        if (waiting.wait.until) run("put_timers", seq, waiting.token, *waiting.wait.until);
    }

    // Deletes what a cleared instance has besides its row and its children.
    void clear(std::int64_t seq, const InstanceId& id) {
        run("delete_checkpoints", seq);
        run("delete_steps", seq);
        run("delete_winners", seq);
        run("delete_tasks", seq);
        run("delete_task_events", id);
    }

    void insert_task(std::int64_t seq, const HumanTask& task) {
        const TaskSpec& spec = task.spec;
        run("insert_tasks", task.id, seq, task.definition, text_column(task.business.key),
            parts_to_json(task.business), spec.name, text_column(spec.queue), spec.assignee,
            paths_to_json(spec.candidate_users), paths_to_json(spec.candidate_groups),
            spec.payload.text(), paths_to_json(spec.expected_outputs), value_column(task.outputs),
            value_column(task.error), spec.due_at, spec.priority, name_of(task.state), task.holder,
            task.version, task.created_at, task.updated_at, task.ended_at);
        for (const std::string& user : spec.candidate_users)
            run("insert_task_candidates", "user", user, task.id);
        for (const std::string& group : spec.candidate_groups)
            run("insert_task_candidates", "group", group, task.id);
        for (const auto& [name, value] : task.business.parts)
            run("insert_task_parts", name, value, task.id);
        if (!is_open(task.state)) run("end_task_candidates", task.id);
    }

    void tasks(const Changes& changes, const Sequences& sequences) {
        for (const auto& [id, task] : changes.tasks->inserted)
            insert_task(sequences.at(task.instance), task);
        for (const auto& [id, update] : changes.tasks->updated) {
            const HumanTask& task = update.task;
            run("update_tasks", id, update.before, task.spec.assignee, value_column(task.outputs),
                value_column(task.error), name_of(task.state), task.holder, task.version,
                task.updated_at, task.ended_at);
            if (!is_open(task.state)) run("end_task_candidates", id);
        }
        for (const TaskEvent& event : changes.tasks->events)
            run("insert_task_events", event.task, event.version, event.instance,
                name_of(event.type), text_column(event.user), event.detail.text(), event.operation,
                event.at);
    }

    void journal(const Changes& changes, const Sequences& sequences) {
        for (const InstanceId& id : *changes.cleared_journals) {
            run("delete_steps", sequences.at(id));
            run("delete_winners", sequences.at(id));
        }
        for (const Step* step : changes.steps)
            run("insert_steps", sequences.at(step->instance), step->index, step->name,
                step->input_hash, step->result == StepResult::error ? "error" : "value",
                step->value.text(), step->at);
        for (const Winner* winner : changes.winners)
            run("insert_winners", sequences.at(winner->instance), winner->index,
                name_of(winner->type), winner->name);
    }

    // Discards the events queued for a cleared instance; their ids stay known (I3).
    void discard_inbox(const InstanceId& target, Moment now) {
        run("discard_inboxes", target, now);
        run("delete_inboxes", target);
    }

    // The fate of an event is written before it is deleted from the queue (I3).
    void mail(const Changes& changes, Moment now) {
        const MailChanges& mail = *changes.mail;
        for (const FateRow& row : mail.fates)
            run("insert_fates", row.event, row.instance.value_or(InstanceId{}), row.name,
                name_of(row.fate), row.index, row.at);
        // Deletes first: an event may be replayed and become dead again in one round.
        for (const EventId& id : mail.unburied) run("delete_dead_events", id);
        for (const auto& [id, dead] : mail.buried) {
            const Event& e = dead.event;
            run("insert_dead_events", e.id, e.name, e.target, e.value.text(),
                name_of(e.on_target_ended), e.keep == Keep::yes, e.accepted_at, e.expires_at,
                e.operation, name_of(dead.target_status), dead.ended_at);
        }
        for (const EventId& id : mail.taken) run("delete_pending_events", id);
        for (const auto& [id, event] : mail.released) run("release_pending_events", id);
        for (const InstanceChange* change : changes.instances)
            if (change->cleared && change->before) discard_inbox(change->before->id, now);
        for (const auto& [id, e] : mail.queued)
            run("insert_pending_events", e.id, e.name, e.target, e.value.text(),
                name_of(e.on_target_ended), e.keep == Keep::yes, e.accepted_at, e.expires_at,
                e.operation);
    }

    // Keeps one continuation per running instance with a program (I47).
    void continuations(const ContinuationChanges& changes) {
        for (const SignalRow& row : changes.inserted) {
            run("insert_continuation", row.id, row.instance, row.program, row.enqueued_at,
                row.visible_at, row.leased_by, row.epoch, row.attempts, Bytes{row.envelope});
            if (done_ && side_.database->changed() == 0)
                done_ = fail(ErrorCode::refused, "the instance already has a continuation");
        }
        for (const InstanceId& id : changes.progressed) run("progress_continuation", id);
    }

    void enqueue(const SignalRow& row) {
        run("insert_signal", row.id, row.instance, name_of(row.type), row.program, row.enqueued_at,
            row.visible_at, row.leased_by, row.epoch, row.attempts, Bytes{row.envelope});
    }

    void bury(const DeadLetter& letter) {
        const SignalRow& row = letter.signal;
        run("insert_dead_letter", row.id, row.instance, name_of(row.type), row.program,
            row.enqueued_at, row.epoch, row.attempts, Bytes{row.envelope}, name_of(letter.reason),
            letter.detail, letter.node, letter.at);
    }

    void fan_out(const SignalChanges::FanOut& wanted, Moment now) {
        if (!done_) return;
        std::vector<InstanceId> waiters;
        done_ = for_each_row((*side_.database)["load_waiters"].bind(wanted.name),
                             [&](Statement& row) { waiters.push_back(row.id<InstanceId>()); });
        for (const InstanceId& waiter : waiters)
            run("insert_fan_out", fan_out_id(wanted.operation, waiter), waiter, now,
                Bytes{wanted.envelope});
    }

    // Deletes first: a signal may be inserted again under its id in the same round.
    void signals(const Changes& changes, Moment now) {
        const SignalChanges& signals = *changes.signals;
        for (const InstanceId& id : changes.continuations.deleted) run("delete_continuation", id);
        for (const SignalId& id : signals.unburied) run("delete_dead_letter", id);
        for (const auto& [id, letter] : signals.buried) bury(letter);
        for (const SignalId& id : signals.consumed) run("delete_signal", id);
        for (const InstanceChange* change : changes.instances)
            if (change->cleared && change->before) clear_signals(change->before->id);
        continuations(changes.continuations);
        for (const auto& [id, row] : signals.enqueued) enqueue(row);
        for (const auto& [id, scheduled] : signals.scheduled) {
            const SignalRow& row = scheduled.signal;
            run("insert_scheduled", row.id, row.instance, name_of(row.type), row.program,
                row.enqueued_at, scheduled.due_at, Bytes{row.envelope});
        }
        for (const ProcessedSignal& row : signals.processed)
            run("insert_processed", row.instance, row.signal, row.at);
        for (const auto& wanted : signals.fan_outs) fan_out(wanted, now);
    }

    void clear_signals(const InstanceId& id) {
        run("delete_signals_of", id);
        run("delete_scheduled_of", id);
        run("delete_processed_of", id);
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
        const auto count = [](const auto& duration) {
            return duration ? std::optional(std::int64_t{duration->count()}) : std::nullopt;
        };
        run("insert_definitions", definition.ref.key, definition.ref.version, definition.schema,
            indexes, definition.checksum, definition.created_by, definition.created_at,
            name_of(definition.kind), count(definition.retention.keep_for),
            count(definition.retention.stale_after));
        for (const json::Path& path : definition.indexes)
            run("insert_index_paths", json::to_string(path));
    }

    void checkpoint(const Checkpoint& checkpoint) {
        run("put_checkpoints", checkpoint.instance, checkpoint.name, checkpoint.version,
            checkpoint.state.text(), checkpoint.state_metadata.text(), checkpoint.created_by,
            checkpoint.created_at);
    }

    void answer(const KeyedOutcome& answer) {
        run("insert_operations", answer.key, answer.request, answer.outcome, answer.operation,
            answer.at, answer.instance);
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

void write_instance(Writing& writing, const InstanceChange& change, Moment now,
                    Sequences& sequences) {
    const Instance* before = change.before ? &*change.before : nullptr;
    const Instance* after = change.after ? &*change.after : nullptr;
    HF_ASSERT(before || after, "a changed instance exists before or after the round");
    if (after && !before) {
        writing.insert_instance(*after);
        sequences[after->id] = writing.inserted_seq();
    }
    const std::int64_t seq = sequences.at(after ? after->id : before->id);
    if (after && before) writing.update_instance(seq, change);
    if (!after || change.document_changed()) {
        writing.state_paths(seq, before, after);
        writing.documents(seq, before, after);
    }
    writing.business_parts(seq, before, after);
    writing.waits(seq, before, after);
    if (change.cleared && before) writing.clear(seq, before->id);
    if (after) return writing.children(seq, change.children());
    writing.run("release_operations", before->id, now);
    writing.run("delete_instances", seq);  // cascades to the children
}

}  // namespace

Result<std::size_t> write(WriteSide& side, const StoreOptions& options, const Round& round,
                          Moment now, const Changes& changes, Sequences& sequences) {
    Writing writing(side, options);
    writing.run("write_round", round.id, now);
    for (const auto& definition : *changes.definitions) writing.definition(*definition);
    for (const InstanceChange* change : changes.instances) {
        write_instance(writing, *change, now, sequences);
        if (!writing.result()) return writing.result();
    }
    for (const Checkpoint* checkpoint : changes.checkpoints) writing.checkpoint(*checkpoint);
    writing.journal(changes, sequences);
    writing.tasks(changes, sequences);
    writing.mail(changes, now);
    writing.signals(changes, now);
    for (const HistoryRow& row : *changes.history) writing.history(row);
    for (const ConflictRow& row : *changes.conflicts) writing.conflict(row);
    for (const KeyedOutcome* answer : changes.answers) writing.answer(*answer);
    return writing.result();
}

}  // namespace holdfast::sqlite
