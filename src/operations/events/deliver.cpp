#include "operations/events/deliver.h"

#include <deque>
#include <set>

#include "operations/events/fan_out.h"
#include "operations/lifecycle/incident.h"

namespace holdfast::op {
namespace {

// A program that is woken by what it begins itself must not keep the round busy for ever.
constexpr std::size_t most_deliveries = 256;

// Values are copied for each receiver while a round runs.
constexpr std::size_t most_copied = std::size_t{4} << 20;

struct Due {
    Moment at;
};
struct Awaited {
    InstanceId workflow;
};
struct JobDone {
    SignalId job;
    Document result;
};
// What ends a wait.
using Trigger = std::variant<Event, Due, Awaited, JobDone>;

std::optional<Trigger> find_pending(const View& view, const InstanceId& id,
                                    const Waiting& waiting) {
    if (auto event = view.mail().find(*view.find(id), waiting, view.now()))
        return *std::move(event);
    for (const InstanceId& workflow : waiting.wait.workflows) {
        const Instance* awaited = view.find(workflow);
        if (!awaited || !is_open(awaited->status)) return Awaited{workflow};
    }
    if (waiting.wait.until && *waiting.wait.until <= view.now()) return Due{*waiting.wait.until};
    return std::nullopt;
}

stimulus::WorkflowEnded ended(const View& view, const Waiting& waiting, const InstanceId& id) {
    const Instance* workflow = view.find(id);
    if (!workflow) return {waiting, id, "cleared", Document::of(nullptr)};
    return {waiting, id, name_of(workflow->status),
            workflow->result.value_or(Document::of(nullptr))};
}

// Returns the waits that the reaction begins.
std::vector<TokenId> deliver(View& view, const InstanceId& to, const Waiting& waiting,
                             const Trigger& trigger, const Cause& cause) {
    const auto react_to = [&](const Stimulus& stimulus) {
        take_wait(view.edit(to), waiting.token);
        return react_once(view, to, stimulus, cause);
    };
    if (const auto* event = std::get_if<Event>(&trigger)) {
        view.mail().deliver(*event, to, view.find(to)->index, view.now());
        if (const auto task = task_named_by(event->name))
            return react_to(stimulus::TaskEnded{waiting, *task, event->value});
        if (is_job_name(event->name))
            return react_to(stimulus::JobEnded{waiting, {event->id.value}, event->value});
        return react_to(stimulus::EventArrived{waiting, *event});
    }
    if (const auto* done = std::get_if<JobDone>(&trigger))
        return react_to(stimulus::JobEnded{waiting, done->job, done->result});
    if (const auto* due = std::get_if<Due>(&trigger)) {
        HF_ASSERT(due->at <= view.now(), "I24: no timer is delivered before it is due");
        return react_to(stimulus::TimerReached{waiting, due->at});
    }
    return react_to(ended(view, waiting, std::get<Awaited>(trigger).workflow));
}

Reached deliver_one(View& view, const InstanceId& to, const Waiting& waiting,
                    const Trigger& trigger, const Cause& cause) {
    const std::uint64_t index = view.find(to)->index;
    // A reaction may change where the wait is kept.
    const Waiting taken = waiting;  // NOLINT(performance-unnecessary-copy-initialization)
    deliver_pending(view, to, deliver(view, to, taken, trigger, cause), cause);
    return {to, index};
}

// What others have queued is consumed some time; what the operation itself sends may never be.
bool is_of_others(const Trigger& trigger, const Cause& cause) {
    const auto* event = std::get_if<Event>(&trigger);
    return event && event->operation != cause.operation;
}

// The next round takes the rest: a wait without an owner, due at once, lets it look again.
void go_on_later(View& view, const InstanceId& id, const Cause& cause) {
    const Instance& instance = *view.find(id);
    for (const Waiting& waiting : instance.waits)
        if (!waiting.owner) return;
    begin_wait(view, id,
               {.token = {id_made_by(instance, 0xffff)},
                .wait = {.until = view.now()},
                .began_at = view.now(),
                .operation = cause.operation});
}

void stop_endless(View& view, const InstanceId& id, const Cause& cause) {
    view.edit(id).paused = true;
    raise_incident(view, id, "too_many_deliveries",
                   "its program is woken again and again by what it waits for; repair the program "
                   "and resume it",
                   cause);
}

}  // namespace

Reached deliver_event(View& view, const InstanceId& to, const Waiting& waiting, const Event& event,
                      const Cause& cause) {
    return deliver_one(view, to, waiting, event, cause);
}

Reached deliver_job_end(View& view, const InstanceId& to, const Waiting& waiting,
                        const SignalId& job, const Document& result, const Cause& cause) {
    return deliver_one(view, to, waiting, JobDone{job, result}, cause);
}

Reached deliver_timer(View& view, const InstanceId& to, const Waiting& waiting,
                      const Cause& cause) {
    return deliver_one(view, to, waiting, Due{*waiting.wait.until}, cause);
}

Reached end_backoff(View& view, const InstanceId& to, const Waiting& waiting, const Cause& cause) {
    HF_ASSERT(waiting.wait.retry, "only a pause may end before it is due");
    return deliver_one(view, to, waiting, Due{view.now()}, cause);
}

Reached deliver_completion(View& view, const InstanceId& to, const Waiting& waiting,
                           const InstanceId& awaited, const Cause& cause) {
    return deliver_one(view, to, waiting, Awaited{awaited}, cause);
}

void deliver_completions(View& view, const std::optional<std::vector<WaitRow>>& waiters,
                         const InstanceId& awaited, const Cause& cause) {
    if (!waiters) return tell_end_by_signals(view, awaited, cause);
    for (const WaitRow& row : *waiters)
        if (const Waiting* waiting = view.current(row))
            deliver_completion(view, row.instance, *waiting, awaited, cause);
}

std::optional<std::vector<Reached>> deliver_to_all(View& view, const Event& event,
                                                   const Cause& cause) {
    const auto is_current = [&](const WaitRow& row) { return view.is_current(row); };
    std::vector<Reached> reached;
    std::set<InstanceId> got;
    // A wait that was registered again in this round is listed twice but delivered to once. Of a
    // kept event an instance gets one.
    const auto rows = view.mail().all_waits(event.channel(), is_current);
    if (!rows || rows->size() * event.value.text().size() > most_copied) {
        send_by_signals(view, event, cause);
        return std::nullopt;
    }
    for (const WaitRow& row : *rows) {
        const Waiting* waiting = view.current(row);
        if (!waiting) continue;
        if (!got.insert(row.instance).second && event.keep == Keep::yes) continue;
        reached.push_back(deliver_event(view, row.instance, *waiting, event, cause));
    }
    return reached;
}

void read_wait(ReadSet& reads, const InstanceId& id, const std::string& tenant, const Wait& wait) {
    for (const EventKey& key : wait.names) {
        reads.inbox(id, key);
        // Those are sent to their target alone.
        if (!is_engine_name(key.name)) reads.broadcasts({tenant, key});
    }
    for (const InstanceId& workflow : wait.workflows) reads.instance(workflow, Depth::row);
}

bool take_pending(View& view, const InstanceId& id, const Waiting& waiting, const Cause& cause) {
    ReadSet needed;
    read_wait(needed, id, view.find(id)->tenant, waiting.wait);
    view.expect(needed);
    const auto trigger = find_pending(view, id, waiting);
    if (trigger) deliver_one(view, id, waiting, *trigger, cause);
    return trigger.has_value();
}

namespace {

// For all of them at once.
void expect_waits(const View& view, const InstanceId& id, const std::vector<TokenId>& tokens) {
    const Instance* instance = tokens.empty() ? nullptr : view.find(id);
    if (!instance) return;
    const std::set<TokenId> wanted(tokens.begin(), tokens.end());
    ReadSet needed;
    for (const Waiting& waiting : registered_waits(*instance))
        if (wanted.contains(waiting.token)) read_wait(needed, id, instance->tenant, waiting.wait);
    view.expect(needed);
}

}  // namespace

void deliver_pending(View& view, const InstanceId& id, std::vector<TokenId> tokens,
                     const Cause& cause) {
    expect_waits(view, id, tokens);
    std::deque<TokenId> queue(tokens.begin(), tokens.end());
    for (std::size_t deliveries = 0; !queue.empty(); queue.pop_front()) {
        const Instance* instance = view.find(id);
        if (!instance) return;
        const Waiting* found = find_wait(registered_waits(*instance), queue.front());
        if (!found) continue;
        const Waiting waiting = *found;
        const auto trigger = find_pending(view, id, waiting);
        if (!trigger) continue;
        if (++deliveries > most_deliveries)
            return waiting.owner && is_of_others(*trigger, cause) ? go_on_later(view, id, cause)
                                                                  : stop_endless(view, id, cause);
        for (const TokenId& begun : deliver(view, id, waiting, *trigger, cause))
            queue.push_back(begun);
    }
}

bool catch_up(View& view, const InstanceId& id, const Cause& cause) {
    std::vector<TokenId> tokens;
    for (const Waiting& waiting : registered_waits(*view.find(id))) {
        view.register_wait(id, waiting);
        tokens.push_back(waiting.token);
    }
    const Version before = view.find(id)->version;
    deliver_pending(view, id, tokens, cause);
    return view.find(id)->version != before;
}

}  // namespace holdfast::op
