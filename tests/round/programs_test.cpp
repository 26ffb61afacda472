// Instances with a program: who may act for them, and what only they can do (001.11 to 001.13,
// 004.11, I23, I29, I47).
#include "support/batch.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class Programs : public ::testing::TestWithParam<const char*> {
protected:
    Programs() : world(GetParam()) {
        world.define_program("checkout");
        checkout = world.start("checkout", "{}").id;
        lease = Lease{*world.self.node, 1};
    }

    op::Run here(const InstanceId& id) {
        const Instance instance = world.read(id);
        return {instance.run, instance.index, lease};
    }
    // The first lease of a continuation has the version that made it as its epoch.
    void take_lease(const InstanceId& id) { lease.epoch = world.read(id).version; }
    op::RecordStep::Outcome record(const InstanceId& id, const std::string& step, op::Run run,
                                   bool rollback = false) {
        return world.run(op::RecordStep{.cause = world.cause(),
                                        .instance = id,
                                        .run = run,
                                        .step_name = step,
                                        .input_hash = sha256(step),
                                        .value = document("1"),
                                        .rollback = rollback});
    }
    op::Suspend::Outcome suspend(const InstanceId& id, Wait wait) {
        return world.run(op::Suspend{
            .cause = world.cause(), .instance = id, .run = here(id), .wait = std::move(wait)});
    }
    op::PutOff::Outcome put_off(const InstanceId& id) {
        return world.run(op::PutOff{.cause = world.cause(),
                                    .instance = id,
                                    .run = here(id),
                                    .error = document(R"("no answer")")});
    }
    op::StartChild child_of(const InstanceId& parent, bool detached = false) {
        return {.cause = world.cause(),
                .instance = parent,
                .run = here(parent),
                .step_name = "ship",
                .input_hash = sha256("ship"),
                .definition = "checkout",
                .arguments = document("[1]"),
                .detached = detached};
    }
    op::Cancel::Outcome cancel(const InstanceId& id) {
        return world.run(op::Cancel{.cause = world.cause(), .instance = id, .reason = "enough"});
    }
    // The signals that another node with the program claims.
    std::vector<SignalRow> claim_elsewhere() {
        const NodeId other = world.ids.next<NodeId>();
        EXPECT_TRUE(world.store->join({other, "other", std::chrono::hours(1)}));
        return world.store->claim({.node = other, .programs = {"checkout"}})->signals;
    }

    World world;
    InstanceId checkout;
    Lease lease;
};

TEST_P(Programs, BeginWithTheirArgumentsAtIndexZero) {
    const auto entry = world.store->ask(FindJournalEntry{checkout, 0});
    ASSERT_TRUE(entry && *entry);
    EXPECT_EQ((*entry)->step.name, "arguments");
    EXPECT_EQ(world.read(checkout).index, 1u);
}

TEST_P(Programs, OnlyTheLeaseHolderActs) {
    const Instance instance = world.read(checkout);
    const op::Run outside{instance.run, instance.index, {}};
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record(checkout, "pay", outside)));
    const op::Run older{instance.run, instance.index, Lease{lease.node, 0}};
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record(checkout, "pay", older)));
    const op::Run stranger{instance.run, instance.index, Lease{world.ids.next<NodeId>(), 1}};
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record(checkout, "pay", stranger)));
    EXPECT_EQ(world.read(checkout).version, 1u);
    EXPECT_TRUE(std::holds_alternative<op::Recorded>(record(checkout, "pay", here(checkout))));

    world.define("orders");
    const InstanceId order = world.start("orders", "{}").id;
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record(order, "pay", {1, 0, lease})));
    EXPECT_TRUE(std::holds_alternative<op::Recorded>(record(order, "pay", {1, 0, {}})));
}

TEST_P(Programs, ALeaseThatAnotherNodeTookOverIsVoid) {
    ASSERT_TRUE(world.store->leave(lease.node));
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record(checkout, "pay", here(checkout))));
    const auto claimed = claim_elsewhere();
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_EQ(claimed[0].instance, checkout);
    EXPECT_EQ(claimed[0].type, SignalType::internal_continue);
    EXPECT_EQ(claimed[0].epoch, 2u);
    EXPECT_EQ(claimed[0].attempts, 1u);
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record(checkout, "pay", here(checkout))));
    lease = {*claimed[0].leased_by, claimed[0].epoch};
    EXPECT_TRUE(std::holds_alternative<op::Recorded>(record(checkout, "pay", here(checkout))));
}

