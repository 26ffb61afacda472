#include "sim/clients.h"

#include <boost/json.hpp>

namespace holdfast::sim {
namespace {

using std::chrono::milliseconds;

}  // namespace

Clients::Clients(Random& random, VirtualClock& clock, std::vector<std::unique_ptr<Node>>& nodes,
                 Database& database)
    : random_(random),
      clock_(clock),
      nodes_(nodes),
      tables_(database.tables()),
      ledger_(database.ledger()),
      ids_(clock, random.next()) {
    const std::size_t count = 2 + random.below(4);
    for (std::size_t i = 0; i < count; ++i) names_.push_back("name-" + std::to_string(i));
}

Node* Clients::some_node() {
    std::vector<Node*> up;
    for (auto& node : nodes_)
        if (node->is_up()) up.push_back(node.get());
    return up.empty() ? nullptr : random_.pick(up);
}

std::size_t Clients::open_calls() const {
    return std::ranges::count_if(open_, [](const auto& call) {
        return !call->answered && call->node->is_up() && call->node->lives() == call->life;
    });
}

std::string Clients::open_operations() const {
    std::string text;
    for (const auto& call : open_)
        if (!call->answered && call->node->is_up() && call->node->lives() == call->life)
            text += " " + call->operation;
    return text;
}

void Clients::act() {
    if (!some_node()) return;
    ++acted_;
    if (acted_ % 64 == 0) std::erase_if(open_, [](const auto& call) { return call->answered; });
    if (believed_.size() < 3) return start();
    if (random_.chance(6)) return start_program(std::string(Relay::key));
    if (random_.chance(3)) return start_program("tally");
    if (random_.chance(2)) return start_program("race");
    if (random_.chance(10)) return random_.chance(80) ? enqueue() : enqueue_again();
    if (random_.chance(3)) return settle_letter();
    if (random_.chance(12)) return act_on_task();
    const std::size_t dice = random_.below(100);
    if (dice < 6) return start();
    if (dice < 28) return suspend();
    if (dice < 50) return send();
    if (dice < 55) return send_again();
    if (dice < 63) return record();
    if (dice < 68) return record_pair();
    if (dice < 73) return finish();
    if (dice < 75) return fail_it();
    if (dice < 78) return cancel();
    if (dice < 84) return pause_or_resume();
    if (dice < 87) return continue_as();
    if (dice < 97) return edit();
    cancel_timers();
}

void Clients::start() {
    op::Start start{.cause = cause(), .definition = "work"};
    start.client_key = op::ClientKey{to_string(start.cause.operation), {}};
    start.state = number(0);
    const InstanceId id = start.instance();
    call(*some_node(), start, [this, id, start](const Result<op::Start::Outcome>& outcome) {
        if (!outcome || !std::holds_alternative<op::Started>(*outcome)) return;
        believed_.push_back({id, {1, 0}, 1});
        acknowledged(id, start.cause, 1);
    });
}

std::string Clients::some_name() { return random_.pick(names_); }

std::string Clients::some_correlation() { return random_.chance(20) ? "key" : ""; }

Wait Clients::some_wait(const InstanceId& self) {
    Wait wait;
    const std::size_t names = random_.below(3);
    for (std::size_t i = 0; i < names; ++i) {
        EventKey key(some_name(), some_correlation());
        if (std::ranges::find(wait.names, key) == wait.names.end())
            wait.names.push_back(std::move(key));
    }
    if (random_.chance(40))
        wait.until = clock_.now() + milliseconds(random_.below(8'000)) - milliseconds(500);
    if (random_.chance(15)) {
        const InstanceId other = any_instance();
        if (other != self) wait.workflows.push_back(other);
    }
    if (wait.names.empty() && !wait.until && wait.workflows.empty())
        wait.names.push_back(some_name());
    if (random_.chance(10)) {
        // Waits that ignore old events use separate names, so that the order can be judged.
        wait.since = random_.chance(50) ? Since::wait : Since::created;
        for (EventKey& key : wait.names) key.name += "!";
    }
    return wait;
}

void Clients::believe(const InstanceId& id, const op::Run& run) {
    for (Believed& one : believed_)
        if (one.id == id && std::pair{run.run, run.index} > std::pair{one.run.run, one.run.index})
            one.run = run;
}

void Clients::suspend() {
    Believed& runner = some_runner();
    suspend(
        {.cause = cause(), .instance = runner.id, .run = runner.run, .wait = some_wait(runner.id)});
}

void Clients::suspend(const op::Suspend& suspend) {
    ledger_.suspends.emplace(suspend.cause.operation, suspend);
    call(*some_node(), suspend, [this, suspend](const Result<op::Suspend::Outcome>& outcome) {
        if (!outcome) return;
        if (const auto* woken = std::get_if<op::Woken>(&*outcome)) {
            if (woken->winner.index != suspend.run.index)
                ledger_.contradictions.push_back("a suspend was answered for another index");
            believe(suspend.instance, {suspend.run.run, suspend.run.index + 1});
        } else if (const auto* late = std::get_if<op::Overtaken>(&*outcome)) {
            refused(suspend.cause);
            believe(suspend.instance, late->current);
        } else if (const auto* asleep = std::get_if<op::Asleep>(&*outcome)) {
            tokens_.push_back(asleep->token);
        } else {
            refused(suspend.cause);
        }
    });
}

void Clients::send() {
    op::SendEvent event{.cause = cause(),
                        .event = ids_.next<EventId>(),
                        .event_name = some_name() + (random_.chance(10) ? "!" : ""),
                        .correlation = some_correlation(),
                        .value = number(acted_)};
    if (random_.chance(60)) event.target = any_instance();
    if (event.target && random_.chance(40))
        event.on_target_ended =
            random_.chance(50) ? OnTargetEnded::broadcast : OnTargetEnded::dead_letter;
    if (random_.chance(15)) event.expire_after = milliseconds(1 + random_.below(3'000));
    if (!event.target && random_.chance(15))
        event.fan_out = FanOut::all;
    else if (random_.chance(8))
        event.keep = Keep::yes;
    ledger_.events.emplace(event.event, SentEvent{event, clock_.now()});
    transmit(event);
}

// A client that got no answer, or forgot it.
void Clients::send_again() {
    if (ledger_.events.empty()) return;
    auto at = ledger_.events.begin();
    std::advance(at, random_.below(ledger_.events.size()));
    op::SendEvent event = at->second.event;
    event.cause = cause();
    transmit(event);
}

void Clients::transmit(const op::SendEvent& event) {
    ++ledger_.events.at(event.event).unanswered;
    Node& node = *some_node();
    call(node, event, [this, event](const Result<op::SendEvent::Outcome>& outcome) {
        note_event(event.event, outcome);
    });
}

void Clients::note_event(const EventId& id, const Result<op::SendEvent::Outcome>& outcome) {
    SentEvent& sent = ledger_.events.at(id);
    --sent.unanswered;
    if (!outcome) {
        sent.outcome_unknown |= !is_definite(outcome.error().code);
        return;
    }
    const bool in = std::holds_alternative<op::Delivered>(*outcome) ||
                    std::holds_alternative<op::Queued>(*outcome);
    if (in && !sent.accepted_by) sent.accepted_by = clock_.now();
    if (std::holds_alternative<op::FannedOut>(*outcome)) sent.fanned_out = true;
}

op::RecordStep Clients::step_at(const Believed& runner, std::uint64_t index) {
    return {.cause = cause(),
            .instance = runner.id,
            .run = {runner.run.run, index},
            .step_name = "step-" + std::to_string(index),
            .input_hash = sha256(std::to_string(index)),
            .value = number(index)};
}

void Clients::note_step(const op::RecordStep& step, const op::RecordStep::Outcome& outcome) {
    if (const auto* recorded = std::get_if<op::Recorded>(&outcome)) {
        ledger_.steps.push_back({step.instance, step.run, recorded->version});
        acknowledged(step.instance, step.cause, recorded->version);
        believe(step.instance, {step.run.run, step.run.index + 1});
        return;
    }
    refused(step.cause);
    if (const auto* late = std::get_if<op::Overtaken>(&outcome))
        believe(step.instance, late->current);
}

void Clients::record() {
    const Believed& runner = some_runner();
    const op::RecordStep step = step_at(runner, runner.run.index);
    call(*some_node(), step, [this, step](const Result<op::RecordStep::Outcome>& outcome) {
        if (outcome) note_step(step, *outcome);
    });
}

// Two steps sent in sequence to one node: the second must see the first.
void Clients::record_pair() {
    const Believed& runner = some_runner();
    Node& node = *some_node();
    const op::RecordStep first = step_at(runner, runner.run.index);
    const op::RecordStep second = step_at(runner, runner.run.index + 1);
    auto done = std::make_shared<bool>(false);
    call(node, first, [this, first, done](const Result<op::RecordStep::Outcome>& outcome) {
        if (!outcome) return;
        *done = std::holds_alternative<op::Recorded>(*outcome);
        note_step(first, *outcome);
    });
    call(node, second, [this, second, done](const Result<op::RecordStep::Outcome>& outcome) {
        if (!outcome) return;
        const auto* late = std::get_if<op::Overtaken>(&*outcome);
        if (*done && late && late->current.run == second.run.run &&
            late->current.index < second.run.index)
            ledger_.contradictions.push_back("the second of two steps was decided first");
        note_step(second, *outcome);
    });
}

void Clients::finish() {
    const Believed& runner = some_runner();
    const op::Finish finish{
        .cause = cause(), .instance = runner.id, .run = runner.run, .result = number(acted_)};
    call(*some_node(), finish, [this, finish](const Result<op::Finish::Outcome>& outcome) {
        if (!outcome) return;
        if (const auto* done = std::get_if<op::Finished>(&*outcome))
            return acknowledged(finish.instance, finish.cause, done->version);
        refused(finish.cause);
        if (const auto* late = std::get_if<op::Overtaken>(&*outcome))
            believe(finish.instance, late->current);
    });
}

void Clients::fail_it() {
    const Believed& runner = some_runner();
    const op::Fail fail{.cause = cause(),
                        .instance = runner.id,
                        .run = runner.run,
                        .code = "broken",
                        .error = number(acted_)};
    call(*some_node(), fail, [this, fail](const Result<op::Fail::Outcome>& outcome) {
        if (!outcome) return;
        if (const auto* done = std::get_if<op::Failed>(&*outcome))
            return acknowledged(fail.instance, fail.cause, done->version);
        refused(fail.cause);
    });
}

void Clients::cancel() {
    const op::Cancel cancel{.cause = cause(), .instance = any_instance(), .reason = "enough"};
    call(*some_node(), cancel, [this, cancel](const Result<op::Cancel::Outcome>& outcome) {
        if (!outcome) return;
        if (std::holds_alternative<op::Cancelled>(*outcome))
            return acknowledged(cancel.instance, cancel.cause);
        refused(cancel.cause);
    });
}

void Clients::pause_or_resume() {
    const InstanceId id = any_instance();
    if (random_.chance(45)) {
        call(*some_node(), op::Pause{.cause = cause(), .instance = id},
             [](const Result<op::Pause::Outcome>&) {});
        return;
    }
    call(*some_node(), op::Resume{.cause = cause(), .instance = id},
         [](const Result<op::Resume::Outcome>&) {});
}

void Clients::continue_as() {
    const Believed& runner = some_runner();
    const op::ContinueAs go_on{
        .cause = cause(), .instance = runner.id, .run = runner.run, .arguments = number(acted_)};
    call(*some_node(), go_on, [this, go_on](const Result<op::ContinueAs::Outcome>& outcome) {
        if (!outcome) return;
        if (const auto* done = std::get_if<op::Continued>(&*outcome)) {
            acknowledged(go_on.instance, go_on.cause, done->version);
            return believe(go_on.instance, done->run);
        }
        refused(go_on.cause);
        if (const auto* late = std::get_if<op::Overtaken>(&*outcome))
            believe(go_on.instance, late->current);
    });
}

void Clients::edit() {
    Believed& person = some_runner();
    const op::EditState edit{.cause = cause(),
                             .instance = person.id,
                             .expected = person.version,
                             .edit = op::Replace{.state = number(acted_), .state_metadata = {}}};
    call(*some_node(), edit, [this, edit](const Result<op::EditState::Outcome>& outcome) {
        if (!outcome) return;
        const auto learn = [&](Version version) {
            for (Believed& one : believed_)
                if (one.id == edit.instance) one.version = std::max(one.version, version);
        };
        if (const auto* done = std::get_if<op::Edited>(&*outcome)) {
            ledger_.edits.push_back({edit.instance, *edit.expected, done->version});
            acknowledged(edit.instance, edit.cause, done->version);
            return learn(done->version);
        }
        refused(edit.cause);
        if (const auto* stale = std::get_if<op::Stale>(&*outcome)) {
            ledger_.conflicts.push_back({edit.instance, stale->actual, stale->state.text()});
            learn(stale->actual);
        }
    });
}

void Clients::cancel_timers() {
    call(*some_node(), op::CancelTimers{.cause = cause(), .instance = any_instance()},
         [](const Result<op::CancelTimers::Outcome>&) {});
}

void Clients::drive(const Instance& instance) {
    Node* node = some_node();
    if (!node) return;
    const auto ignore = [](const auto&) {};
    if (instance.paused)
        return call(*node, op::Resume{.cause = cause(), .instance = instance.id}, ignore);
    if (instance.run_by == RunBy::node) return drive_program(instance);
    if (instance.waits.empty())
        return call(*node,
                    op::Finish{.cause = cause(),
                               .instance = instance.id,
                               .run = {instance.run, instance.index},
                               .result = number(1)},
                    ignore);
    if (instance.waits.front().wait.names.empty())
        return call(*node, op::Cancel{.cause = cause(), .instance = instance.id, .reason = "end"},
                    ignore);
    const EventKey& awaited = instance.waits.front().wait.names.front();
    if (is_task_name(awaited.name)) return end_task(instance, awaited.name);
    send_awaited(instance);
}

void Clients::send_awaited(const Instance& instance) {
    std::vector<EventKey> names;
    for (const Waiting& waiting : instance.waits)
        if (!waiting.wait.names.empty() && !is_job_name(waiting.wait.names.front().name))
            names.push_back(waiting.wait.names.front());
    if (names.empty()) return have_job_done(instance);
    const EventKey awaited = random_.pick(names);
    op::SendEvent event{.cause = cause(),
                        .event = ids_.next<EventId>(),
                        .event_name = awaited.name,
                        .correlation = awaited.correlation,
                        .target = instance.id,
                        .value = number(2)};
    ledger_.events.emplace(event.event, SentEvent{event, clock_.now()});
    transmit(event);
}

}  // namespace holdfast::sim
