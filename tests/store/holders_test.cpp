// Holders of leases besides nodes, and continuations whose program no holder has.
#include "support/signal_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Holders : public ::testing::TestWithParam<const char*> {
protected:
    Holders() : world(GetParam()), node(world.join("node")) {}

    NodeId join_worker(std::chrono::microseconds lease = 1h) {
        const auto id = world.ids.next<NodeId>();
        EXPECT_TRUE(
            world.store->join({id, "worker", lease, {"program"}, HolderKind::worker}).has_value());
        return id;
    }
    std::vector<SignalRow> claim(const NodeId& worker) {
        return world.store
            ->claim({.node = worker, .programs = {"program"}, .anyones = AnyonesSignals::left})
            ->signals;
    }
    std::vector<Stranded> stranded() { return world.store->ask(FindStranded{})->items; }

    SignalWorld world;
    NodeId node;
};

INSTANTIATE_TEST_SUITE_P(Stores, Holders, all_stores(), store_name);

TEST_P(Holders, AWorkerIsListedBesideItsNodeWithItsPrograms) {
    const NodeId worker = join_worker();
    const auto nodes = *world.store->ask(ListNodes{});
    ASSERT_EQ(nodes.size(), 2u);
    const auto found = std::ranges::find(nodes, worker, &NodeRow::id);
    ASSERT_NE(found, nodes.end());
    EXPECT_EQ(found->kind, HolderKind::worker);
    EXPECT_EQ(found->programs, std::vector<std::string>{"program"});
    const auto beat = *world.store->beat(node, 1h, {});
    EXPECT_TRUE(beat.alive);
    EXPECT_EQ(beat.others, 0u) << "a worker is no node";
}

TEST_P(Holders, AWorkerClaimsOnlyItsPrograms) {
    world.enqueued(world.running());
    const Instance instance = world.program();
    const NodeId worker = join_worker();
    const auto claimed = claim(worker);
    ASSERT_EQ(claimed.size(), 1u);
    EXPECT_EQ(claimed[0].instance, instance.id);
    EXPECT_TRUE(world.continuation(instance.id).lease_valid);
    EXPECT_EQ(world.claim(node).size(), 1u) << "the signal that needs no program is left";
}

TEST_P(Holders, WhatAWorkerHoldsIsFreeWhenItsLeaseRanOut) {
    const Instance instance = world.program();
    const NodeId first = join_worker();
    ASSERT_EQ(claim(first).size(), 1u);
    const NodeId second = join_worker();
    EXPECT_TRUE(claim(second).empty());
    ASSERT_TRUE(world.store->beat(first, 0us, {"program"}).has_value());  // it runs out now
    EXPECT_FALSE(world.store->beat(first, 1h, {"program"})->alive);
    EXPECT_FALSE(world.continuation(instance.id).lease_valid);
    const auto taken = claim(second);
    ASSERT_EQ(taken.size(), 1u);
    EXPECT_EQ(taken[0].epoch, 2u);
    EXPECT_EQ(taken[0].attempts, 2u);
    EXPECT_TRUE(claim(first).empty());
    EXPECT_TRUE(world.store->beat(second, 1h, {"program"})->alive);
}

TEST_P(Holders, AContinuationIsStrandedWhileNobodyHasItsProgram) {
    const Instance instance = world.program();
    const auto found = stranded();
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].instance, instance.id);
    EXPECT_EQ(found[0].program, "program");
    EXPECT_FALSE(found[0].incident);
    world.change(instance.id, [](View&, Instance& row) { row.incident = true; });
    EXPECT_TRUE(stranded().at(0).incident);
    const NodeId worker = join_worker();
    EXPECT_TRUE(stranded().empty());
    ASSERT_TRUE(world.store->leave(worker).has_value());
    EXPECT_EQ(stranded().size(), 1u);
    world.suspend(instance.id);
    EXPECT_TRUE(stranded().empty());
}

TEST_P(Holders, StrandedContinuationsComeInPages) {
    std::set<InstanceId> expected;
    for (int i = 0; i < 5; ++i) expected.insert(world.program().id);
    FindStranded query{.look_at = 2};
    std::set<InstanceId> seen;
    for (int pages = 0; pages < 4; ++pages) {
        const auto page = *world.store->ask(query);
        for (const Stranded& one : page.items) EXPECT_TRUE(seen.insert(one.instance).second);
        query.after = page.next;
        if (!query.after) break;
    }
    EXPECT_EQ(seen, expected);
    EXPECT_FALSE(query.after);
}

}  // namespace
}  // namespace holdfast::testing
