// Runs every story once without a crash, to count the calls of the store; then with the node
// crashing before and after each of them, and again with a second crash during the recovery. The
// result must be the same wherever the node crashes.
#include <boost/json.hpp>
#include <iostream>

#include "base/json/canonical.h"
#include "base/log.h"
#include "sim/relay.h"

namespace holdfast::sim {
namespace {

namespace bj = boost::json;
using std::chrono::seconds;

Document value(std::uint64_t n) { return Document::of(bj::object{{"n", n}}); }

// One node over one database, with a client that retries until it is answered.
class Stage {
public:
    explicit Stage(CrashPoint first = {}, CrashPoint second = {})
        : random_(7),
          scheduler_(random_, clock_),
          database_(scheduler_, random_, clock_, faults_, ledger_),
          second_(second),
          node_(database_, clock_,
                {.number = 0,
                 .seed = 11,
                 .lease = lease,
                 .pump = {.max_poison_retries = 4, .retry_pause = std::chrono::milliseconds(50)}}),
          ids_(clock_, 5) {
        database_.on_crash = [this](NodeNumber) { node_.crash(); };
        define("work", DefinitionKind::outside);
        define(std::string(Relay::key), DefinitionKind::flow);
        node_.start();
        database_.crash_at(first);
    }

    // Retries the request as its client would; returns the last answer.
    template <class Op>
    typename Op::Outcome submit(Op op) {
        for (int tries = 0; tries < 20; ++tries) {
            revive();
            if constexpr (!std::same_as<Op, op::Start>)
                op.cause.operation = ids_.next<OperationId>();
            std::optional<Result<typename Op::Outcome>> answer;
            node_.submit(op, [&answer](Result<typename Op::Outcome> outcome) {
                answer = std::move(outcome);
            });
            while (!answer && node_.is_up() && scheduler_.step(clock_.now() + seconds(1))) {
            }
            if (answer && *answer) return **std::move(answer);
        }
        throw std::runtime_error(std::string(Op::name) + " was never answered");
    }

    void pass(std::chrono::microseconds time) {
        const Moment end = clock_.now() + time;
        do {
            revive();
            while (node_.is_up() && scheduler_.step(end)) {
            }
        } while (!node_.is_up());
        clock_.advance_to(end);
        while (node_.is_up() && scheduler_.step(end)) {
        }
        if (!node_.is_up()) pass(seconds(1));
    }

    InstanceId start() { return start("work", {}); }
    // A program that does these steps in order.
    InstanceId start(std::initializer_list<std::string_view> plan) {
        bj::array steps;
        for (const std::string_view step : plan) steps.emplace_back(step);
        return start(std::string(Relay::key), Document::of(bj::object{{"plan", steps}}));
    }
    InstanceId start(std::string definition, Document arguments) {
        op::Start start{.cause = {.operation = ids_.next<OperationId>()},
                        .definition = std::move(definition),
                        .arguments = std::move(arguments)};
        start.client_key = op::ClientKey{to_string(start.cause.operation), {}};
        submit(start);
        instances_.push_back(start.instance());
        return start.instance();
    }
    EventId new_event() { return ids_.next<EventId>(); }
    SignalId new_signal() { return ids_.next<SignalId>(); }
    // Long enough for two dead lives to expire and for their work to be done by the next.
    void settle() { pass(lease * 8); }
    const memory::Tables& tables() { return database_.tables(); }
    Moment now() const { return clock_.now(); }
    op::Run place(const InstanceId& id) {
        const Instance& instance = database_.tables().instances.at(id).instance;
        return {instance.run, instance.index};
    }
    std::uint64_t calls() const { return database_.calls(); }
    bool crashed() const { return node_.lives() > 1; }

