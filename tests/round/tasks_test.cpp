// Human tasks: who may do what, what is recorded, and that a task ends once (000.12, 004.8).
#include <boost/json.hpp>

#include "model/codec/codec.h"
#include "operations/operation_codec.h"
#include "support/batch.h"
#include "support/task_world.h"

namespace holdfast::testing {
namespace {

class Tasks : public ::testing::TestWithParam<const char*> {
protected:
    Tasks() : world(GetParam()), id(world.start_order("order-17")) {}

    template <class Refusal, class Op>
    Refusal refused(Op op) {
        const auto outcome = world.run(std::move(op));
        const auto* refusal = std::get_if<Refusal>(&outcome);
        EXPECT_TRUE(refusal) << "another outcome";
        return refusal ? *refusal : Refusal{};
    }
    op::Suspend waiting_for(const HumanTask& task) {
        return {.cause = world.cause(),
                .instance = task.instance,
                .run = world.run_of(task.instance),
                .wait = {.names = {event_name_of(task.id)}}};
    }
    op::CompleteTask completing(const HumanTask& task, const std::string& user,
                                const std::string& outputs = "{}") {
        auto op = world.on<op::CompleteTask>(task, user);
        op.outputs = document(outputs);
        return op;
    }
    op::Finish finishing() {
        return {.cause = world.cause(), .instance = id, .run = world.run_of(id)};
    }

