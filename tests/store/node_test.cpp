// Nodes, leases, host locks and marks on every store (004.3, 004.11, I28, I31).
#include "support/signal_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Nodes : public ::testing::TestWithParam<const char*> {
protected:
    Nodes() : world(GetParam()) {}

    SignalWorld world;
};

// Stores that several nodes share.
class SharedNodes : public Nodes {};

TEST_P(Nodes, ANodeIsListedFromJoinToLeave) {
    EXPECT_TRUE(world.store->ask(ListNodes{})->empty());
    const NodeId node = world.join("berlin");
    const auto nodes = *world.store->ask(ListNodes{});
    ASSERT_EQ(nodes.size(), 1u);
    EXPECT_EQ(nodes[0].id, node);
    EXPECT_EQ(nodes[0].name, "berlin");
    EXPECT_GT(nodes[0].lease_until, *world.store->ask(FindTime{}));
    ASSERT_TRUE(world.store->leave(node).has_value());
    EXPECT_TRUE(world.store->ask(ListNodes{})->empty());
}

TEST_P(Nodes, ANodeIsFoundById) {
    const NodeId node = world.join("berlin");
    const auto found = *world.store->ask(FindNode{node});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->id, node);
    EXPECT_EQ(found->name, "berlin");
    EXPECT_FALSE(*world.store->ask(FindNode{world.ids.next<NodeId>()}));
    ASSERT_TRUE(world.store->leave(node).has_value());
    EXPECT_FALSE(*world.store->ask(FindNode{node}));
}

TEST_P(Nodes, ABeatReturnsWhenWorkIsDue) {
    const NodeId node = world.join();
    const auto beat = [&](std::vector<std::string> programs = {}) {
        const auto result = world.store->beat(node, 1h, programs);
        EXPECT_TRUE(result) << result.error().message;
        return *result;
    };
    EXPECT_TRUE(beat().alive);
    EXPECT_FALSE(beat().claimable_at);
    EXPECT_FALSE(beat().due_at);
    EXPECT_EQ(beat().others, 0u);
    const Moment due = world.past(-1h);
    world.suspended({.until = due});
    EXPECT_EQ(beat().due_at, due);
    SignalRow row = world.signal(world.running(), world.past(1min));
    row.program = "program";
    world.enqueued(row);
    EXPECT_FALSE(beat().claimable_at);
    ASSERT_TRUE(beat({"program"}).claimable_at);
    EXPECT_LE(*beat({"program"}).claimable_at, beat().now);
    ASSERT_EQ(world.claim(node, {"program"}).size(), 1u);
    EXPECT_FALSE(beat({"program"}).claimable_at);
}

TEST_P(Nodes, ANodeThatLeftOrNeverJoinedIsNotAlive) {
    const NodeId node = world.join();
    ASSERT_TRUE(world.store->leave(node).has_value());
    EXPECT_FALSE(world.store->beat(node, 1h, {})->alive);
    EXPECT_FALSE(world.store->beat(world.ids.next<NodeId>(), 1h, {})->alive);
}

TEST_P(Nodes, AHostLockHasOneOwnerAtATimeAndATermForEach) {
    const auto first = *world.store->lock_host("retention", "a", 1h);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->term, 1u);
    EXPECT_EQ(first->owner, "a");
    EXPECT_FALSE(*world.store->lock_host("retention", "b", 1h));
    EXPECT_EQ((*world.store->lock_host("retention", "a", 0s))->term, 1u);  // renewed, then expired
    const auto second = *world.store->lock_host("retention", "b", 1h);
    ASSERT_TRUE(second);
    EXPECT_EQ(second->term, 2u);
    EXPECT_EQ((*world.store->lock_host("sweep", "a", 1h))->term, 1u);
    const auto locks = *world.store->ask(ListHostLocks{});
    ASSERT_EQ(locks.size(), 2u);
    EXPECT_EQ(locks[0], *second);
}

TEST_P(Nodes, AMarkKeepsTheLastMomentThatWasSet) {
    EXPECT_FALSE(*world.store->ask(FindMark{"retention"}));
    const Moment now = *world.store->ask(FindTime{});
    ASSERT_TRUE(world.store->set_mark("retention", now - 1h).has_value());
    ASSERT_TRUE(world.store->set_mark("retention", now).has_value());
    EXPECT_EQ(*world.store->ask(FindMark{"retention"}), now);
    EXPECT_FALSE(*world.store->ask(FindMark{"other"}));
}

