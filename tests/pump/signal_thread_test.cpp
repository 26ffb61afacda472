// The thread that claims signals and passes them to handlers (004.3 to 004.7, 004.11).
#include <latch>

#include "store/postgres/connection/connection.h"
#include "support/pump_world.h"

namespace holdfast::testing {
namespace {

using std::chrono::milliseconds;

class Signals : public ::testing::TestWithParam<const char*> {
protected:
    Signals() : world(GetParam()) {
        define_flow(world, "orders");
        world.define("letters");
        settings.retry_pause = milliseconds(1);
        settings.lease = std::chrono::hours(1);  // there is no heartbeat here
    }

    Instance await_end(const InstanceId& id) {
        return node->observer.sees(id, [](const Instance& it) { return !is_open(it.status); });
    }
    void open_node() {
        node = std::make_unique<PumpNode>(world, programs, settings);
        opened.count_down();
    }
    // Ends each instance that it is called for.
    TestHandler::Plan finishing() {
        return [this](const Work& work, SignalHandler::Done& done) {
            opened.wait();  // it may be called before `node` is set
            auto kept = std::make_shared<SignalHandler::Done>(std::move(done));
            node->coordinator->submit(finish_of(world, work), [kept](const auto&) { (*kept)({}); });
        };
    }
    InstanceId sleeping_letter() {
        const InstanceId id = world.start("letters", "{}").id;
        world.run(op::Suspend{.cause = world.cause(),
                              .instance = id,
                              .run = {1, 0, {}},
                              .wait = {.names = {"reply"}}});
        return id;
    }
    op::EnqueueSignal reply_to(const InstanceId& id) {
        const std::string event = to_string(world.ids.next<EventId>());
        return {.cause = world.cause(),
                .signal = world.ids.next<SignalId>(),
                .instance = id,
                .payload =
                    document("{\"event\": \"" + event + "\", \"name\": \"reply\", \"value\": 7}")};
    }