TEST_P(Programs, ProgressResetsTheAttempts) {
    ASSERT_TRUE(world.store->leave(lease.node));
    auto claimed = claim_elsewhere();
    ASSERT_EQ(claimed.size(), 1u);
    lease = {*claimed[0].leased_by, claimed[0].epoch};
    ASSERT_TRUE(world.store->give_back(claimed[0].id, lease, std::chrono::microseconds(0)));
    claimed = world.store->claim({.node = lease.node, .programs = {"checkout"}})->signals;
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_EQ(claimed[0].attempts, 2u);
    lease = {*claimed[0].leased_by, claimed[0].epoch};
    record(checkout, "pay", here(checkout));
    ASSERT_TRUE(world.store->leave(lease.node));
    const auto again = claim_elsewhere();
    ASSERT_EQ(again.size(), 1u);
    EXPECT_EQ(again[0].attempts, 1u);
    EXPECT_EQ(again[0].epoch, 4u);
}

TEST_P(Programs, HaveAContinuationExactlyWhileTheyRun) {
    EXPECT_TRUE(std::holds_alternative<op::Asleep>(suspend(checkout, {.names = {"paid"}})));
    ASSERT_TRUE(world.store->leave(lease.node));
    EXPECT_TRUE(claim_elsewhere().empty());
    world.self.node.reset();  // this node takes no leases: the signal is free
    world.run(op::SendEvent{.cause = world.cause(),
                            .event = world.ids.next<EventId>(),
                            .event_name = "paid",
                            .target = checkout,
                            .value = document("1")});
    const auto claimed = claim_elsewhere();
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_EQ(claimed[0].attempts, 1u);
    lease = {*claimed[0].leased_by, claimed[0].epoch};
    const auto finished = world.run(op::Finish{
        .cause = world.cause(), .instance = checkout, .run = here(checkout), .result = {}});
    EXPECT_TRUE(std::holds_alternative<op::Finished>(finished));
    ASSERT_TRUE(world.store->leave(lease.node));
    EXPECT_TRUE(claim_elsewhere().empty());
}

TEST_P(Programs, ThatFallAsleepAndWakeInOneRoundGetAnotherContinuation) {
    std::vector<Operation> round;
    round.emplace_back(op::Suspend{.cause = world.cause(),
                                   .instance = checkout,
                                   .run = here(checkout),
                                   .wait = {.names = {"paid"}}});
    round.emplace_back(op::SendEvent{.cause = world.cause(),
                                     .event = world.ids.next<EventId>(),
                                     .event_name = "paid",
                                     .target = checkout,
                                     .value = document("1")});
    const auto outcomes = testing::submit_batch(*world.coordinator, std::move(round)).get();
    ASSERT_TRUE(outcomes[0] && outcomes[1]);
    EXPECT_EQ(world.read(checkout).status, Status::running);
    // The runner was answered that the instance is suspended: its lease is void.
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record(checkout, "pay", here(checkout))));
    take_lease(checkout);
    EXPECT_TRUE(std::holds_alternative<op::Recorded>(record(checkout, "pay", here(checkout))));
}

TEST_P(Programs, AStepThatFailsIsPutOffAndTriedAgainAtTheSameIndex) {
    const auto until = std::get<op::PutOffUntil>(put_off(checkout));
    Instance asleep = world.read(checkout);
    EXPECT_EQ(asleep.status, Status::suspended);
    EXPECT_EQ(summary_of(asleep.waits).kind, WaitingKind::retry);
    const auto fired = world.run(
        op::FireTimer{.cause = world.cause(), .instance = checkout, .token = until.token});
    ASSERT_TRUE(std::holds_alternative<op::Fired>(fired));
    Instance awake = world.read(checkout);
    EXPECT_EQ(awake.status, Status::running);
    EXPECT_EQ(awake.index, asleep.index);
    ASSERT_TRUE(awake.program.retry);
    EXPECT_EQ(awake.program.retry->attempts.size(), 1u);
    take_lease(checkout);
    put_off(checkout);
    EXPECT_EQ(world.read(checkout).program.retry->attempts.size(), 2u);
}

TEST_P(Programs, ARecordedStepForgetsItsFailedAttempts) {
    const auto until = std::get<op::PutOffUntil>(put_off(checkout));
    world.run(op::FireTimer{.cause = world.cause(), .instance = checkout, .token = until.token});
    take_lease(checkout);
    EXPECT_TRUE(std::holds_alternative<op::Recorded>(record(checkout, "pay", here(checkout))));
    EXPECT_FALSE(world.read(checkout).program.retry);
}