TEST_P(Nodes, TheJournalIsReadFromAnIndexOn) {
    const InstanceId id = world.running();
    world.round(id, [&](View& view) {
        for (std::uint64_t index = 0; index < 5; ++index)
            view.record(Step{.instance = id,
                             .index = index,
                             .name = "step",
                             .value = document(std::to_string(index)),
                             .at = view.now()});
        view.record(Winner{.instance = id, .index = 3, .name = "paid"});
    });
    const auto all = *world.store->journal_from(id, 0, 100);
    ASSERT_EQ(all.size(), 5u);
    EXPECT_EQ(all[4].step.value.text(), "4");
    EXPECT_FALSE(all[2].winner);
    ASSERT_TRUE(all[3].winner);
    EXPECT_EQ(all[3].winner->name, "paid");
    const auto some = *world.store->journal_from(id, 2, 2);
    ASSERT_EQ(some.size(), 2u);
    EXPECT_EQ(some[0].step.index, 2u);
    EXPECT_TRUE(world.store->journal_from(world.running(), 0, 10)->empty());
}

TEST_P(SharedNodes, LeasesOfANodeAreFreeAfterItsLeaseExpired) {
    const NodeId a = world.join("a");
    const NodeId b = world.join("b");
    EXPECT_EQ(world.store->ask(ListNodes{})->size(), 2u);
    const SignalRow row = world.enqueued(world.running());
    const Instance instance = world.program({.node = a, .programs = {"program"}});
    ASSERT_EQ(world.claim(a).size(), 1u);
    EXPECT_TRUE(world.claim(b, {"program"}).empty());
    const auto beat = *world.store->beat(b, 1h, {"program"});
    EXPECT_EQ(beat.others, 1u);
    ASSERT_TRUE(beat.claimable_at);
    EXPECT_GT(*beat.claimable_at, beat.now);  // when the other node's lease expires
    world.expire_lease(a);
    EXPECT_FALSE(world.store->beat(a, 1h, {})->alive);
    EXPECT_FALSE(world.continuation(instance.id).lease_valid);
    EXPECT_TRUE(world.claim(a, {"program"}).empty());
    const auto claimed = world.claim(b, {"program"});
    ASSERT_EQ(claimed.size(), 2u);
    EXPECT_EQ(claimed[0].id, row.id);
    for (const SignalRow& taken : claimed) {
        EXPECT_EQ(taken.leased_by, b);
        EXPECT_EQ(taken.epoch, 2u);
        EXPECT_EQ(taken.attempts, 2u);
    }
    ASSERT_TRUE(world.store->give_back(row.id, {a, 1}, 0us).has_value());
    EXPECT_EQ(world.known(row.id).queued->leased_by, b);
}

// An embedded store has one process: a node that joins is the only one.
TEST(EmbeddedNodes, ANewLifeFreesTheLeasesOfTheOldOne) {
    SignalWorld world("sqlite");
    const NodeId a = world.join("a");
    const SignalRow row = world.enqueued(world.running());
    const Instance instance = world.program({.node = a, .programs = {"program"}});
    ASSERT_EQ(world.claim(a).size(), 1u);
    const NodeId b = world.join("a");
    EXPECT_FALSE(world.store->beat(a, 1h, {})->alive);
    EXPECT_FALSE(world.continuation(instance.id).lease_valid);
    EXPECT_EQ(world.store->ask(ListNodes{})->size(), 1u);
    EXPECT_TRUE(world.claim(a, {"program"}).empty());
    EXPECT_EQ(world.claim(b, {"program"}).size(), 2u);
    EXPECT_EQ(world.known(row.id).queued->epoch, 2u);
}

TEST(EmbeddedNodes, ListenReturnsAtOnce) {
    for (const char* kind : {"memory", "sqlite"}) {
        SignalWorld world(kind);
        int listening = 0;
        EXPECT_TRUE(world.store->announce({.signals = true}).has_value());
        EXPECT_TRUE(
            world.store->listen([&] { ++listening; }, [](const Announcement&) {}, {}).has_value());
        EXPECT_EQ(listening, 1);
    }
}

INSTANTIATE_TEST_SUITE_P(Stores, Nodes, all_stores(), store_name);
INSTANTIATE_TEST_SUITE_P(Stores, SharedNodes, ::testing::Values("memory", "postgres"), store_name);

}  // namespace
}  // namespace holdfast::testing
