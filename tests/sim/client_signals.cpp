// Client actions on programs, signals and dead letters.
#include <boost/json.hpp>

#include "sim/clients.h"
#include "sim/relay.h"

namespace holdfast::sim {
namespace {

namespace bj = boost::json;
using std::chrono::milliseconds;

}  // namespace

InstanceId Clients::any_instance() {
    if (programs_.empty() || random_.chance(50)) return some_runner().id;
    return random_.pick(programs_);
}

// A few programs crash their node, after some steps.
void Clients::start_program(const std::string& definition) {
    op::Start start{.cause = cause(), .definition = definition};
    bj::object arguments;
    if (random_.chance(4)) {
        bj::array plan{"die"};
        if (random_.chance(50)) plan = {"step", "timer", "die"};
        arguments["plan"] = std::move(plan);
    }
    start.arguments = Document::of(arguments);
    start.client_key = op::ClientKey{to_string(start.cause.operation), {}};
    const InstanceId id = start.instance();
    call(*some_node(), start, [this, id, start](const Result<op::Start::Outcome>& outcome) {
        if (!outcome || !std::holds_alternative<op::Started>(*outcome)) return;
        programs_.push_back(id);
        acknowledged(id, start.cause, 1);
    });
}

// For the current wait, or for one that is long over.
SentSignal Clients::some_signal(const InstanceId& to) {
    SentSignal sent;
    op::EnqueueSignal& signal = sent.signal;
    signal = {.cause = cause(), .signal = ids_.next<SignalId>(), .instance = to};
    const auto row = tables_.instances.find(to);
    std::optional<TokenId> current;
    if (row != tables_.instances.end() && !row->second.instance.waits.empty())
        current = row->second.instance.waits.front().token;
    if (current && random_.chance(50))
        signal.token = current;
    else if (!tokens_.empty())
        signal.token = random_.pick(tokens_);
    if (random_.chance(30)) signal.after = milliseconds(1 + random_.below(2'000));
    const std::size_t dice = random_.below(100);
    if (dice < 50) {
        if (random_.chance(60)) signal.token.reset();
        add_event(sent, signal.token && signal.token != current);
    } else if (dice < 60) {
        signal.payload = Document::of(bj::object{{"nothing", "of use"}});
    } else if (dice < 80) {
        signal.type = SignalType::timer_due;
        signal.payload = Document::of(nullptr);
    } else {
        signal.type = SignalType::sub_workflow_completed;
        signal.payload = some_completion();
    }
    return sent;
}

void Clients::add_event(SentSignal& sent, bool is_stale) {
    const EventId event = ids_.next<EventId>();
    const std::string name = some_name();
    sent.signal.payload =
        Document::of(bj::object{{"event", to_string(event)}, {"name", name}, {"value", acted_}});
    if (is_stale) {
        sent.stale_event = event;
        return;
    }
    op::SendEvent as_sent{.event = event, .event_name = name, .target = sent.signal.instance};
    as_sent.value = Document::of(bj::value(acted_));
    ledger_.events.emplace(
        event, SentEvent{.event = as_sent, .first_sent = clock_.now(), .outcome_unknown = true});
}

Document Clients::some_completion() {
    return Document::of(bj::object{{"workflow", to_string(any_instance())}});
}

void Clients::enqueue() {
    const SentSignal sent = some_signal(any_instance());
    ledger_.signals.emplace(sent.signal.signal, sent);
    transmit(sent.signal);
}

void Clients::enqueue_again() {
    if (ledger_.signals.empty()) return;
    auto at = ledger_.signals.begin();
    std::advance(at, random_.below(ledger_.signals.size()));
    op::EnqueueSignal signal = at->second.signal;
    signal.cause = cause();
    transmit(signal);
}

void Clients::transmit(const op::EnqueueSignal& signal) {
    call(*some_node(), signal, [this, signal](const Result<op::EnqueueSignal::Outcome>& outcome) {
        if (!outcome) return;
        refused(signal.cause);  // it never adds a history row
        if (std::holds_alternative<op::Enqueued>(*outcome))
            ledger_.signals.at(signal.signal).enqueued = true;
    });
}

void Clients::settle_letter() {
    if (tables_.dead_letters.empty()) return;
    auto at = tables_.dead_letters.begin();
    std::advance(at, random_.below(tables_.dead_letters.size()));
    const SignalId letter = at->first;
    if (random_.chance(75)) return redrive(letter);
    ledger_.removed.insert(letter);
    call(*some_node(), op::RemoveDeadLetter{.cause = cause(), .signal = letter},
         [](const Result<op::RemoveDeadLetter::Outcome>&) {});
}

void Clients::redrive(const SignalId& letter) {
    call(*some_node(), op::RedriveDeadLetter{.cause = cause(), .signal = letter},
         [](const Result<op::RedriveDeadLetter::Outcome>&) {});
}

// A program ends by itself if it gets the events that it waits for. One that crashes its nodes is
// cancelled once its continuation is a dead letter.
void Clients::drive_program(const Instance& instance) {
    if (!instance.waits.empty()) {
        const Wait& wait = instance.waits.front().wait;
        if (!wait.names.empty()) return send_awaited(instance);
        if (wait.until || !wait.workflows.empty()) return;
        // Its timer was cancelled: nothing will ever come.
        return call(*some_node(),
                    op::Cancel{.cause = cause(), .instance = instance.id, .reason = "end"},
                    [](const Result<op::Cancel::Outcome>&) {});
    }
    if (!instance.buried) return;
    const bool kills = std::ranges::any_of(tables_.steps, [&](const auto& item) {
        return item.first == std::pair{instance.id, std::uint64_t{0}} &&
               item.second.value.text().find("die") != std::string::npos;
    });
    for (const auto& [id, letter] : tables_.dead_letters)
        if (!kills && letter.signal.instance == instance.id &&
            letter.signal.type == SignalType::internal_continue)
            return redrive(id);
    call(*some_node(), op::Cancel{.cause = cause(), .instance = instance.id, .reason = "buried"},
         [](const Result<op::Cancel::Outcome>&) {});
}

// Somebody does it, unless it is a dead letter, or that was removed.
void Clients::have_job_done(const Instance& instance) {
    const auto is_its = [&](const SignalRow& row) {
        return row.instance == instance.id && row.type == SignalType::job;
    };
    for (const auto& [id, letter] : tables_.dead_letters)
        if (is_its(letter.signal)) return redrive(id);
    if (std::ranges::any_of(tables_.queue, [&](const auto& item) { return is_its(item.second); }))
        return;
    call(*some_node(), op::Cancel{.cause = cause(), .instance = instance.id, .reason = "no job"},
         [](const Result<op::Cancel::Outcome>&) {});
}

}  // namespace holdfast::sim