TEST_P(Programs, StartAChildAndRecordItInOneCommit) {
    const op::StartChild start = child_of(checkout);
    const auto started = world.run(start);
    const InstanceId child = std::get<op::ChildStarted>(started).child;
    EXPECT_EQ(world.read(child).parent, checkout);
    EXPECT_EQ(world.read(checkout).index, 2u);
    EXPECT_TRUE(std::holds_alternative<op::AlreadyRecorded>(world.run(start)));
    const auto arguments = world.store->ask(FindJournalEntry{child, 0});
    ASSERT_TRUE(arguments && *arguments);
    EXPECT_EQ((*arguments)->step.value, document("[1]"));
}

TEST_P(Programs, ChildrenAreCancelledWithTheirParentUnlessTheyAreDetached) {
    const auto child = std::get<op::ChildStarted>(world.run(child_of(checkout))).child;
    const auto loose = std::get<op::ChildStarted>(world.run(child_of(checkout, true))).child;
    EXPECT_EQ(std::get<op::Cancelled>(cancel(checkout)).status, Status::cancelled);
    EXPECT_EQ(world.read(checkout).status, Status::cancelled);
    EXPECT_EQ(world.read(child).status, Status::cancelled);
    EXPECT_EQ(world.read(loose).status, Status::running);
}

TEST_P(Programs, ChildrenAreCancelledWhenTheirOpenParentIsCleared) {
    const auto child = std::get<op::ChildStarted>(world.run(child_of(checkout))).child;
    const auto loose = std::get<op::ChildStarted>(world.run(child_of(checkout, true))).child;
    suspend(checkout, {.workflows = {child}});
    EXPECT_TRUE(std::holds_alternative<op::Cleared>(
        world.run(op::Clear{.cause = world.cause(), .instance = checkout})));
    EXPECT_EQ(world.read(child).status, Status::cancelled);
    EXPECT_EQ(world.read(loose).status, Status::running);
}

TEST_P(Programs, ADeepTreeIsCancelledAsAWhole) {
    std::vector<InstanceId> line{checkout};
    for (int level = 0; level < 40; ++level) {
        Instance child = world.read(checkout);
        child.id = world.ids.next<InstanceId>();
        child.parent = line.back();
        world.run(op::Write{.cause = world.cause(), .instance = child});
        line.push_back(child.id);
    }
    EXPECT_TRUE(std::holds_alternative<op::Cancelled>(cancel(checkout)));
    for (const InstanceId& id : line) EXPECT_EQ(world.read(id).status, Status::cancelled);
}

TEST_P(Programs, SetTheirStateByAMergePatchThatIsRecorded) {
    op::SetState set{.cause = world.cause(),
                     .instance = checkout,
                     .run = here(checkout),
                     .step_name = "state",
                     .input_hash = sha256("patch"),
                     .patch = document(R"({"paid":true})")};
    EXPECT_TRUE(std::holds_alternative<op::StateSet>(world.run(set)));
    EXPECT_EQ(world.read(checkout).state, document(R"({"paid":true})"));
    EXPECT_TRUE(std::holds_alternative<op::AlreadyRecorded>(world.run(set)));
    EXPECT_EQ(world.history(checkout).back().type, HistoryType::state_changed);
}

TEST_P(Programs, ThatHaveSomethingToUndoAreWokenByTheirCancellation) {
    record(checkout, "reserve", here(checkout), true);
    const op::Run busy = here(checkout);
    EXPECT_EQ(std::get<op::Cancelled>(cancel(checkout)).status, Status::running)
        << "it is not cancelled yet";
    const Instance unwinding = world.read(checkout);
    EXPECT_EQ(unwinding.status, Status::running);
    EXPECT_TRUE(unwinding.program.unwinding);
    // The index already has the cancellation, whatever step the program records there.
    const auto answered = std::get<op::AlreadyRecorded>(record(checkout, "pay", busy));
    EXPECT_EQ(answered.step.name, cancelled_step);
    record(checkout, "release", here(checkout));
    const auto ended = world.run(op::Fail{.cause = world.cause(),
                                          .instance = checkout,
                                          .run = here(checkout),
                                          .code = "cancelled",
                                          .cancelled = true});
    EXPECT_TRUE(std::holds_alternative<op::Failed>(ended));
    EXPECT_EQ(world.read(checkout).status, Status::cancelled);
}

