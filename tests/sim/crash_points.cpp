// Runs every story once without a crash, to count the calls of the store; then with the node
// crashing before and after each of them, and again with a second crash during the recovery. The
// result must be the same wherever the node crashes.
#include <boost/json.hpp>
#include <iostream>

#include "base/log.h"
#include "sim/crash_stage.h"

namespace holdfast::sim {
namespace {

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

// The id derives from the operation that was committed, not from the last one that was sent.
TaskId only_task(Stage& stage) { return stage.tables().tasks.begin()->first; }

void create_task(Stage& stage, const InstanceId& id) {
    stage.submit(op::CreateTask{.instance = id,
                                .run = {1, 0},
                                .step_name = "approve",
                                .input_hash = sha256("approve"),
                                .spec = {.name = "approve", .expected_outputs = {"n"}}});
}

// I8: the task, its event, the event to its instance and history end together, once.
std::vector<Story> task_stories() {
    return {
        {"a task is claimed and completed while its workflow waits",
         [](Stage& stage) {
             const auto id = stage.start();
             create_task(stage, id);
             const TaskId task = only_task(stage);
             suspend(stage, id, 1, {.names = {event_name_of(task)}});
             stage.submit(
                 op::ClaimTask{.cause = {.caller = {.user = "ann"}}, .instance = id, .task = task});
             stage.submit(op::CompleteTask{.cause = {.caller = {.user = "ann"}},
                                           .instance = id,
                                           .task = task,
                                           .outputs = value(1)});
             finish(stage, id, 2);
         }},
        {"a task is completed before its workflow waits",
         [](Stage& stage) {
             const auto id = stage.start();
             create_task(stage, id);
             const TaskId task = only_task(stage);
             stage.submit(
                 op::ClaimTask{.cause = {.caller = {.user = "ann"}}, .instance = id, .task = task});
             stage.submit(op::CompleteTask{.cause = {.caller = {.user = "ann"}},
                                           .instance = id,
                                           .task = task,
                                           .outputs = value(1)});
             suspend(stage, id, 1, {.names = {event_name_of(task)}});
             finish(stage, id, 2);
         }},
        {"a workflow ends with an open task",
         [](Stage& stage) {
             const auto id = stage.start();
             create_task(stage, id);
             stage.submit(op::ClaimTask{
                 .cause = {.caller = {.user = "ann"}}, .instance = id, .task = only_task(stage)});
             stage.submit(op::Cancel{.instance = id, .reason = "enough"});
         }},
    };
}

void complete_only_task(Stage& stage, const InstanceId& id) {
    const TaskId task = only_task(stage);
    const Cause by_ann{.caller = {.user = "ann"}};
    stage.submit(op::ClaimTask{.cause = by_ann, .instance = id, .task = task});
    stage.submit(
        op::CompleteTask{.cause = by_ann, .instance = id, .task = task, .outputs = value(1)});
}

// Until it is gone: a claim is lost with its node.
void end_job(Stage& stage, const bj::object& result) {
    for (int tries = 0; tries < 20; ++tries) {
        const SignalRow* job = stage.claim_job();
        if (!job) return;
        stage.submit(op::EndJob{.instance = job->instance,
                                .signal = job->id,
                                .lease = {*job->leased_by, job->epoch},
                                .result = Document::of(result)});
        stage.pass(seconds(1));
    }
    throw std::runtime_error("the job never ended");
}

// Programs with several waits at a time: what ends one leaves the others.
std::vector<Story> parallel_stories() {
    return {
        {"a tally counts twice while it can be stopped, and is stopped",
         [](Stage& stage) {
             const auto id = stage.start_tally();
             send(stage, "tick", id);
             send(stage, "tick");
             send(stage, "stop", id);
         }},
        {"a tally counts to its end and asks for a task, which is done",
         [](Stage& stage) {
             const auto id = stage.start_tally();
             for (int i = 0; i < 3; ++i) send(stage, "tick", id);
             complete_only_task(stage, id);
         }},
        {"a process: a task is done in time, an event comes",
         [](Stage& stage) {
             const auto id = stage.start_process();
             complete_only_task(stage, id);
             send(stage, "paid", id);
         }},
        {"a process: an event comes, a task is late",
         [](Stage& stage) {
             const auto id = stage.start_process();
             send(stage, "paid", id);
             stage.pass(seconds(20));
         }},
        {"a process of all families: an event, a job that throws an error",
         [](Stage& stage) {
             const auto id = stage.start_families();
             send(stage, "paid", id);
             end_job(stage, {{"error", "BROKEN"}});
         }},
        {"a process of all families: a timer, a job that is late",
         [](Stage& stage) {
             stage.start_families();
             stage.pass(seconds(12));
             stage.pass(seconds(32));
         }},
        {"a process is cancelled with its task and its timer",
         [](Stage& stage) {
             const auto id = stage.start_process();
             stage.submit(op::Cancel{.instance = id, .reason = "enough"});
         }},
    };
}

std::vector<Story> stories() {
    std::vector<Story> all = event_stories();
    for (auto more : {timer_stories(), ending_stories(), program_stories(), signal_stories(),
                      task_stories(), parallel_stories()})
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
