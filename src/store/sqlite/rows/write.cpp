#include "store/sqlite/rows/write.h"

#include <ranges>

#include "base/assert.h"
#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "store/load_document.h"
#include "store/row_checksum.h"
#include "store/sqlite/rows/columns.h"
#include "store/sqlite/rows/rows.h"
#include "store/sqlite/rows/signal_rows.h"
#include "store/stream_records.h"
#include "store/tables/definition_table.h"
#include "store/tables/instance_table.h"
#include "store/tables/mail_tables.h"
#include "store/tables/record_tables.h"
#include "store/tables/signal_tables.h"
#include "store/tables/task_tables.h"
#include "store/wait_changes.h"

namespace holdfast::sqlite {
namespace {

std::optional<Digest> checksum_column(const Document& document) {
    if (document.is_empty_object()) return std::nullopt;
    return document.checksum();
}

bool has_document(const Instance& instance) {
    return !instance.state.is_empty_object() || !instance.state_metadata.is_empty_object();
}

// Which columns of its row an update names.
enum class Extent { move, edit, all };

Extent extent_of(const InstanceChange& change) {
    const Instance& before = *change.before;
    const Instance& after = *change.after;
    if (before.incident != after.incident || before.paused != after.paused ||
        before.quarantined != after.quarantined || before.completed_at != after.completed_at)
        return Extent::all;
    const bool edited = change.document_changed() ||
                        before.last_modified_by != after.last_modified_by ||
                        before.last_modified_at != after.last_modified_at ||
                        before.last_checkpoint != after.last_checkpoint ||
                        before.cancel_reason != after.cancel_reason;
    return edited ? Extent::edit : Extent::move;
}

class Writing {
public:
    Writing(WriteSide& side, const StoreOptions& options) : side_(side), options_(options) {}

    // Runs one statement; false once anything has failed.
    template <class... Values>
    bool run(std::string_view statement, const Values&... values) {
        return bind_and_run(statement,
                            [&](Statement& bound) { return bound.bind(values...).run(); });
    }
    // The same, with the columns of a described table after the values.
    template <class Table, class... Values>
    bool run_row(std::string_view statement, const typename Table::Row& row,
                 const Values&... values) {
        return bind_and_run(statement, [&](Statement& bound) {
            const BoundColumns<Table> columns(bound.bind(values...), row);
            return bound.run();
        });
    }

    // The last statement found its row: one with another id is never overwritten (I17).
    void expect_one_row(const InstanceId& id) {
        if (done_ && side_.database->changed() != 1)
            done_ = fail(ErrorCode::corrupt, "the row of " + to_string(id) + " is another's");
    }

    void insert_instance(const Instance& i) {
        const WaitSummary waiting = summary_of(i.waits);
        run_row<tables::Instances>("insert_instances", i, checksum_column(i.state),
                                   checksum_column(i.state_metadata), name_of(waiting.kind),
                                   waiting.token, waiting.until, waits_in_row(i, WaitsInRow::four),
                                   row_checksum(i));
    }

    void update_instance(std::int64_t seq, const InstanceChange& change) {
        const Instance& i = *change.after;
        switch (extent_of(change)) {
            case Extent::move: {
                const WaitSummary waiting = summary_of(i.waits);
                run_row<tables::InstanceMove>(
                    "move_instances", i, name_of(waiting.kind), waiting.token, waiting.until,
                    waits_in_row(i, WaitsInRow::four), row_checksum(i), seq, i.id);
                break;
            }
            case Extent::edit:
                update_columns<tables::InstanceEdit>("edit_instances", seq, i);
                break;
            case Extent::all:
                update_columns<tables::InstanceProgress>("update_instances", seq, i);
                break;
        }
        expect_one_row(i.id);
        if (!change.keeps_identity())
            run_row<tables::InstanceIdentity>("update_instance_identity", i, seq);
    }

    template <class Columns>
    void update_columns(std::string_view statement, std::int64_t seq, const Instance& i) {
        const WaitSummary waiting = summary_of(i.waits);
        run_row<Columns>(statement, i, checksum_column(i.state), checksum_column(i.state_metadata),
                         name_of(waiting.kind), waiting.token, waiting.until,
                         waits_in_row(i, WaitsInRow::four), row_checksum(i), seq, i.id);
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
        const WaitChanges changes = wait_changes(before, after, WaitsInRow::four);
        for (const Waiting* waiting : changes.unregistered) unregister(seq, *before, *waiting);
        for (const Waiting* waiting : changes.registered) register_wait(seq, *after, *waiting);
        for (const Waiting* waiting : changes.deleted)
            run("delete_parallel_waits", seq, waiting->token);
        for (const Waiting* waiting : changes.inserted)
            run("insert_parallel_waits", seq, waiting->token, waiting_text(*waiting));
    }

    void unregister(std::int64_t seq, const Instance& of, const Waiting& waiting) {
        for (const EventKey& key : waiting.wait.names | std::views::filter(is_looked_up))
            run("delete_waits", of.tenant, key.name, key.correlation, waiting.began_at,
                waiting.operation, waiting.token);
        for (const InstanceId& id : waiting.wait.workflows)
            run("delete_completion_waits", id, waiting.began_at, waiting.operation, waiting.token);
        if (waiting.wait.until) run("delete_timers", seq, waiting.token);
    }

