// A value that no column of its kind can have is corrupt on every store, never something else
// (I17).
#include <future>

#include "support/signal_world.h"

namespace holdfast::testing {
namespace {

template <class Answer>
void expect_corrupt(const Result<Answer>& answer) {
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::corrupt) << answer.error().message;
    EXPECT_TRUE(answer.error().message.contains("unknown")) << answer.error().message;
}

class UnknownValue : public ::testing::TestWithParam<const char*> {
protected:
    UnknownValue() : world(GetParam()) {
        world.define("orders");
        instance = world.start("orders", "{}");
    }
    TaskId make_task() {
        const op::CreateTask create{.cause = world.cause(),
                                    .instance = instance.id,
                                    .run = {.run = 1, .index = 0},
                                    .step_name = "check",
                                    .spec = {.name = "check"}};
        EXPECT_TRUE(std::holds_alternative<op::TaskCreated>(world.run(create)));
        return op::task_of(create.cause.operation);
    }
    op::ClaimTask claim(const TaskId& task) {
        return {.cause = world.cause("ada"), .instance = instance.id, .task = task};
    }
    void expect_next_start_works() {
        EXPECT_NO_THROW(world.start("orders", "{}")) << "others are not concerned";
    }

    World world;
    Instance instance;
};

INSTANTIATE_TEST_SUITE_P(Stores, UnknownValue, ::testing::Values("sqlite", "postgres"), store_name);

TEST_P(UnknownValue, OfAStatusQuarantinesTheInstance) {
    world.tamper("update instances set status = 'dreaming'");
    const auto found = *world.store->ask(FindInstance{instance.id, Depth::document});
    ASSERT_TRUE(found.has_value());
    EXPECT_TRUE(found->corrupt);
    EXPECT_FALSE(is_open(found->instance.status));
    const auto outcome = world.run(op::Cancel{.cause = world.cause(), .instance = instance.id});
    EXPECT_TRUE(std::holds_alternative<op::Quarantined>(outcome));
    expect_next_start_works();
}

TEST_P(UnknownValue, OfAHistoryTypeFailsTheRead) {
    world.tamper("update history set type = 'Dreamt'");
    expect_corrupt(world.store->ask(HistoryQuery{instance.id, 1, 10}));
}

TEST_P(UnknownValue, OfAResolutionFailsTheRead) {
    world.run(op::EditState{.cause = world.cause(),
                            .instance = instance.id,
                            .expected = 7,
                            .edit = op::Replace{.state = document("{}")}});
    world.tamper("update conflicts set resolution = 'tossed'");
    expect_corrupt(world.store->ask(ConflictQuery{}));
}

TEST_P(UnknownValue, OfOneReadLeavesLaterReadsFresh) {
    world.run(op::EditState{.cause = world.cause(),
                            .instance = instance.id,
                            .expected = 7,
                            .edit = op::Replace{.state = document("{}")}});
    world.tamper("update conflicts set resolution = 'tossed'");
    for (int i = 0; i < 16; ++i) expect_corrupt(world.store->ask(ConflictQuery{}));
    ASSERT_TRUE(world.store->append_audit({.rows = {{.action = "a", .target = "/"}}}));
    for (int i = 0; i < 16; ++i)  // whichever connection it gets
        EXPECT_EQ(world.store->ask(AuditQuery{})->items.size(), 1u);
}

TEST_P(UnknownValue, OfATaskFailsWhatReadsIt) {
    const TaskId task = make_task();
    world.tamper("update tasks set state = 'dreaming'; update task_events set type = 'dreamt'");
    expect_corrupt(world.store->ask(FindTask{task}));
    expect_corrupt(world.store->ask(TaskQuery{}));
    expect_corrupt(world.store->ask(TaskEventQuery{.task = task}));
    expect_corrupt(world.coordinator->submit(claim(task)).get());
    expect_next_start_works();
}

TEST_P(UnknownValue, OfAnEventFailsWhatReadsIt) {
    const op::SendEvent send{.cause = world.cause(),
                             .event = world.ids.next<EventId>(),
                             .event_name = "paid",
                             .target = instance.id};
    world.run(send);
    world.tamper("update pending_events set on_target_ended = 'dreaming'");
    expect_corrupt(world.store->ask(FindEvent{send.event}));
    expect_corrupt(world.store->ask(PendingEventQuery{}));
}

class UnknownSignal : public ::testing::TestWithParam<const char*> {
protected:
    UnknownSignal() : world(GetParam()) {}