    World world;
    PumpSettings settings;
    Programs programs;
    std::unique_ptr<PumpNode> node;
    std::latch opened{1};
};

TEST_P(Signals, OfANodesOwnReachItsHandlerWithoutAnyClaim) {
    TestHandler handler(finishing());
    programs.add("orders", handler);
    open_node();
    node->looked(1);
    const double claims = node->pump_metrics.claims.Value();
    const auto started = std::get<op::Started>(node->run(start_of(world, "orders")));
    const Work work = handler.seen(1)[0];
    EXPECT_FALSE(work.signal);
    EXPECT_EQ(work.attempts, 1U);
    EXPECT_EQ(await_end(started.instance.id).status, Status::succeeded);
    EXPECT_EQ(node->pump_metrics.claims.Value(), claims);
    node.reset();
}

TEST_P(Signals, ThatAreFreeAreClaimedHandledAndGone) {
    TestHandler handler(finishing());
    programs.add("orders", handler);
    const auto started = std::get<op::Started>(world.run(start_of(world, "orders")));
    open_node();
    const Work work = handler.seen(1)[0];
    ASSERT_TRUE(work.signal);
    EXPECT_EQ(work.signal->program, "orders");
    ASSERT_TRUE(work.instance_row);
    EXPECT_EQ(work.instance_row->id, started.instance.id);
    await_end(started.instance.id);
    const auto left = world.store->claim({.node = *node->life.id(), .programs = {"orders"}});
    ASSERT_TRUE(left);
    EXPECT_TRUE(left->signals.empty());
    EXPECT_FALSE(left->next);
    node.reset();
}

TEST_P(Signals, ThatEndAWaitNeedNoHandler) {
    open_node();
    const InstanceId id = sleeping_letter();
    node->run(reply_to(id));
    EXPECT_EQ(
        node->observer.sees(id, [](const Instance& it) { return it.status == Status::running; })
            .index,
        1U);
    node.reset();
}

TEST_P(Signals, OfAWaitAreHandledWhileAllHandlersAreBusy) {
    TestHandler handler;
    programs.add("orders", handler);
    settings.max_concurrent_handlers = 1;
    settings.consumers = 1;
    open_node();
    node->run(start_of(world, "orders"));
    handler.seen(1);
    const InstanceId id = sleeping_letter();
    node->run(reply_to(id));
    node->observer.sees(id, [](const Instance& it) { return it.status == Status::running; });
    handler.release();
    node.reset();
}

TEST_P(Signals, ThatAHandlerFailsOnAreRetriedAndThenBecomeDeadLetters) {
    settings.max_poison_retries = 3;
    TestHandler handler(
        [](const Work&, SignalHandler::Done& done) { done(fail(ErrorCode::internal, "cannot")); });
    programs.add("orders", handler);
    open_node();
    const auto started = std::get<op::Started>(node->run(start_of(world, "orders")));
    const auto seen = handler.seen(3);
    node->observer.sees(started.instance.id, [](const Instance& it) { return it.incident; });
    ASSERT_EQ(handler.seen(3).size(), 3U);
    for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(seen[i].attempts, i + 1);
    const auto letter = *world.store->ask(FindDeadLetter{seen[0].id});
    ASSERT_TRUE(letter);
    EXPECT_EQ(letter->reason, DeadLetterReason::too_many_attempts);
    node.reset();
}

TEST_P(Signals, AreHeldWhereThePolicySaysSo) {
    settings.max_poison_retries = 1;
    settings.dead_letter_policy = DeadLetterPolicy::hold;
    TestHandler handler(
        [](const Work&, SignalHandler::Done& done) { done(fail(ErrorCode::internal, "cannot")); });
    programs.add("orders", handler);
    open_node();
    const auto started = std::get<op::Started>(node->run(start_of(world, "orders")));
    const auto seen = handler.seen(1);
    node->observer.sees(started.instance.id, [](const Instance& it) { return it.incident; });
    EXPECT_TRUE(*world.store->ask(FindDeadLetter{seen[0].id}));
    EXPECT_EQ(handler.seen(1).size(), 1U);
    node.reset();
}

TEST_P(Signals, AreHandledUpToTheLimitAtOnce) {
    settings.max_concurrent_handlers = 3;
    TestHandler handler;
    programs.add("orders", handler);
    for (int i = 0; i < 10; ++i) world.run(start_of(world, "orders"));
    open_node();
    for (std::size_t i = 1; i <= 10; ++i) {
        handler.seen(i);
        handler.release();
    }
    EXPECT_LE(handler.most_receivers(), 3U);
    node.reset();
}

// The other handlers may take hours: one free one is enough.
TEST_P(Signals, AreClaimedAsSoonAsOneHandlerIsFree) {
    settings.max_concurrent_handlers = 8;
    TestHandler handler;
    programs.add("orders", handler);
    for (int i = 0; i < 9; ++i) world.run(start_of(world, "orders"));
    open_node();
    handler.seen(8);
    handler.release();
    handler.seen(9);
    for (int i = 0; i < 8; ++i) handler.release();
    node.reset();
}

TEST_P(Signals, AreNotLookedForWhileNothingHappens) {
    open_node();
    node->looked(1);
    const std::size_t looks = node->signals.looks();
    for (int i = 0; i < 20; ++i) sleeping_letter();  // commits of others that queue no signals
    node->run(start_of(world, "letters"));
    EXPECT_EQ(node->signals.looks(), looks);
    node.reset();
}

TEST_P(Signals, OfALifeThatEndsAreDroppedAndClaimedByTheNext) {
    TestHandler handler;
    programs.add("orders", handler);
    open_node();
    const auto started = std::get<op::Started>(node->run(start_of(world, "orders")));
    const Work old = handler.seen(1)[0];
    node->life.end();
    EXPECT_EQ(handler.dropped(), std::vector{old.lease.node});
    handler.release(fail(ErrorCode::conflict, "dropped"));
    const Work next = handler.seen(2)[1];
    EXPECT_NE(next.lease.node, old.lease.node);
    EXPECT_EQ(next.attempts, 1U);
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(node->run(finish_of(world, old))));
    EXPECT_TRUE(std::holds_alternative<op::Finished>(node->run(finish_of(world, next))));
    handler.release();
    node.reset();
}

TEST_P(Signals, OfANodeThatLeavesAreTakenOverByAnother) {
    TestHandler first;
    Programs mine;
    mine.add("orders", first);
    auto leaving = std::make_unique<PumpNode>(world, mine, settings);
    leaving->run(start_of(world, "orders"));
    const Work old = first.seen(1)[0];
    first.release();  // it stops halfway
    leaving.reset();
    TestHandler second(finishing());
    programs.add("orders", second);
    open_node();
    EXPECT_EQ(second.seen(1)[0].id, old.id);
    EXPECT_EQ(await_end(old.instance).status, Status::succeeded);
    node.reset();
}

// A heartbeat that finds them due does not postpone the look: no node announces the unlock.
TEST(SignalsOnPostgres, ThatAreLockedAreLookedForAgain) {
    World world("postgres");
    define_flow(world, "orders");
    world.run(start_of(world, "orders"));
    auto other = *postgres::Connection::open({world.place.url(), std::chrono::seconds(30)},
                                             postgres::Role::maintenance);
    ASSERT_TRUE(other->script("begin; select from signal_queue for update"));
    TestHandler handler;
    Programs programs;
    programs.add("orders", handler);
    PumpNode node(world, programs, {.lease = std::chrono::hours(1)});
    node.looked(1);
    node.signals.expect_beat();
    const auto beat = node.life.beat();
    ASSERT_TRUE(beat && beat->claimable_at);
    EXPECT_LE(*beat->claimable_at, beat->now);
    node.signals.apply_beat(*beat);
    ASSERT_TRUE(other->script("rollback"));
    handler.seen(1);
    handler.release();
}

INSTANTIATE_TEST_SUITE_P(Stores, Signals, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