    void register_wait(std::int64_t seq, const Instance& of, const Waiting& waiting) {
        for (const EventKey& key : waiting.wait.names | std::views::filter(is_looked_up))
            run("insert_waits", of.tenant, key.name, key.correlation, waiting.began_at,
                waiting.operation, waiting.token, seq);
        for (const InstanceId& id : waiting.wait.workflows)
            run("insert_completion_waits", id, waiting.began_at, waiting.operation, waiting.token,
                seq);
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
        run_row<tables::Tasks>("insert_tasks", task, seq);
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
            if (is_open(task.state)) {
                run_row<tables::OpenTaskProgress>("update_open_tasks", task, id, update.before);
            } else {
                run_row<tables::TaskProgress>("update_tasks", task, id, update.before);
                run("end_task_candidates", id);
            }
        }
        for (const TaskEvent& event : changes.tasks->events)
            run_row<tables::TaskEvents>("insert_task_events", event);
    }

    void journal(const Changes& changes, const Sequences& sequences) {
        for (const InstanceId& id : *changes.cleared_journals) {
            run("delete_steps", sequences.at(id));
            run("delete_winners", sequences.at(id));
        }
        for (const auto& [digest, value] : changes.values)
            run("put_values", digest, value->text(), changes.now);
        for (const Step* step : changes.steps)
            run_row<tables::Steps>("insert_steps", *step, sequences.at(step->instance), step->index,
                                   shared_digest(*step));
        for (const Winner* winner : changes.winners)
            run_row<tables::Winners>("insert_winners", *winner, sequences.at(winner->instance),
                                     winner->index);
    }

    // Discards the events queued for a cleared instance; their ids stay known (I3).
    void discard_inbox(const InstanceId& target, Moment now) {
        side_.queue_sizes.forget_all();
        run("discard_inboxes", target, now);
        run("delete_inboxes", target);
    }

    void end_inbox(const InstanceId& target, const MailChanges::EndedInbox& ended) {
        side_.queue_sizes.forget_all();
        run("end_inboxes", target, ended.at);
        run("bury_inboxes", target, ended.at, name_of(ended.status));
        run("release_inboxes", target, ended.at);
        run("delete_inboxes", target);
    }

    // The fate of an event is written before it is deleted from the queue (I3).
    void mail(const Changes& changes, Moment now) {
        const MailChanges& mail = *changes.mail;
        for (const FateRow& row : mail.fates) run_row<tables::EventFates>("insert_fates", row);
        // Deletes first: an event may be replayed and become dead again in one round.
        for (const auto& [id, dead] : mail.unburied) run("delete_dead_events", id);
        for (const auto& [id, dead] : mail.buried)
            run_row<tables::DeadEvents>("insert_dead_events", dead);
        for (const EventId& id : mail.taken) take(id);
        if (!mail.released.empty()) side_.queue_sizes.forget_all();
        for (const auto& [id, event] : mail.released) run("release_pending_events", id);
        for (const auto& [id, ended] : mail.ended_inboxes) end_inbox(id, ended);
        for (const InstanceChange* change : changes.instances)
            if (change->cleared && change->before) discard_inbox(change->before->id, now);
        for (const auto& [id, event] : mail.queued) {
            run_row<tables::Events>("insert_pending_events", event, event.value.text().size());
            side_.queue_sizes.add(event);
        }
    }

    void take(const EventId& id) {
        if (done_ && !side_.queue_sizes.empty())
            done_ = for_each_row((*side_.database)["load_queue_of"].bind(id), [&](Statement& row) {
                const auto target = row.optional([](Statement& r) { return r.id<InstanceId>(); });
                ChannelKey channel{row.text(), row.text()};
                channel.event.correlation = row.text();
                side_.queue_sizes.remove(target ? Queue(*target) : Queue(std::move(channel)),
                                         static_cast<std::size_t>(row.integer()));
            });
        run("delete_pending_events", id);
    }

    // Runs a statement about the continuation of an instance.
    void run_on_continuation(std::string_view statement, const InstanceId& id) {
        const ContinuationIds ids(id);
        run(statement, id, ids.first(), ids.end());
    }

    // Asked before an insert: an insert that asks itself would copy its row to a temporary table.
    void expect_no_continuation(const SignalRow& row) {
        if (!done_) return;
        const ContinuationIds ids(row.instance);
        bool is_free = ids.contains(row.id);
        Statement& found = (*side_.database)["has_continuation"];
        done_ = for_each_row(found.bind(row.instance, ids.first(), ids.end()),
                             [&](Statement&) { is_free = false; });
        if (done_ && !is_free)
            done_ = fail(ErrorCode::refused, "the instance already has a continuation");
    }

    // Keeps one continuation per running instance with a program (I47).
    void continuations(const ContinuationChanges& changes) {
        for (const SignalRow& row : changes.inserted) {
            expect_no_continuation(row);
            run_row<tables::SignalQueue>("insert_signal", row);
        }
        for (const InstanceId& id : changes.progressed)
            run_on_continuation("progress_continuation", id);
    }