    // The final state, without what differs from run to run: times, versions and tokens.
    std::string essence() {
        bj::array lines;
        const memory::Tables& tables = database_.tables();
        for (const InstanceId& id : instances_) {
            const Instance& instance = tables.instances.at(id).instance;
            bj::object line{{"status", name_of(instance.status)},
                            {"run", instance.run},
                            {"index", instance.index},
                            {"waits", instance.waiting.has_value()},
                            {"incident", instance.incident},
                            {"state", instance.state.value()}};
            bj::array journal;
            for (const auto& [key, step] : tables.steps)
                if (key.first == id)
                    journal.push_back(
                        {key.second, bj::value(parse_uuid(step.name) ? "a workflow" : step.name)});
            line["journal"] = std::move(journal);
            lines.push_back(std::move(line));
        }
        bj::object events{{"pending", tables.pending.size()}, {"dead", tables.dead.size()}};
        events["instances"] = tables.instances.size();
        events["signals"] = tables.queue.size() + tables.schedule.size();
        events["processed"] = tables.processed.size();
        events["letters"] = tables.dead_letters.size();
        bj::array fates;
        for (const auto& [id, rows] : tables.fates)
            for (const FateRow& row : rows)
                fates.push_back({bj::value(row.name), name_of(row.fate)});
        std::ranges::sort(fates, {}, [](const bj::value& fate) { return bj::serialize(fate); });
        events["fates"] = std::move(fates);
        lines.push_back(std::move(events));
        return json::canonical(lines);
    }
    const std::vector<std::string>& violations() const { return database_.violations(); }

private:
    static constexpr std::chrono::microseconds lease = seconds(3);

    void define(const std::string& key, DefinitionKind kind) {
        auto definition = std::make_shared<Definition>();
        definition->ref = {key, 1};
        definition->kind = kind;
        database_.tables().definitions.emplace(definition->ref, definition);
    }
    // Restarts the process, which may crash again while it recovers.
    void revive() {
        if (node_.is_up()) return;
        node_.start();
        if (second_.call == 0) return;
        database_.crash_at({database_.calls() + second_.call, second_.after});
        second_ = {};
    }

