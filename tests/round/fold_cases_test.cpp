// Operations that affect each other within one round: cases that random scripts once found.
#include "support/batch.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class FoldCases : public ::testing::TestWithParam<const char*> {
protected:
    FoldCases() : world(GetParam(), {.writers = 1}) {
        world.define("orders");
        for (InstanceId& id : ids) id = world.start("orders", "{}").id;
    }

    op::Suspend suspend(const InstanceId& id, Wait wait) {
        return {.cause = world.cause(), .instance = id, .run = {1, 0}, .wait = std::move(wait)};
    }
    op::SendEvent send(const std::string& name, std::optional<InstanceId> target = {}) {
        return {.cause = world.cause(),
                .event = world.ids.next<EventId>(),
                .event_name = name,
                .target = target,
                .value = document("1")};
    }
    op::Finish finish(const InstanceId& id) {
        return {.cause = world.cause(), .instance = id, .run = {1, 0}};
    }
    // In one round, unless one of them needs more reads.
    std::vector<Result<AnyOutcome>> together(std::vector<Operation> operations) {
        return testing::submit_batch(*world.coordinator, std::move(operations)).get();
    }

    World world;
    std::array<InstanceId, 3> ids;
};

TEST_P(FoldCases, AChildThatWasWrittenInTheRoundIsCancelledWithItsParent) {
    op::Write child{.cause = world.cause()};
    child.instance =
        Instance{.id = world.ids.next<InstanceId>(), .definition = {"orders", 1}, .parent = ids[0]};
    together({child, op::Cancel{.cause = world.cause(), .instance = ids[0]}});
    EXPECT_EQ(world.read(child.instance.id).status, Status::cancelled);
}

TEST_P(FoldCases, AnEventThatExpiresAsItArrivesTakesNoRoomInTheQueue) {
    op::SendEvent gone = send("go");
    gone.expire_after = std::chrono::microseconds(0);
    op::SendEvent last = send("go");
    last.queue_limit = 1;
    const auto results = together({gone, last});
    const auto& outcome = std::get<op::SendEvent::Outcome>(*results[1]);
    EXPECT_TRUE(std::holds_alternative<op::Queued>(outcome));
}

TEST_P(FoldCases, AnEventOfAnEndedTargetGoesToAnOlderWaitThatTheRoundDidNotRead) {
    world.run(suspend(ids[0], {.names = {"go"}}));
    op::SendEvent event = send("go", ids[1]);
    event.on_target_ended = OnTargetEnded::broadcast;
    world.run(event);
    together({suspend(ids[2], {.names = {"go"}}), finish(ids[1])});
    EXPECT_EQ(world.read(ids[0]).status, Status::running);
    EXPECT_EQ(world.read(ids[2]).status, Status::suspended);
}

TEST_P(FoldCases, AWaitThatWasRegisteredAgainIsMetOnceByAnEventForAll) {
    op::SendEvent event = send("go");
    event.fan_out = FanOut::all;
    const auto results = together({suspend(ids[0], {.names = {"go"}}),
                                   op::Pause{.cause = world.cause(), .instance = ids[0]},
                                   op::Resume{.cause = world.cause(), .instance = ids[0]}, event});
    const auto& outcome = std::get<op::SendEvent::Outcome>(*results[3]);
    EXPECT_EQ(std::get<op::FannedOut>(outcome).to.size(), 1u);
    EXPECT_EQ(world.read(ids[0]).index, 1u);
}

TEST_P(FoldCases, AWaitThatWasRegisteredAgainIsMetOnceByACompletion) {
    together({suspend(ids[0], {.workflows = {ids[1]}}),
              op::Pause{.cause = world.cause(), .instance = ids[0]},
              op::Resume{.cause = world.cause(), .instance = ids[0]}, finish(ids[1])});
    EXPECT_EQ(world.read(ids[0]).index, 1u);
}

TEST_P(FoldCases, AWaitThatAWriteBroughtIsMetInTheSameRound) {
    op::Write write{.cause = world.cause(), .instance = world.read(ids[0]), .expected = 1};
    write.instance.status = Status::suspended;
    write.instance.waits = {Waiting{.token = world.ids.next<TokenId>(), .wait = {.names = {"go"}}}};
    const auto results = together({write, send("go")});
    const auto& outcome = std::get<op::SendEvent::Outcome>(*results[1]);
    EXPECT_TRUE(std::holds_alternative<op::Delivered>(outcome));
}