TEST_P(Programs, WhatFollowsAStepThatWasRefusedIsRefused) {
    record(checkout, "reserve", here(checkout), true);
    op::Run next = here(checkout);
    cancel(checkout);
    // Its step "pay" and its end were submitted before it was cancelled.
    ++next.index;
    next.assumed = sha256("pay");
    op::Finish finish{.cause = world.cause(), .instance = checkout, .run = next};
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(world.run(finish)));
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(record(checkout, "ship", next)));
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(world.run(op::Suspend{
        .cause = world.cause(), .instance = checkout, .run = next, .wait = {.names = {"x"}}})));
    EXPECT_TRUE(world.read(checkout).program.unwinding);
    // Without the assumption it succeeds.
    finish.run.assumed.reset();
    EXPECT_TRUE(std::holds_alternative<op::Finished>(world.run(finish)));
}

TEST_P(Programs, AStepAndTheEndThatFollowsShareACommit) {
    const op::Run pay = here(checkout);
    op::Run end = pay;
    ++end.index;
    end.assumed = sha256("pay");
    std::vector<Operation> both;
    both.push_back(op::RecordStep{.cause = world.cause(),
                                  .instance = checkout,
                                  .run = pay,
                                  .step_name = "pay",
                                  .input_hash = sha256("pay"),
                                  .value = document("1")});
    both.push_back(op::Finish{.cause = world.cause(), .instance = checkout, .run = end});
    const std::uint64_t rev = world.read(checkout).rev;
    const auto outcomes = testing::submit_batch(*world.coordinator, std::move(both)).get();
    EXPECT_TRUE(
        std::holds_alternative<op::Recorded>(std::get<op::RecordStep::Outcome>(*outcomes[0])));
    EXPECT_TRUE(std::holds_alternative<op::Finished>(std::get<op::Finish::Outcome>(*outcomes[1])));
    EXPECT_EQ(world.read(checkout).status, Status::succeeded);
    EXPECT_EQ(world.read(checkout).rev, rev + 1) << "the row was written once";
}

TEST_P(Programs, AStepKeepsTheTimeOfItsRunnerUnlessItIsInTheFuture) {
    const auto time_of = [&](std::chrono::microseconds shift) {
        const Moment started = world.read(checkout).created_at;
        const op::Run run = here(checkout);
        world.run(op::RecordStep{.cause = world.cause(),
                                 .instance = checkout,
                                 .run = run,
                                 .step_name = "pay",
                                 .input_hash = sha256("pay"),
                                 .value = document("1"),
                                 .at = started + shift});
        return (*world.store->ask(FindJournalEntry{checkout, run.index}))->step.at - started;
    };
    EXPECT_EQ(time_of(std::chrono::seconds(-5)), std::chrono::seconds(-5));
    EXPECT_LT(time_of(std::chrono::hours(24)), std::chrono::hours(23));
}

TEST_P(Programs, ACancellationWakesASleeperAndASecondOneEndsIt) {
    record(checkout, "reserve", here(checkout), true);
    op::Suspend waiting{.cause = world.cause(),
                        .instance = checkout,
                        .run = here(checkout),
                        .wait = {.names = {"paid"}}};
    world.run(waiting);
    cancel(checkout);
    EXPECT_EQ(world.read(checkout).status, Status::running);
    // The lease from before it slept is void; under the new one the wait is answered.
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(world.run(waiting)));
    take_lease(checkout);
    waiting.run.lease = lease;
    const auto answered = world.run(waiting);
    EXPECT_EQ(std::get<op::Woken>(answered).winner.type, WinnerType::cancelled);
    cancel(checkout);
    EXPECT_EQ(world.read(checkout).status, Status::cancelled);
    ASSERT_TRUE(world.store->leave(lease.node));
    EXPECT_TRUE(claim_elsewhere().empty());
}

TEST_P(Programs, ContinueUnderTheSameLease) {
    record(checkout, "pay", here(checkout));
    const auto continued = world.run(op::ContinueAs{.cause = world.cause(),
                                                    .instance = checkout,
                                                    .run = here(checkout),
                                                    .arguments = document("[2]")});
    EXPECT_EQ(std::get<op::Continued>(continued).run.run, 2u);
    EXPECT_TRUE(std::holds_alternative<op::Recorded>(record(checkout, "pay", here(checkout))));
}

TEST_P(Programs, AreNotForked) {
    world.run(op::Checkpoint{.cause = world.cause(), .instance = checkout, .checkpoint = "before"});
    const auto fork = [&] {
        return world.run(
            op::Fork{.cause = world.cause(), .source = checkout, .checkpoint = "before"});
    };
    EXPECT_TRUE(std::holds_alternative<op::RunsFlow>(fork()));
    cancel(checkout);
    EXPECT_TRUE(std::holds_alternative<op::RunsFlow>(fork())) << "nor after they have ended";
    EXPECT_EQ(world.store->ask(InstanceQuery{})->items.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Programs, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