    void tamper(const std::string& sql) {
        world.writer.reset();
        world.tamper(sql);
        world.writer = *world.store->open_writer();
    }
    Result<op::HandleSignal::Outcome> handle(const SignalRow& row, const NodeId& node) {
        return world.coordinator
            ->submit(op::HandleSignal{.cause = world.cause(),
                                      .instance = row.instance,
                                      .signal = row.id,
                                      .lease = {node, 1}})
            .get();
    }

    SignalWorld world;
};

INSTANTIATE_TEST_SUITE_P(Stores, UnknownSignal, ::testing::Values("sqlite", "postgres"),
                         store_name);

// It keeps its place and its lease, so that it is neither guessed nor found again and again.
TEST_P(UnknownSignal, OfATypeIsLeasedButNotHandedOut) {
    const SignalRow rotten = world.enqueued(world.running());
    tamper("update signal_queue set type = 'Dreamt'");
    world.enqueued(rotten.instance);
    const SignalRow sound = world.enqueued(world.running());
    const NodeId node = world.join();
    const auto claimed = *world.store->claim({node, {}, 64});
    ASSERT_EQ(claimed.signals.size(), 1u);
    EXPECT_EQ(claimed.signals[0].id, sound.id);
    EXPECT_EQ(claimed.corrupt, std::vector{rotten.id});
    const auto again = *world.store->claim({node, {}, 64});
    EXPECT_TRUE(again.signals.empty());
    EXPECT_TRUE(again.corrupt.empty());
    expect_corrupt(handle(rotten, node));
}

TEST_P(UnknownSignal, OfAScheduledTypeFailsWhatReadsIt) {
    const SignalRow row = world.signal(world.running(), world.past(std::chrono::hours(0)));
    world.round(ReadSet{}, [&](View& view) {
        view.signals().schedule({.signal = row, .due_at = row.visible_at + std::chrono::hours(1)});
    });
    tamper("update schedule_queue set type = 'Dreamt'");
    expect_corrupt(handle(row, world.join()));
}

TEST_P(UnknownSignal, OfADeadLetterFailsTheRead) {
    const SignalRow row = world.enqueued(world.running());
    world.bury(row);
    for (const char* column : {"reason", "type"}) {
        tamper("update dead_letters set " + std::string(column) + " = 'bored'");
        expect_corrupt(world.store->ask(FindDeadLetter{row.id}));
        expect_corrupt(world.store->ask(DeadLetterQuery{}));
        tamper("update dead_letters set reason = 'undecodable'");
    }
}

TEST_P(UnknownSignal, OfAKindOfHolderFailsTheListAndNothingElse) {
    world.join("old");
    tamper("update nodes set kind = 'dragon'");
    expect_corrupt(world.store->ask(ListNodes{}));
    const SignalRow sound = world.enqueued(world.running());
    const auto worker = world.ids.next<NodeId>();
    const std::chrono::hours hour(1);
    ASSERT_TRUE(world.store->join({worker, "new", hour, {}, HolderKind::worker}));
    EXPECT_TRUE(world.store->beat(worker, hour, {})->alive);
    ASSERT_EQ(world.claim(worker).size(), 1u);
    EXPECT_TRUE(world.known(sound.id).lease_valid);
}

// Operations of one round share its reads: only those that read the corrupt row fail.
TEST_P(UnknownValue, FailsNoOtherOperationOfItsRound) {
    const TaskId task = make_task();
    const Instance other = world.start("orders", "{}");
    world.tamper("update tasks set state = 'dreaming'");
    std::promise<Result<op::ClaimTask::Outcome>> claimed;
    std::promise<Result<op::EditState::Outcome>> edited;
    Shard::Group group;
    group.push_back(std::make_unique<QueuedOperationOf<op::ClaimTask>>(
        claim(task), [&](auto outcome) { claimed.set_value(std::move(outcome)); }));
    group.push_back(std::make_unique<QueuedOperationOf<op::EditState>>(
        op::EditState{.cause = world.cause(),
                      .instance = other.id,
                      .edit = op::Replace{.state = document(R"({"a": 1})")}},
        [&](auto outcome) { edited.set_value(std::move(outcome)); }));
    world.coordinator->submit_batch(std::move(group));
    const auto edit = edited.get_future().get();
    EXPECT_TRUE(edit && std::holds_alternative<op::Edited>(*edit));
    expect_corrupt(claimed.get_future().get());
    EXPECT_FALSE(world.coordinator->write_failure()) << "the store works";
}

}  // namespace
}  // namespace holdfast::testing