// Its journal stays, so a winner at the index that it had would be the second one (I6).
TEST_P(FoldCases, AWriteOfAnOlderCopyDoesNotReturnToAnEarlierIndex) {
    op::Write write{.cause = world.cause(), .instance = world.read(ids[0])};
    world.run(send("go", ids[0]));
    world.run(suspend(ids[0], {.names = {"go"}}));
    ASSERT_EQ(world.read(ids[0]).index, 1u);
    write.expected = world.read(ids[0]).version;
    world.run(write);
    EXPECT_EQ(world.read(ids[0]).index, 1u);
    EXPECT_EQ(world.read(ids[0]).run, 1u);
}

TEST_P(FoldCases, AnEventThatBecameABroadcastIsKnownAsOne) {
    op::SendEvent event = send("go", ids[0]);
    event.on_target_ended = OnTargetEnded::broadcast;
    world.run(event);
    op::SendEvent again = event;
    again.cause = world.cause();
    again.target.reset();
    const auto results = together({finish(ids[0]), again});
    const auto& outcome = std::get<op::SendEvent::Outcome>(*results[1]);
    EXPECT_TRUE(std::holds_alternative<op::Queued>(outcome));
}

// The events that a later suspend reads are not enough for the resume, however often it runs.
TEST_P(FoldCases, AResumeReadsAsMuchAsItNeedsWhateverOthersRead) {
    world.run(op::Pause{.cause = world.cause(), .instance = ids[0]});
    world.run(suspend(ids[0], {.names = {"go"}}));
    for (int i = 0; i < 3; ++i) {
        op::SendEvent gone = send("go", ids[0]);
        gone.expire_after = std::chrono::microseconds(0);
        world.run(gone);
    }
    world.run(send("go", ids[0]));
    together({op::Resume{.cause = world.cause(), .instance = ids[0]},
              suspend(ids[0], {.names = {"go"}})});
    EXPECT_EQ(world.read(ids[0]).index, 1u);
}

TEST_P(FoldCases, AnInstanceMayBeginContinueAndBeClearedInOneRound) {
    const op::Start start{.cause = world.cause(), .definition = "orders"};
    const InstanceId id = start.instance();
    const auto results =
        together({start, op::ContinueAs{.cause = world.cause(), .instance = id, .run = {1, 0}},
                  op::Clear{.cause = world.cause(), .instance = id}});
    ASSERT_TRUE(results[2].has_value());
    const auto& outcome = std::get<op::Clear::Outcome>(*results[2]);
    EXPECT_EQ(std::get<op::Cleared>(outcome).version, 3u);
}

TEST_P(FoldCases, AClearForgetsTheSignalsThatItsInstanceProcessed) {
    op::EnqueueSignal signal{
        .cause = world.cause(),
        .signal = world.ids.next<SignalId>(),
        .instance = ids[0],
        .payload = document(R"({"event":")" + to_string(world.ids.next<EventId>()) +
                            R"(","name":"go","value":1})")};
    world.run(signal);
    for (const SignalRow& row :
         world.store->claim({.node = *world.self.node, .programs = {"orders"}})->signals)
        world.run(op::HandleSignal{.cause = world.cause(),
                                   .instance = row.instance,
                                   .signal = row.id,
                                   .lease = {*row.leased_by, row.epoch}});
    signal.cause = world.cause();
    EXPECT_TRUE(std::holds_alternative<op::SignalRepeated>(world.run(signal)));
    signal.cause = world.cause();
    signal.instance = ids[1];
    const Version version = world.read(ids[0]).version;
    const auto results = together(
        {op::Clear{.cause = world.cause(), .instance = ids[0], .expected = version}, signal});
    const auto& outcome = std::get<op::EnqueueSignal::Outcome>(*results[1]);
    EXPECT_TRUE(std::holds_alternative<op::Enqueued>(outcome));
}

INSTANTIATE_TEST_SUITE_P(Stores, FoldCases, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