    Random random_;
    VirtualClock clock_;
    Faults faults_;
    Ledger ledger_;
    Scheduler scheduler_;
    Database database_;
    CrashPoint second_;
    Node node_;
    IdSource ids_;
    std::vector<InstanceId> instances_;
};

void suspend(Stage& stage, const InstanceId& id, std::uint64_t index, Wait wait,
             std::uint64_t run = 1) {
    stage.submit(op::Suspend{.instance = id, .run = {run, index}, .wait = std::move(wait)});
}
void record(Stage& stage, const InstanceId& id, std::uint64_t index, std::uint64_t run = 1) {
    stage.submit(op::RecordStep{.instance = id,
                                .run = {run, index},
                                .step_name = "step",
                                .input_hash = sha256("in"),
                                .value = value(index)});
}
void finish(Stage& stage, const InstanceId& id, std::uint64_t index, std::uint64_t run = 1) {
    stage.submit(op::Finish{.instance = id, .run = {run, index}, .result = value(1)});
}
void send(Stage& stage, const std::string& name, std::optional<InstanceId> target = {},
          OnTargetEnded policy = OnTargetEnded::discard, Keep keep = Keep::no) {
    stage.submit(op::SendEvent{.event = stage.new_event(),
                               .event_name = name,
                               .target = target,
                               .value = value(3),
                               .on_target_ended = policy,
                               .keep = keep});
}

struct Story {
    const char* name;
    std::function<void(Stage&)> run;
};

std::vector<Story> event_stories() {
    return {
        {"an event before its wait",
         [](Stage& stage) {
             const auto id = stage.start();
             send(stage, "paid", id);
             suspend(stage, id, 0, {.names = {"paid"}});
             finish(stage, id, 1);
         }},
        {"an event after its wait",
         [](Stage& stage) {
             const auto id = stage.start();
             suspend(stage, id, 0, {.names = {"paid", "void"}});
             send(stage, "paid", id);
             record(stage, id, 1);
             finish(stage, id, 2);
         }},
        {"broadcasts to the oldest wait and into the queue",
         [](Stage& stage) {
             const auto first = stage.start();
             const auto second = stage.start();
             suspend(stage, first, 0, {.names = {"go"}});
             suspend(stage, second, 0, {.names = {"go"}});
             send(stage, "go");
             send(stage, "go");
             send(stage, "go");
             suspend(stage, first, 1, {.names = {"go"}});
             finish(stage, first, 2);
             finish(stage, second, 1);
         }},
        {"a kept broadcast",
         [](Stage& stage) {
             const auto first = stage.start();
             const auto second = stage.start();
             suspend(stage, first, 0, {.names = {"news"}});
             send(stage, "news", {}, OnTargetEnded::discard, Keep::yes);
             suspend(stage, second, 0, {.names = {"news"}});
             suspend(stage, first, 1, {.names = {"news"}});
         }},
    };
}

std::vector<Story> timer_stories() {
    return {
        {"a timer",
         [](Stage& stage) {
             const auto id = stage.start();
             suspend(stage, id, 0, {.names = {"paid"}, .until = stage.now() + seconds(10)});
             stage.pass(seconds(20));
             finish(stage, id, 1);
         }},
        {"a timer that the event beats",
         [](Stage& stage) {
             const auto id = stage.start();
             suspend(stage, id, 0, {.names = {"paid"}, .until = stage.now() + seconds(10)});
             send(stage, "paid", id);
             suspend(stage, id, 1, {.until = stage.now() + seconds(40)});
             stage.pass(seconds(20));
         }},
        {"pause, events meanwhile, resume",
         [](Stage& stage) {
             const auto id = stage.start();
             suspend(stage, id, 0, {.names = {"paid"}, .until = stage.now() + seconds(5)});
             stage.submit(op::Pause{.instance = id});
             stage.pass(seconds(10));
             send(stage, "paid", id);
             stage.submit(op::Resume{.instance = id});
             finish(stage, id, 1);
         }},
        {"failure and a cancelled timer",
         [](Stage& stage) {
             const auto id = stage.start();
             suspend(stage, id, 0, {.names = {"x"}, .until = stage.now() + seconds(5)});
             stage.submit(op::CancelTimers{.instance = id});
             stage.pass(seconds(10));
             send(stage, "x", id);
             stage.submit(
                 op::Fail{.instance = id, .run = {1, 1}, .code = "broken", .error = value(1)});
         }},
    };
}

std::vector<Story> ending_stories() {
    return {
        {"waiting for another workflow",
         [](Stage& stage) {
             const auto child = stage.start();
             const auto parent = stage.start();
             suspend(stage, parent, 0, {.workflows = {child}});
             finish(stage, child, 0);
             finish(stage, parent, 1);
         }},
        {"the end settles the inbox",
         [](Stage& stage) {
             const auto id = stage.start();
             const auto other = stage.start();
             suspend(stage, other, 0, {.names = {"b"}});
             send(stage, "a", id, OnTargetEnded::discard);
             send(stage, "b", id, OnTargetEnded::broadcast);
             send(stage, "c", id, OnTargetEnded::dead_letter);
             finish(stage, id, 0);
         }},
        {"continue as, with an event that survives",
         [](Stage& stage) {
             const auto id = stage.start();
             record(stage, id, 0);
             send(stage, "paid", id);
             stage.submit(op::ContinueAs{.instance = id, .run = {1, 1}, .arguments = value(9)});
             suspend(stage, id, 1, {.names = {"paid"}}, 2);
             finish(stage, id, 2, 2);
         }},
        {"cancel, with an instance that waits for it",
         [](Stage& stage) {
             const auto id = stage.start();
             const auto other = stage.start();
             suspend(stage, other, 0, {.names = {"x"}, .workflows = {id}});
             suspend(stage, id, 0, {.names = {"y"}, .until = stage.now() + seconds(60)});
             stage.submit(op::Cancel{.instance = id, .reason = "enough"});
             stage.pass(seconds(90));
         }},
    };
}

void enqueue(Stage& stage, const SignalId& signal, const InstanceId& id, bj::object payload,
             std::optional<seconds> after = {}) {
    op::EnqueueSignal op{.signal = signal, .instance = id, .payload = Document::of(payload)};
    if (after) op.after = *after;
    stage.submit(op);
    stage.settle();
}
bj::object event_payload(Stage& stage, std::string_view name) {
    bj::object payload{{"event", to_string(stage.new_event())}, {"name", name}};
    payload["value"] = 3;
    return payload;
}
void redrive_all(Stage& stage) {
    std::vector<SignalId> letters;
    for (const auto& [id, letter] : stage.tables().dead_letters) letters.push_back(id);
    for (const SignalId& letter : letters) stage.submit(op::RedriveDeadLetter{.signal = letter});
    stage.settle();
}

std::vector<Story> program_stories() {
    return {
        {"a program: step, wait, event, step, end",
         [](Stage& stage) {
             const auto id = stage.start({"step", "event paid", "state", "finish"});
             stage.settle();
             send(stage, "paid", id);
             stage.settle();
         }},
        {"a program whose event comes before its wait",
         [](Stage& stage) {
             const auto id = stage.start({"event go", "event paid", "finish"});
             send(stage, "paid", id);
             send(stage, "go", id);
             stage.settle();
         }},
        {"a program: timer, another try, another run",
         [](Stage& stage) {
             stage.start({"timer", "retry", "step", "finish"});
             stage.settle();
         }},
        {"a program waits for its child",
         [](Stage& stage) {
             stage.start({"child", "await", "finish"});
             stage.settle();
             stage.settle();
         }},
        {"a cancelled program",
         [](Stage& stage) {
             const auto id = stage.start({"step", "event never"});
             stage.settle();
             stage.submit(op::Cancel{.instance = id, .reason = "enough"});
             stage.settle();
         }},
    };
}

std::vector<Story> signal_stories() {
    return {
        {"a signal is claimed and handled",
         [](Stage& stage) {
             const auto id = stage.start();
             suspend(stage, id, 0, {.names = {"paid"}});
             const auto signal = stage.new_signal();
             const auto payload = event_payload(stage, "paid");
             enqueue(stage, signal, id, payload);
             enqueue(stage, signal, id, payload);
             finish(stage, id, 1);
         }},
        {"a signal that is not due yet",
         [](Stage& stage) {
             const auto id = stage.start();
             enqueue(stage, stage.new_signal(), id, event_payload(stage, "paid"), seconds(2));
             suspend(stage, id, 0, {.names = {"paid"}});
             finish(stage, id, 1);
         }},
        {"an undecodable signal becomes a dead letter, is redriven, dies again, is removed",
         [](Stage& stage) {
             const auto id = stage.start();
             const auto signal = stage.new_signal();
             enqueue(stage, signal, id, {{"nothing", "of use"}});
             redrive_all(stage);
             stage.submit(op::RemoveDeadLetter{.signal = signal});
             stage.settle();
         }},
        {"a program that always fails becomes a dead letter, is redriven and dies again",
         [](Stage& stage) {
             stage.start({"step", "give up"});
             const auto other = stage.start({"step", "event go", "finish"});
             stage.settle();
             redrive_all(stage);
             send(stage, "go", other);
             stage.settle();
         }},
    };
}

std::vector<Story> stories() {
    std::vector<Story> all = event_stories();
    for (auto more : {timer_stories(), ending_stories(), program_stories(), signal_stories()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

struct Tally {
    std::size_t points = 0;
    std::size_t passed = 0;
};

std::string run(const Story& story, CrashPoint first, CrashPoint second, bool& crashed) {
    Stage stage(first, second);
    story.run(stage);
    stage.pass(seconds(1));
    crashed = stage.crashed();
    std::string essence = stage.essence();
    for (const std::string& violation : stage.violations()) essence += "\n" + violation;
    return essence;
}

void try_point(const Story& story, const std::string& expected, CrashPoint first, CrashPoint second,
               Tally& tally) {
    bool crashed = false;
    std::string found;
    try {
        found = run(story, first, second, crashed);
    } catch (const std::exception& error) {
        found = error.what();
    }
    if (!crashed) return;  // the call was never made: not a crash point
    ++tally.points;
    if (found == expected) {
        ++tally.passed;
        return;
    }
    std::cout << story.name << ", crash " << (first.after ? "after" : "before") << " call "
              << first.call << (second.call ? " and in recovery" : "") << ":\n  expected "
              << expected << "\n  found    " << found << '\n';
}

void try_everywhere(const Story& story, Tally& tally) {
    std::uint64_t calls = 0;
    std::string expected;
    {
        Stage stage;
        story.run(stage);
        stage.pass(seconds(1));
        expected = stage.essence();
        calls = stage.calls();
        for (const std::string& violation : stage.violations()) expected += "\n" + violation;
    }
    const std::size_t before = tally.points;
    for (std::uint64_t call = 1; call <= calls; ++call)
        for (const bool after : {false, true}) {
            try_point(story, expected, {call, after}, {}, tally);
            for (std::uint64_t again = 1; again <= 4; ++again)
                try_point(story, expected, {call, after}, {again, again % 2 == 0}, tally);
        }
    std::cout << story.name << ": " << calls << " calls, " << tally.points - before
              << " crash points\n";
}

}  // namespace
}  // namespace holdfast::sim

int main() {
    using namespace holdfast::sim;
    holdfast::log::set_level(holdfast::log::Level::off);
    Tally tally;
    for (const Story& story : stories()) try_everywhere(story, tally);
    std::cout << tally.points << " crash points enumerated\n"
              << tally.passed << " passed, " << tally.points - tally.passed << " failed\n";
    return tally.points > 0 && tally.passed == tally.points ? 0 : 1;
}