    TaskWorld world;
    InstanceId id;
};

TEST_P(Tasks, ATaskIsCreatedWithItsStepAndItsEventInOneCommit) {
    TaskSpec spec{.name = "approve",
                  .queue = "finance",
                  .assignee = "ann",
                  .candidate_users = {"bob", "ann"},
                  .candidate_groups = {"boss"},
                  .payload = document(R"({"sum":12.5,"what":["ä",null]})"),
                  .expected_outputs = {"approved"},
                  .due_at = Moment{std::chrono::seconds{1'900'000'000}},
                  .priority = 7};
    const auto created = std::get<op::TaskCreated>(world.run(world.creating(id, spec)));
    EXPECT_EQ(created.version, 2u);
    const HumanTask task = world.stored(created.task.id);
    EXPECT_EQ(task, created.task);
    EXPECT_EQ(task.spec, spec);
    EXPECT_EQ(task.instance, id);
    EXPECT_EQ(task.definition, "order");
    EXPECT_EQ(task.business.key, "order-17");
    EXPECT_EQ(task.version, 1u);
    EXPECT_EQ(task.state, TaskState::created);
    const Instance instance = world.read(id);
    EXPECT_EQ(instance.version, 2u);
    EXPECT_EQ(instance.index, 1u);
    EXPECT_EQ(world.store->ask(FindJournalEntry{id, 0})->value().step.value,
              document('"' + to_string(task.id) + '"'));
    EXPECT_EQ(world.history(id).back().type, HistoryType::task_created);
    EXPECT_EQ(world.story(task.id), "created");
}

TEST_P(Tasks, ARepeatedCreationGetsTheExistingTask) {
    op::CreateTask create = world.creating(id);
    const auto first = std::get<op::TaskCreated>(world.run(create));
    create.cause = world.cause();
    const auto again = refused<op::AlreadyRecorded>(create);
    EXPECT_EQ(again.step.value, document('"' + to_string(first.task.id) + '"'));
    create.input_hash = sha256("other");
    EXPECT_EQ(refused<op::Diverged>(create).step.name, "approve");
    create.run.index = 7;
    refused<op::Overtaken>(create);
    EXPECT_EQ(world.store->ask(TaskQuery{})->items.size(), 1u);
    EXPECT_EQ(world.read(id).version, 2u);
}

TEST_P(Tasks, WhoMayClaim) {
    struct Case {
        TaskSpec spec;
        std::string user;
        std::vector<std::string> groups;
        bool may;
    };
    const std::vector<Case> cases = {
        {{.name = "t"}, "ann", {}, true},
        {{.name = "t", .assignee = "ann"}, "ann", {}, true},
        {{.name = "t", .assignee = "ann"}, "bob", {}, false},
        {{.name = "t", .candidate_users = {"bob", "cay"}}, "cay", {}, true},
        {{.name = "t", .candidate_users = {"bob", "cay"}}, "ann", {}, false},
        {{.name = "t", .candidate_groups = {"boss"}}, "ann", {"clerk", "boss"}, true},
        {{.name = "t", .candidate_groups = {"boss"}}, "ann", {"clerk"}, false},
        {{.name = "t", .candidate_groups = {"boss"}}, "boss", {}, false},
        {{.name = "t", .candidate_users = {"boss"}}, "ann", {"boss"}, false},
        {{.name = "t", .assignee = "ann", .candidate_users = {"bob"}}, "bob", {}, true},
        {{.name = "t", .assignee = "ann", .candidate_groups = {"boss"}}, "bob", {"boss"}, true},
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto& [spec, user, groups, may] = cases[i];
        const HumanTask task = world.create(id, spec);
        auto claim = world.on<op::ClaimTask>(task, user);
        claim.cause.caller.groups = groups;
        const auto outcome = world.run(claim);
        EXPECT_EQ(std::holds_alternative<op::TaskChanged>(outcome), may) << "case " << i;
        EXPECT_EQ(std::holds_alternative<op::NotCandidate>(outcome), !may) << "case " << i;
        EXPECT_EQ(world.stored(task.id).holder, may ? std::optional(user) : std::nullopt);
    }
}

TEST_P(Tasks, ClaimAndReleaseLeaveTheInstanceAsItIs) {
    const HumanTask task = world.create(id);
    const Instance before = world.read(id);
    const HumanTask claimed = world.claim(task, "ann");
    EXPECT_EQ(claimed.state, TaskState::claimed);
    EXPECT_EQ(claimed.holder, "ann");
    EXPECT_EQ(claimed.version, 2u);
    const HumanTask released = world.changed(world.on<op::ReleaseTask>(task, "ann"));
    EXPECT_EQ(released.state, TaskState::created);
    EXPECT_EQ(released.holder, std::nullopt);
    EXPECT_EQ(world.claim(task, "bob").version, 4u);
    EXPECT_EQ(world.read(id), before);
    EXPECT_EQ(world.story(task.id), "created claimed released claimed");
    EXPECT_EQ(world.events(task.id)[3].caller.user, "bob");
}

TEST_P(Tasks, TheSecondClaimerLearnsWhoHoldsTheTask) {
    const HumanTask task = world.create(id);
    auto ann = world.on<op::ClaimTask>(task, "ann");
    auto bob = world.on<op::ClaimTask>(task, "bob");
    ann.expected = bob.expected = 1;
    world.changed(ann);
    EXPECT_EQ(refused<op::TaskHeld>(bob).task.holder, "ann");
    refused<op::TaskUnchanged>(ann);
    EXPECT_EQ(world.story(task.id), "created claimed");
}

TEST_P(Tasks, OfManyClaimersOneWins) {
    const HumanTask task = world.create(id);
    std::vector<std::future<Result<op::ClaimTask::Outcome>>> answers;
    for (int i = 0; i < 64; ++i)
        answers.push_back(
            world.coordinator->submit(world.on<op::ClaimTask>(task, "user-" + std::to_string(i))));
    int won = 0;
    std::set<std::string> holders;
    for (auto& answer : answers) {
        const auto outcome = answer.get();
        ASSERT_TRUE(outcome.has_value());
        won += std::holds_alternative<op::TaskChanged>(*outcome);
        if (const auto* held = std::get_if<op::TaskHeld>(&*outcome))
            holders.insert(*held->task.holder);
    }
    EXPECT_EQ(won, 1);
    EXPECT_EQ(holders, std::set{*world.stored(task.id).holder});
    EXPECT_EQ(world.story(task.id), "created claimed");
}

TEST_P(Tasks, ATaskIsCompletedOnceHoweverManyTry) {
    const HumanTask task = world.claim(world.create(id), "ann");
    world.run(waiting_for(task));
    std::vector<std::future<Result<op::CompleteTask::Outcome>>> answers;
    for (int i = 0; i < 64; ++i)
        answers.push_back(world.coordinator->submit(
            completing(task, "ann", "{\"n\":" + std::to_string(i) + "}")));
    int completed = 0;
    int ended = 0;
    for (auto& answer : answers) {
        const auto outcome = answer.get();
        ASSERT_TRUE(outcome.has_value());
        completed += std::holds_alternative<op::TaskChanged>(*outcome);
        ended += std::holds_alternative<op::TaskEnded>(*outcome);
    }
    EXPECT_EQ(completed, 1);
    EXPECT_EQ(ended, 63);
    EXPECT_EQ(world.story(task.id), "created claimed completed");
    EXPECT_EQ(world.read(id).index, 2u) << "the wait was ended once";
    EXPECT_EQ(world.read(id).version, 5u) << "started, task created, suspended, task ended, woken";
}

TEST_P(Tasks, ACompletionWakesTheInstanceThatWaits) {
    const HumanTask task = world.claim(world.create(id), "ann");
    world.run(waiting_for(task));
    EXPECT_EQ(summary_of(world.read(id).waits).kind, WaitingKind::task_completion);
    const HumanTask done = world.changed(completing(task, "ann", R"({"approved":true})"));
    EXPECT_EQ(done.state, TaskState::completed);
    EXPECT_EQ(done.outputs, document(R"({"approved":true})"));
    EXPECT_EQ(done.ended_at, done.updated_at);
    EXPECT_EQ(world.stored(task.id), done);
    const Instance instance = world.read(id);
    EXPECT_EQ(instance.status, Status::running);
    const std::string value = R"({"by":"ann","error":null,"outcome":"completed","outputs":)"
                              R"({"approved":true},"task":")" +
                              to_string(task.id) + "\"}";
    EXPECT_EQ(world.store->ask(FindJournalEntry{id, 1})->value().step.value, document(value));
    const auto history = world.history(id);
    EXPECT_EQ(history[history.size() - 2].type, HistoryType::task_ended);
    EXPECT_EQ(history.back().type, HistoryType::delivered);
}

TEST_P(Tasks, ACompletionThatNobodyAwaitsYetIsQueued) {
    const HumanTask task = world.claim(world.create(id), "ann");
    world.changed(completing(task, "ann"));
    const auto pending = world.store->ask(PendingEventQuery{});
    ASSERT_EQ(pending->items.size(), 1u);
    EXPECT_EQ(pending->items[0].name, event_name_of(task.id));
    EXPECT_EQ(pending->items[0].target, id);
    EXPECT_TRUE(std::holds_alternative<op::Woken>(world.run(waiting_for(task))));
    EXPECT_TRUE(world.store->ask(PendingEventQuery{})->items.empty());
}

TEST_P(Tasks, OnlyTheHolderCompletesAndOnlyWithAllOutputs) {
    const HumanTask task =
        world.create(id, {.name = "approve", .expected_outputs = {"approved", "why"}});
    EXPECT_EQ(refused<op::NotHolder>(completing(task, "ann")).task.holder, std::nullopt);
    world.claim(task, "ann");
    EXPECT_EQ(refused<op::NotHolder>(completing(task, "bob")).task.holder, "ann");
    const auto missing = refused<op::MissingOutputs>(completing(task, "ann", R"({"why":null})"));
    EXPECT_EQ(missing.names, std::vector<std::string>{"approved"});
    EXPECT_EQ(world.stored(task.id).version, 2u);
    world.changed(completing(task, "ann", R"({"approved":false,"more":1,"why":"x"})"));
}

TEST_P(Tasks, AStaleVersionIsRefusedWithTheCurrentTask) {
    const HumanTask task = world.claim(world.create(id), "ann");
    const auto expect_stale = [&](auto op) {
        op.expected = 1;
        const auto stale = refused<op::StaleTask>(op);
        EXPECT_EQ(stale.expected, 1u);
        EXPECT_EQ(stale.task, task);
    };
    expect_stale(completing(task, "ann"));
    expect_stale(world.on<op::ReleaseTask>(task, "ann"));
    expect_stale(world.on<op::DelegateTask>(task, "ann"));
    expect_stale(world.on<op::AssignTask>(task, "ann"));
    expect_stale(world.on<op::FailTask>(task, "ann"));
    expect_stale(world.on<op::CancelTask>(task, "ann"));
    auto complete = completing(task, "ann");
    complete.expected = 2;
    EXPECT_EQ(world.changed(complete).version, 3u);
}

TEST_P(Tasks, FailAndCancelMayBeRepeated) {
    const HumanTask failing = world.claim(world.create(id), "ann");
    auto fail = world.on<op::FailTask>(failing, "ann");
    fail.error = document(R"({"code":"lost"})");
    const HumanTask failed = world.changed(fail);
    EXPECT_EQ(failed.error, document(R"({"code":"lost"})"));
    fail.cause = world.cause();
    EXPECT_EQ(refused<op::TaskUnchanged>(fail).task, failed);
    EXPECT_EQ(refused<op::TaskEnded>(world.on<op::CancelTask>(failing, "ann")).task, failed);

    const HumanTask cancelling = world.create(id);
    const HumanTask cancelled = world.changed(world.on<op::CancelTask>(cancelling, "boss"));
    EXPECT_EQ(refused<op::TaskUnchanged>(world.on<op::CancelTask>(cancelling, "x")).task,
              cancelled);
    EXPECT_EQ(refused<op::TaskEnded>(world.on<op::ClaimTask>(cancelling, "ann")).task, cancelled);
    EXPECT_EQ(world.store->ask(PendingEventQuery{})->items.size(), 2u) << "one event each";
}

TEST_P(Tasks, AssignAndDelegateSetTheAssignee) {
    const HumanTask task = world.create(id, {.name = "approve", .candidate_groups = {"boss"}});
    auto assign = world.on<op::AssignTask>(task, "boss");
    assign.assignee = "ann";
    EXPECT_EQ(world.changed(assign).spec.assignee, "ann");
    auto delegate = world.on<op::DelegateTask>(task, "eve");
    delegate.to = "bob";
    refused<op::NotHolder>(delegate);
    delegate.cause.caller.user = "ann";
    EXPECT_EQ(world.changed(delegate).spec.assignee, "bob") << "while it is not claimed";
    world.claim(task, "bob");
    assign.cause = world.cause();
    EXPECT_EQ(refused<op::TaskHeld>(assign).task.holder, "bob");
    delegate = world.on<op::DelegateTask>(task, "bob");
    delegate.to = "cay";
    const HumanTask delegated = world.changed(delegate);
    EXPECT_EQ(delegated.state, TaskState::created);
    EXPECT_EQ(delegated.holder, std::nullopt);
    EXPECT_EQ(delegated.spec.assignee, "cay");
    EXPECT_EQ(world.story(task.id), "created assigned reassigned claimed reassigned");
    EXPECT_EQ(world.events(task.id)[4].detail, document(R"({"from":"bob","to":"cay"})"));
    auto unassign = world.on<op::AssignTask>(task, "boss");
    EXPECT_EQ(world.changed(unassign).spec.assignee, std::nullopt);
}

TEST_P(Tasks, AnInstanceThatEndsCancelsItsOpenTasks) {
    const HumanTask held = world.claim(world.create(id), "ann");
    const HumanTask open = world.create(id);
    const HumanTask done = world.claim(world.create(id), "ann");
    world.changed(completing(done, "ann"));
    const Version before = world.read(id).version;
    world.run(finishing());
    EXPECT_EQ(world.read(id).version, before + 1) << "one history row for all of it";
    EXPECT_EQ(world.stored(held.id).state, TaskState::cancelled);
    EXPECT_EQ(world.stored(open.id).state, TaskState::cancelled);
    EXPECT_EQ(world.stored(done.id).state, TaskState::completed);
    EXPECT_EQ(world.story(held.id), "created claimed cancelled");
    EXPECT_TRUE(world.store->ask(TaskQuery{.states = {TaskState::created, TaskState::claimed}})
                    ->items.empty());
    refused<op::TaskEnded>(completing(held, "ann"));
}

TEST_P(Tasks, CancellingAParentCancelsTheTasksOfItsChildren) {
    op::Write write{.cause = world.cause()};
    write.instance = Instance{.id = world.ids.next<InstanceId>(),
                              .definition = {"order", 1},
                              .parent = id,
                              .created_at = world.clock.now(),
                              .last_modified_at = world.clock.now()};
    const InstanceId child = write.instance.id;
    world.run(write);
    const HumanTask task = world.create(child);
    world.run(op::Cancel{.cause = world.cause(), .instance = id});
    EXPECT_EQ(world.stored(task.id).state, TaskState::cancelled);
}

TEST_P(Tasks, AClearedInstanceLeavesNoTaskBehind) {
    const HumanTask task = world.claim(world.create(id), "ann");
    const InstanceId other = world.start_order();
    const HumanTask stays = world.create(other);
    world.run(op::Clear{.cause = world.cause(), .instance = id});
    EXPECT_EQ(*world.store->ask(FindTask{task.id}), std::nullopt);
    EXPECT_TRUE(world.events(task.id).empty());
    refused<op::NoTask>(completing(task, "ann"));
    EXPECT_EQ(world.stored(stays.id), stays);
    EXPECT_EQ(world.story(stays.id), "created");
}

TEST_P(Tasks, ATaskMayBeCreatedAndCompletedInOneRound) {
    const op::CreateTask create = world.creating(id);
    const HumanTask task{.id = op::task_of(create.cause.operation), .instance = id};
    op::Suspend suspend{.cause = world.cause(),
                        .instance = id,
                        .run = {.run = 1, .index = 1},
                        .wait = {.names = {event_name_of(task.id)}}};
    op::Finish finish{
        .cause = world.cause(), .instance = id, .run = {.run = 1, .index = 2}, .result = {}};
    auto outcomes =
        testing::submit_batch(*world.coordinator, {create, world.on<op::ClaimTask>(task, "ann"),
                                                   suspend, completing(task, "ann"), finish})
            .get();
    for (const auto& outcome : outcomes) ASSERT_TRUE(outcome.has_value());
    EXPECT_TRUE(
        std::holds_alternative<op::Finished>(std::get<op::Finish::Outcome>(*outcomes.back())));
    EXPECT_EQ(world.stored(task.id).state, TaskState::completed);
    EXPECT_EQ(world.story(task.id), "created claimed completed");
}

TEST_P(Tasks, ATaskOfAnotherInstanceIsNotFound) {
    HumanTask task = world.create(id);
    task.instance = world.start_order();
    refused<op::NoTask>(world.on<op::ClaimTask>(task, "ann"));
    task.instance = world.ids.next<InstanceId>();
    refused<op::NoTask>(world.on<op::CancelTask>(task, "ann"));
    task.instance = id;
    task.id = world.ids.next<TaskId>();
    refused<op::NoTask>(world.on<op::FailTask>(task, "ann"));
}

TEST_P(Tasks, NothingIsDoneToTheTasksOfAQuarantinedInstance) {
    const InstanceId sick = world.start("order", R"({"n":1})").id;
    const HumanTask task = world.create(sick);
    world.corrupt_state(sick);
    refused<op::Quarantined>(op::Quarantine{.cause = world.cause(), .instance = sick});
    refused<op::Quarantined>(world.on<op::ClaimTask>(task, "ann"));
    refused<op::Quarantined>(world.on<op::CancelTask>(task, "ann"));
    EXPECT_EQ(world.stored(task.id), task);
}

TEST_P(Tasks, ARestartFindsThemAsTheyWere) {
    if (std::string(GetParam()) == "memory") return;
    const HumanTask task = world.claim(world.create(id), "ann");
    world.restart();
    EXPECT_EQ(world.stored(task.id), task);
    EXPECT_EQ(world.changed(completing(task, "ann")).version, 3u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Tasks, all_stores(), store_name);

TEST(TaskTrace, TaskOperationsReadBackFromTheirJson) {
    TaskWorld world("memory");
    const HumanTask task{.id = world.ids.next<TaskId>(), .instance = world.ids.next<InstanceId>()};
    auto claim = world.on<op::ClaimTask>(task, "ann");
    claim.cause.caller.groups = {"boss", "clerk"};
    claim.expected = 3;
    claim.client_key = op::ClientKey{"key", sha256("request")};
    auto assign = world.on<op::AssignTask>(task, "ann");
    assign.assignee = "bob";
    auto delegate = world.on<op::DelegateTask>(task, "ann");
    delegate.to = "bob";
    auto complete = world.on<op::CompleteTask>(task, "ann");
    complete.outputs = document(R"({"a":1})");
    auto failing = world.on<op::FailTask>(task, "ann");
    failing.error = document("[1]");
    op::CreateTask create{.cause = world.cause(), .instance = task.instance, .run = {.index = 4}};
    create.step_name = "ask";
    create.spec = {.name = "approve",
                   .queue = "q",
                   .assignee = "ann",
                   .candidate_users = {"bob"},
                   .candidate_groups = {"boss"},
                   .payload = document("7"),
                   .expected_outputs = {"x"},
                   .due_at = Moment{std::chrono::seconds{1'900'000'000}},
                   .priority = 9};
    const std::vector<Operation> operations{create,
                                            claim,
                                            assign,
                                            delegate,
                                            complete,
                                            failing,
                                            world.on<op::ReleaseTask>(task, "ann"),
                                            world.on<op::CancelTask>(task, "ann"),
                                            world.on<op::AssignTask>(task, "ann")};
    for (const Operation& operation : operations) {
        const auto read = operation_from_json(to_json(operation));
        ASSERT_TRUE(read.has_value()) << read.error().message;
        EXPECT_EQ(to_json(*read), to_json(operation));
    }
}

}  // namespace
}  // namespace holdfast::testing