    Statement& targets_of(const SignalChanges::FanOut& wanted) {
        Database& database = *side_.database;
        if (const auto* end = std::get_if<SignalChanges::AwaitingEnd>(&wanted.to))
            return database["load_end_waiters"].bind(end->instance);
        if (const auto* parent = std::get_if<SignalChanges::ChildrenOf>(&wanted.to))
            return database["load_open_children"].bind(parent->instance);
        const ChannelKey& channel = std::get<SignalChanges::Awaiting>(wanted.to).channel;
        return database["load_waiters"].bind(channel.tenant, channel.event.name,
                                             channel.event.correlation);
    }

    void fan_out(const SignalChanges::FanOut& wanted) {
        if (!done_) return;
        std::vector<std::pair<InstanceId, TokenId>> targets;
        done_ = for_each_row(targets_of(wanted), [&](Statement& row) {
            const auto instance = row.id<InstanceId>();
            targets.emplace_back(instance, row.id<TokenId>());
        });
        for (const auto& [instance, token] : targets) {
            const SignalId id = fan_out_id(wanted.operation, token.value);
            run("insert_fan_out", id, instance, name_of(wanted.type), wanted.at,
                Bytes{wanted.envelope.with(id, token, instance)});
        }
    }

    // Deletes first: a signal may be inserted again under its id in the same round.
    void signals(const Changes& changes) {
        const SignalChanges& signals = *changes.signals;
        for (const InstanceId& id : changes.continuations.deleted)
            run_on_continuation("delete_continuation", id);
        for (const auto& [id, letter] : signals.unburied) run("delete_dead_letter", id);
        for (const auto& [id, letter] : signals.buried)
            run_row<tables::DeadLetters>("insert_dead_letter", letter);
        for (const SignalId& id : signals.consumed) run("delete_signal", id);
        for (const InstanceChange* change : changes.instances)
            if (change->cleared && change->before) clear_signals(change->before->id);
        continuations(changes.continuations);
        for (const auto& [id, row] : signals.enqueued)
            run_row<tables::SignalQueue>("insert_signal", row);
        for (const auto& [id, scheduled] : signals.scheduled)
            run_row<tables::ScheduleQueue>("insert_scheduled", scheduled);
        for (const ProcessedSignal& row : signals.processed)
            run("insert_processed", row.instance, row.signal, row.at);
        for (const auto& wanted : signals.fan_outs) fan_out(wanted);
        for (const auto& [id, signal] : signals.moved) run("set_last_signals", id, signal);
    }

    void clear_signals(const InstanceId& id) {
        run("delete_signals_of", id);
        run("delete_scheduled_of", id);
        run("delete_processed_of", id);
    }

    void definition(const Definition& definition) {
        run_row<tables::Definitions>("insert_definitions", definition);
        for (const json::Path& path : definition.indexes)
            run("insert_index_paths", json::to_string(path));
    }

    void answer(const KeyedOutcome& answer) {
        run("insert_operations", answer.key.tenant, answer.key.key, answer.request, answer.outcome,
            answer.operation, answer.at, answer.instance);
    }

    // A round that the stream does not tell of has no position in it, but a number below zero.
    void round(const RoundId& id, Moment now, const std::string& records) {
        if (side_.barred.contains(id))
            done_ = fail(ErrorCode::refused, "the round was settled: it never commits");
        else if (records.empty())
            run("write_round", --side_.unplaced, id, now, std::nullopt);
        else
            run("write_round", ++side_.position, id, now, Bytes{records});
    }

    std::int64_t inserted_seq() const { return side_.database->last_insert_rowid(); }
    Result<std::size_t> result() const {
        if (!done_) return std::unexpected(done_.error());
        return rows_;
    }

private:
    template <class Run>
    bool bind_and_run(std::string_view statement, Run run) {
        if (!done_) return false;
        if (options_.fault && options_.fault(rows_)) {
            done_ = fail(ErrorCode::refused, "a fault was injected");
            return false;
        }
        done_ = run((*side_.database)[statement]);
        if (done_) ++rows_;
        return done_.has_value();
    }

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
    writing.round(round.id, now, encode_records(changes));
    for (const auto& definition : *changes.definitions) writing.definition(*definition);
    for (const InstanceChange* change : changes.instances) {
        write_instance(writing, *change, now, sequences);
        if (!writing.result()) return writing.result();
    }
    for (const Checkpoint* row : changes.checkpoints)
        writing.run_row<tables::Checkpoints>("put_checkpoints", *row, row->instance);
    writing.journal(changes, sequences);
    writing.tasks(changes, sequences);
    writing.mail(changes, now);
    writing.signals(changes);
    for (const HistoryRow& row : *changes.history)
        writing.run_row<tables::History>("insert_history", row);
    for (const ConflictRow& row : *changes.conflicts)
        writing.run_row<tables::Conflicts>("insert_conflicts", row);
    for (const KeyedOutcome* answer : changes.answers) writing.answer(*answer);
    return writing.result();
}

}  // namespace holdfast::sqlite
