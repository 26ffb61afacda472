#include "sim/relay.h"

#include <boost/json.hpp>

#include "operations/operation_codec.h"

namespace holdfast::sim {
namespace {

namespace bj = boost::json;
using std::chrono::milliseconds;

constexpr std::size_t whole_journal = 10'000;

std::string step_name(std::uint64_t index) { return "step-" + std::to_string(index); }

}  // namespace

struct Relay::Place {
    Instance instance;
    op::Run run;
    std::vector<std::string> plan;    // empty: random
    std::uint64_t depth = 0;          // of children
    std::optional<InstanceId> child;  // the last one that it started

    OperationId next_id(Node& node) const { return node.ids().next<OperationId>(); }
};

void Relay::handle(Work work, Done done) { done(run(work)); }

Result<void> Relay::run(const Work& work) {
    for (;;) {
        HF_TRY(const auto place, look(work));
        if (!place) return {};
        if (database_.faults().strikes(Fault::crash_in_handler, database_.random(), 1)) die();
        if (database_.faults().strikes(Fault::handler_fails, database_.random(), 2))
            return fail(ErrorCode::internal, "injected handler failure");
        HF_TRY(const Next next, act(*place));
        if (next == Next::leave) return {};
    }
}

// Absent: nothing to do.
Result<std::optional<Relay::Place>> Relay::look(const Work& work) {
    HF_TRY(const auto found, node_.store().ask(FindInstance{work.instance, Depth::row}));
    if (!found || found->instance.status != Status::running) return std::nullopt;
    HF_TRY(const auto journal, node_.store().journal_from(work.instance, 0, whole_journal));
    Place place{.instance = found->instance};
    place.run = {found->instance.run, found->instance.index, work.lease};
    for (std::size_t i = 0; i < journal.size(); ++i)
        if (journal[i].step.index != i)
            database_.violation("I23: a hole in the journal: " + to_string(work.instance));
    if (journal.empty()) return std::nullopt;  // a later run began meanwhile
    const bj::value arguments = journal.front().step.value.value();
    if (const bj::object* object = arguments.if_object()) {
        if (const auto* plan = object->if_contains("plan"))
            for (const bj::value& item : plan->as_array())
                place.plan.emplace_back(item.as_string());
        if (const auto* depth = object->if_contains("depth"))
            place.depth = depth->to_number<std::uint64_t>();
    }
    for (const JournalEntry& entry : journal)
        if (entry.step.name.starts_with("child-"))
            if (const auto id = parse_id<InstanceId>(entry.step.value.value().as_string()))
                place.child = *id;
    return place;
}

void Relay::die() {
    database_.on_crash(database_.scheduler().current_node());
    throw Crashed{};
}

std::string Relay::choose(const Place& place) {
    if (place.instance.program.unwinding) return "undo";
    if (!place.plan.empty()) {
        const std::size_t at = place.run.index - 1;
        return at < place.plan.size() ? place.plan[at] : "finish";
    }
    Random& random = database_.random();
    const bool old = place.run.index > 12 || place.run.run > 3 || database_.faults().enabled == 0;
    const std::size_t dice = random.below(100);
    if (dice < (old ? 50u : 6u)) return "finish";
    if (dice < (old ? 52u : 8u)) return "fail";
    if (dice < 40) return "step";
    if (dice < 48) return "state";
    if (dice < 62) return "event";
    if (dice < 72) return "timer";
    if (dice < 80) return "retry";
    if (dice < 84) return place.run.run < 3 ? "again" : "step";
    if (dice < 92) return place.depth < 2 ? "child" : "step";
    return place.child ? "await" : "timer";
}

Result<Relay::Next> Relay::act(const Place& place) {
    Random& random = database_.random();
    const std::string what = choose(place);
    if (what == "die") die();
    if (what == "give up") return fail(ErrorCode::internal, "as planned");
    if (what == "step") return record(place);
    if (what == "state") return set_state(place);
    if (what == "child") return start_child(place);
    if (what == "await") return wait_for_child(place);
    if (what == "again") return continue_as(place);
    if (what == "retry" && !(place.instance.program.retry && !place.plan.empty()))
        return put_off(place);
    if (what == "retry") return record(place);  // planned: the second try succeeds
    if (what == "event")
        return suspend(place, {.names = {"name-" + std::to_string(random.below(2))}}, {});
    if (what.starts_with("event ")) return suspend(place, {.names = {what.substr(6)}}, {});
    if (what == "timer") return suspend(place, {}, milliseconds(1 + random.below(3'000)));
    if (what == "finish") return finish(place);
    return fail_it(place);
}

template <class Op>
Result<typename Op::Outcome> Relay::ask(const Place& place, Op op) {
    Ledger& ledger = database_.ledger();
    const OperationId operation = op.cause.operation;
    ledger.acting.emplace(operation, Acting{place.instance.id, *place.run.lease});
    std::vector<Op> operations;
    operations.push_back(std::move(op));
    auto outcome = std::move(node_.run_all(std::move(operations)).front());
    if (!outcome && is_definite(outcome.error().code)) ledger.refused.insert(operation);
    if (!outcome && outcome.error().code == ErrorCode::internal)
        ledger.contradictions.push_back("a program failed by a bug: " + outcome.error().message);
    return outcome;
}

template <class Written, class Op>
Result<Relay::Next> Relay::note(const Place& place, const Op& op,
                                const Result<typename Op::Outcome>& outcome, Next next) {
    if (!outcome) return std::unexpected(outcome.error());
    Ledger& ledger = database_.ledger();
    if (const auto* written = std::get_if<Written>(&*outcome)) {
        if constexpr (requires { written->version; }) {
            ledger.acknowledged.push_back({op.instance, op.cause.operation, written->version});
            if constexpr (requires { op.step_name; })
                ledger.steps.push_back({op.instance, op.run, written->version});
        }
        return next;
    }
    ledger.refused.insert(op.cause.operation);
    // Something else is recorded at its index, for example its cancellation.
    const bj::object answer = op::outcome_json(*outcome);
    const std::string_view what = answer.at("outcome").as_string();
    if (what == "alreadyRecorded" || what == "diverged") return Next::go_on;
    const auto* late = std::get_if<op::Overtaken>(&*outcome);
    if (!late || late->status != Status::running) return Next::leave;
    // The instance has moved on: it may have been cancelled and must run its rollback.
    if (late->current.run != place.run.run || late->current.index != place.run.index)
        return Next::go_on;
    ++ledger.answers["an old lease was refused"];
    return Next::leave;
}

Result<Relay::Next> Relay::record(const Place& place) {
    const op::RecordStep op{.cause = {.operation = place.next_id(node_)},
                            .instance = place.instance.id,
                            .run = place.run,
                            .step_name = step_name(place.run.index),
                            .input_hash = sha256("in"),
                            .value = number(place.run.index),
                            .rollback = place.plan.empty() && database_.random().chance(10)};
    return note<op::Recorded>(place, op, ask(place, op), Next::go_on);
}

Result<Relay::Next> Relay::set_state(const Place& place) {
    const op::SetState op{.cause = {.operation = place.next_id(node_)},
                          .instance = place.instance.id,
                          .run = place.run,
                          .step_name = step_name(place.run.index),
                          .input_hash = sha256("in"),
                          .patch = number(place.run.index)};
    return note<op::StateSet>(place, op, ask(place, op), Next::go_on);
}

Result<Relay::Next> Relay::start_child(const Place& place) {
    bj::object arguments{{"depth", place.depth + 1}};
    if (!place.plan.empty()) arguments["plan"] = bj::array{"step", "finish"};
    const bool own = !place.plan.empty() || database_.random().chance(70);
    const op::StartChild op{.cause = {.operation = place.next_id(node_)},
                            .instance = place.instance.id,
                            .run = place.run,
                            .step_name = "child-" + std::to_string(place.run.index),
                            .input_hash = sha256("in"),
                            .definition = own ? std::string(key) : "work",
                            .arguments = Document::of(arguments)};
    return note<op::ChildStarted>(place, op, ask(place, op), Next::go_on);
}

Result<Relay::Next> Relay::suspend(const Place& place, Wait wait, std::chrono::microseconds after) {
    op::Suspend op{.cause = {.operation = place.next_id(node_)},
                   .instance = place.instance.id,
                   .run = place.run,
                   .wait = std::move(wait)};
    if (after.count() > 0) op.after = after;
    database_.ledger().suspends.emplace(op.cause.operation, op);
    const auto outcome = ask(place, op);
    if (outcome && std::holds_alternative<op::Woken>(*outcome)) return Next::go_on;
    return note<op::Asleep>(place, op, outcome, Next::leave);
}

Result<Relay::Next> Relay::wait_for_child(const Place& place) {
    if (!place.child) return record(place);
    return suspend(place, {.workflows = {*place.child}}, {});
}

Result<Relay::Next> Relay::put_off(const Place& place) {
    const op::PutOff op{.cause = {.operation = place.next_id(node_)},
                        .instance = place.instance.id,
                        .run = place.run,
                        .error = number(place.run.index),
                        .pause = milliseconds(100 + database_.random().below(1'500))};
    return note<op::PutOffUntil>(place, op, ask(place, op), Next::leave);
}

Result<Relay::Next> Relay::continue_as(const Place& place) {
    const op::ContinueAs op{.cause = {.operation = place.next_id(node_)},
                            .instance = place.instance.id,
                            .run = place.run,
                            .arguments = Document::of(bj::object{{"depth", place.depth}})};
    return note<op::Continued>(place, op, ask(place, op), Next::go_on);
}

Result<Relay::Next> Relay::finish(const Place& place) {
    const op::Finish op{.cause = {.operation = place.next_id(node_)},
                        .instance = place.instance.id,
                        .run = place.run,
                        .result = number(place.run.index)};
    return note<op::Finished>(place, op, ask(place, op), Next::leave);
}

Result<Relay::Next> Relay::fail_it(const Place& place) {
    const op::Fail op{.cause = {.operation = place.next_id(node_)},
                      .instance = place.instance.id,
                      .run = place.run,
                      .code = "broken",
                      .error = number(place.run.index),
                      .cancelled = place.instance.program.unwinding};
    return note<op::Failed>(place, op, ask(place, op), Next::leave);
}

}  // namespace holdfast::sim
