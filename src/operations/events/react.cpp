#include "operations/events/react.h"

#include <algorithm>

#include "operations/events/deliver.h"
#include "operations/events/fan_out.h"
#include "operations/events/send_event.h"
#include "operations/lifecycle/cancel.h"
#include "operations/lifecycle/ending.h"
#include "operations/lifecycle/incident.h"
#include "operations/lifecycle/start_child.h"
#include "operations/limits/turns.h"
#include "operations/load_together.h"
#include "operations/tasks/create_task.h"
#include "operations/tasks/task_rules.h"
#include "program/traits.h"

namespace holdfast::op {
namespace {

void record(View& view, Instance& instance, std::vector<JournalEntry> journal) {
    for (JournalEntry& entry : journal) {
        instance.index = entry.step.index + 1;
        if (entry.winner) view.record(*std::move(entry.winner));
        view.record(std::move(entry.step));
    }
}

// The instance and the rows below it, without tasks, children and waits.
void change(View& view, Instance& instance, Reaction& reaction, const Cause& cause) {
    record(view, instance, std::move(reaction.journal));
    if (reaction.program) instance.program = *std::move(reaction.program);
    if (reaction.settles_incident) instance.incident = false;
    if (reaction.state) {
        instance.state = *std::move(reaction.state);
        instance.last_modified_at = view.now();
    }
    if (reaction.rows) instance.children = *std::move(reaction.rows);
    for (const TokenId& token : reaction.end) take_wait(instance, token);
    instance.status = instance.waits.empty() ? Status::running : Status::suspended;
    for (Reaction::Note& note : reaction.history)
        view.execute(instance, {.type = note.type,
                                .payload = std::move(note.payload),
                                .cause = cause,
                                .shared_value = note.shared_value});
}

std::vector<TokenId> begin_waits(View& view, const InstanceId& id,
                                 std::vector<Reaction::Begin> begin, const Cause& cause) {
    std::vector<TokenId> tokens;
    for (Reaction::Begin& one : begin) {
        if (!one.nothing_pending) tokens.push_back(one.token);
        begin_wait(view, id,
                   {.token = one.token,
                    .wait = std::move(one.wait),
                    .began_at = view.now(),
                    .operation = cause.operation,
                    .owner = one.owner});
    }
    return tokens;
}

// The waits of the sender are left out: its program has told them already.
void send_to_others(View& view, const InstanceId& sender, const Event& event, const Cause& cause) {
    const auto is_current = [&](const WaitRow& row) { return view.is_current(row); };
    const auto rows = view.mail().all_waits(event.channel(), is_current);
    if (!rows) return send_by_signals(view, event, cause, sender);
    for (const WaitRow& row : *rows) {
        const Waiting* waiting = view.current(row);
        if (waiting && row.instance != sender)
            deliver_event(view, row.instance, *waiting, event, cause);
    }
}

void send(View& view, const InstanceId& sender, std::vector<Reaction::Send> events,
          const Cause& cause) {
    for (Reaction::Send& one : events) {
        // A model names its messages and signals, also by expressions: it must not forge the end of
        // a task. What the engine sends itself has a target.
        if (!one.target && is_engine_name(one.name)) {
            raise_incident(view, sender, "reserved_name",
                           "events named '" + one.name + "' are sent by the engine alone", cause);
            continue;
        }
        const Event event{.id = one.id,
                          .name = std::move(one.name),
                          .target = one.target,
                          .value = std::move(one.value),
                          .accepted_at = view.now(),
                          .operation = cause.operation,
                          .correlation = std::move(one.correlation),
                          .tenant = view.find(sender)->tenant};
        // The engine finds the workflows of every tenant; a program names those of its own.
        if (const Instance* target = event.target ? view.find(*event.target) : nullptr;
            target && target->tenant != event.tenant)
            continue;
        if (one.fan_out == FanOut::all) {
            send_to_others(view, sender, event, cause);
            continue;
        }
        if (std::holds_alternative<TooManyQueued>(route(view, event, QueueLimits{}, cause)))
            raise_incident(view, sender, "too_many_queued",
                           "nobody takes the events '" + event.name + "'", cause);
    }
}

void add_job(View& view, const InstanceId& id, const Reaction::Job& job, const Cause& cause) {
    auto row = job_row(job.id, id, job.spec, view.now());
    if (row) return view.signals().enqueue_job(*std::move(row), view.self());
    raise_incident(view, id, "job_too_long", job.spec.element + ": " + row.error().message, cause);
}

// A worker that has it finds out when it is done.
void cancel_job(View& view, const SignalId& id) {
    if (const KnownSignal known = view.signals().known(id); known.queued)
        view.signals().drop(*known.queued);
}

// What the program no longer needs: tasks of people, jobs, and children.
void cancel_rest(View& view, const InstanceId& id, const Reaction& reaction, const Cause& cause) {
    for (const SignalId& job : reaction.cancel_jobs) cancel_job(view, job);
    for (const TaskId& task : reaction.cancel_tasks) cancel_task(view, id, task, cause);
    load_together(reaction.cancel_children, [&](const InstanceId& child) {
        if (view.find(child))
            cancel_all(view, open_family(view, child), "its caller does not need it any more",
                       cause);
    });
}

void read_sent(ReadSet& reads, const Reaction::Send& event, const std::string& tenant) {
    const ChannelKey channel{tenant, {event.name, event.correlation}};
    if (!event.target && is_engine_name(event.name)) return;
    if (event.fan_out != FanOut::all) return read_route(reads, channel, event.target);
    reads.all_waits(channel);
    reads.channel_size(channel);
}

// Everything that a reaction needs to be applied is one load, however much it does.
ReadSet reads_of(const Instance& instance, const Reaction& reaction, const Cause& cause) {
    ReadSet reads;
    for (const Reaction::Child& child : reaction.children)
        read_child(reads, instance.tenant, child, cause);
    for (const SignalId& job : reaction.cancel_jobs) reads.signal(job);
    for (const TaskId& task : reaction.cancel_tasks) reads.task(task);
    for (const InstanceId& child : reaction.cancel_children) {
        reads.instance(child, Depth::row);
        reads.children(child);
        read_end(reads, child);
    }
    for (const Reaction::Send& event : reaction.events) read_sent(reads, event, instance.tenant);
    if (reaction.ending) read_end(reads, instance.id);
    for (const Reaction::Begin& one : reaction.begin)
        if (!one.nothing_pending) read_wait(reads, instance.id, instance.tenant, one.wait);
    return reads;
}

std::vector<TokenId> apply(View& view, const InstanceId& id, Reaction reaction,
                           const Cause& cause) {
    const bool makes = !reaction.begin.empty() || !reaction.tasks.empty() ||
                       !reaction.jobs.empty() || !reaction.children.empty();
    HF_ASSERT(!makes || !reaction.history.empty(), "what a reaction makes moves the version");
    view.expect(reads_of(*view.find(id), reaction, cause));
    change(view, view.edit(id), reaction, cause);
    for (Reaction::Task& task : reaction.tasks)
        add_task(view, id, task.id, std::move(task.spec), cause);
    for (const Reaction::Job& job : reaction.jobs) add_job(view, id, job, cause);
    load_together(reaction.children,
                  [&](const Reaction::Child& child) { add_child(view, id, child, cause); });
    cancel_rest(view, id, reaction, cause);
    if (reaction.incident)
        raise_incident(view, id, reaction.incident->code, reaction.incident->detail, cause);
    const auto others = std::ranges::partition(
        reaction.events, [](const Reaction::Send& one) { return one.target.has_value(); });
    const std::vector<Reaction::Send> untargeted(others.begin(), others.end());
    reaction.events.erase(others.begin(), others.end());
    send(view, id, std::move(reaction.events), cause);
    // Whoever was told may have ended it.
    if (!is_open(view.find(id)->status)) return {};
    std::vector<TokenId> begun;
    if (reaction.ending) {
        end_instance(view, id, *std::move(reaction.ending), cause);
    } else {
        begun = begin_waits(view, id, std::move(reaction.begin), cause);
    }
    send(view, id, untargeted, cause);
    if (reaction.gives_turns) give_turns(view, id, cause);
    return begun;
}

}  // namespace

std::vector<TokenId> react_once(View& view, const InstanceId& id, const Stimulus& stimulus,
                                const Cause& cause) {
    const Program& program = view.program(*view.find(id));
    view.expect_depth(id, program.depth());
    return apply(view, id, program.react(*view.find(id), stimulus, view.now()), cause);
}

std::optional<std::string> react_unless_refused(View& view, const InstanceId& id,
                                                const Stimulus& stimulus, const Cause& cause) {
    const Program& program = view.program(*view.find(id));
    view.expect_depth(id, program.depth());
    Reaction reaction = program.react(*view.find(id), stimulus, view.now());
    if (reaction.refused) return std::move(reaction.refused);
    apply_reaction(view, id, std::move(reaction), cause);
    return std::nullopt;
}

void apply_reaction(View& view, const InstanceId& id, Reaction reaction, const Cause& cause) {
    deliver_pending(view, id, apply(view, id, std::move(reaction), cause), cause);
}

void react(View& view, const InstanceId& id, const Stimulus& stimulus, const Cause& cause) {
    deliver_pending(view, id, react_once(view, id, stimulus, cause), cause);
}

void tell_of_edit(View& view, const InstanceId& id, const Cause& cause) {
    const Instance& instance = *view.find(id);
    if (traits_of(instance).reacts_to_edits && !instance.paused && is_open(instance.status))
        react(view, id, stimulus::StateEdited{}, cause);
}

void begin_wait(View& view, const InstanceId& id, Waiting waiting) {
    Instance& instance = view.edit(id);
    instance.status = Status::suspended;
    if (takes_deliveries(instance)) view.register_wait(id, waiting);
    add_wait(instance, std::move(waiting));
}

}  // namespace holdfast::op
