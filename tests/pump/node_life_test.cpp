// Lives of a node: when one ends, its leases are lost and the next one begins (I29, I30).
#include "pump/nodes/node_life.h"

#include "support/forwarding_store.h"
#include "support/manual_clock.h"
#include "support/pump_world.h"

namespace holdfast::testing {
namespace {

using std::chrono::seconds;

// Cannot be reached while is_down.
class FlakyStore final : public ForwardingStore {
public:
    using ForwardingStore::ForwardingStore;
    Result<Beat> beat(const NodeId& node, std::chrono::microseconds lease,
                      const std::vector<std::string>& programs) override {
        if (is_down) return fail(ErrorCode::unavailable, "down");
        return inner_.beat(node, lease, programs);
    }
    Result<void> join(const Joining& joining) override {
        if (is_down) return fail(ErrorCode::unavailable, "down");
        return inner_.join(joining);
    }
    Result<void> leave(const NodeId& node) override {
        if (is_down) return fail(ErrorCode::unavailable, "down");
        return inner_.leave(node);
    }
    bool is_down = false;
};

class Lives : public ::testing::Test {
protected:
    Lives()
        : ids(clock, 1),
          metrics(registry),
          memory(*open_store("memory:", {.clock = &clock})),
          store(*memory),
          life(make("one")) {
        EXPECT_TRUE(life->join());
    }
    std::unique_ptr<NodeLife> make(const std::string& name) {
        return std::make_unique<NodeLife>(
            store, ids, metrics,
            NodeLife::Options{
                .name = name, .lease = seconds(9), .steady = [this] { return clock.steady(); }},
            [this](const NodeId& over) { ended.push_back(over); });
    }

    ManualClock clock;
    IdSource ids;
    prometheus::Registry registry;
    PumpMetrics metrics;
    std::unique_ptr<Store> memory;
    FlakyStore store;
    std::vector<NodeId> ended;
    std::unique_ptr<NodeLife> life;
};

TEST_F(Lives, GoOnAsLongAsTheyBeat) {
    const auto id = life->id();
    for (int i = 0; i < 10; ++i) {
        clock.pass(seconds(3));
        ASSERT_TRUE(life->beat());
    }
    EXPECT_EQ(life->id(), id);
    EXPECT_TRUE(ended.empty());
}

TEST_F(Lives, CountTheOtherNodes) {
    EXPECT_EQ(life->beat()->others, 0U);
    const auto other = make("two");
    ASSERT_TRUE(other->join());
    EXPECT_EQ(life->beat()->others, 1U);
    ASSERT_TRUE(other->leave());
    EXPECT_EQ(life->beat()->others, 0U);
}

TEST_F(Lives, EndWhenTheStoreReportsThatTheLeaseExpired) {
    const auto id = *life->id();
    clock.pass(seconds(10));
    const auto beat = life->beat();
    ASSERT_TRUE(beat);
    EXPECT_FALSE(beat->alive);
    EXPECT_EQ(ended, std::vector{id});
    ASSERT_TRUE(life->id());
    EXPECT_NE(*life->id(), id);
    EXPECT_EQ(store.ask(ListNodes{})->size(), 1U);
}

TEST_F(Lives, OutlastAShortOutage) {
    const auto id = life->id();
    store.is_down = true;
    clock.pass(seconds(5));
    EXPECT_FALSE(life->beat());
    store.is_down = false;
    EXPECT_TRUE(life->beat());
    EXPECT_EQ(life->id(), id);
}

TEST_F(Lives, EndByThemselvesWhenNoBeatSucceedsForTheTimeOfTheLease) {
    const auto id = *life->id();
    store.is_down = true;
    clock.pass(seconds(9));
    EXPECT_FALSE(life->beat());
    EXPECT_EQ(ended, std::vector{id});
    EXPECT_FALSE(life->id()) << "no life begins while the store is down";
    EXPECT_FALSE(life->beat());
    store.is_down = false;
    EXPECT_TRUE(life->beat());
    EXPECT_TRUE(life->id());
    EXPECT_EQ(store.ask(ListNodes{})->size(), 1U)
        << "the abandoned life was removed from the store";
}

TEST_F(Lives, LeaveWithoutCallingEnded) {
    ASSERT_TRUE(life->leave());
    EXPECT_FALSE(life->id());
    EXPECT_TRUE(ended.empty());
    EXPECT_TRUE(store.ask(ListNodes{})->empty());
}

}  // namespace
}  // namespace holdfast::testing
