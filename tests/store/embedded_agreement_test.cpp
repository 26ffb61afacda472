// What one store did and another did not: fates without a receiver, due signals, locks of the dead.
#include "support/signal_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Agreement : public ::testing::TestWithParam<const char*> {
protected:
    Agreement() : world(GetParam()) {}

    void prune() {
        const auto lock = world.store->lock_host("retention", "a", 1h);
        const auto pruned = world.store->prune({.keep_for = 1h, .lock = **lock});
        ASSERT_TRUE(pruned.has_value()) << pruned.error().message;
        EXPECT_TRUE(pruned->lock_held);
    }
    // An event that was accepted and reached nobody.
    EventId discarded(std::chrono::microseconds ago) {
        const Event event = world.event("go");
        const Moment at = world.past(ago);
        world.round_with({event},
                         [&](View& view) { view.mail().end(event, EventFate::discarded, at); });
        return event.id;
    }
    bool is_known(const EventId& id) { return !world.store->ask(FindEvent{id})->empty(); }

    SignalWorld world;
};

TEST_P(Agreement, FatesOfEventsThatReachedNobodyAreDeletedWhenTheyAreOld) {
    const EventId old = discarded(48h);
    const EventId fresh = discarded(1h);
    const InstanceId open = world.running();
    const Event event = world.event("go", open);
    const Moment long_ago = world.past(48h);
    world.round_with({event}, [&](View& view) { view.mail().deliver(event, open, 1, long_ago); });
    prune();
    EXPECT_FALSE(is_known(old));
    EXPECT_TRUE(is_known(fresh));
    EXPECT_TRUE(is_known(event.id)) << "its receiver is open";
}

TEST_P(Agreement, DueSignalsMoveIntoTheQueueInBoundedBatches) {
    constexpr std::size_t all = 2'500;
    constexpr std::size_t batch = 1'000;
    const NodeId node = world.join();
    const Moment due = world.past(1min);
    ReadSet reads;
    std::vector<SignalId> ids;
    world.round(ReadSet{}, [&](View& view) {
        ids.clear();
        for (std::size_t i = 0; i < all; ++i) {
            const SignalRow row = world.signal(world.ids.next<InstanceId>(), due);
            ids.push_back(row.id);
            view.signals().schedule({row, due});
        }
    });
    for (const SignalId& id : ids) reads.signal(id);
    const auto scheduled = [&] {
        std::size_t left = 0;
        world.round(reads, [&](View& view) {
            left = 0;
            for (const SignalId& id : ids) left += view.signals().known(id).scheduled ? 1 : 0;
        });
        return left;
    };
    ASSERT_EQ(scheduled(), all);
    for (const std::size_t left : {all - batch, all - 2 * batch, std::size_t{0}}) {
        const auto claimed = world.store->claim({node, {}, 10});
        ASSERT_TRUE(claimed.has_value()) << claimed.error().message;
        EXPECT_EQ(claimed->signals.size(), 10u);
        EXPECT_TRUE(claimed->next && *claimed->next <= claimed->now) << "it claims again at once";
        EXPECT_EQ(scheduled(), left);
    }
}

INSTANTIATE_TEST_SUITE_P(Stores, Agreement, all_stores(), store_name);

// The process that held it is dead: the file has one process at a time.
TEST(SqliteHostLock, OfAnEarlierProcessIsFreeAfterAJoin) {
    SignalWorld world("sqlite");
    world.join();
    const HostLock dead = **world.store->lock_host("retention", "host-1", 1h);
    world.writer.reset();
    world.restart();
    world.join();
    const auto mine = world.store->lock_host("retention", "host-2", 1h);
    ASSERT_TRUE(mine.has_value() && mine->has_value());
    EXPECT_GT((*mine)->term, dead.term) << "the dead one's is void";
    EXPECT_FALSE(world.store->prune({.keep_for = 1h, .lock = dead})->lock_held);
    EXPECT_TRUE(world.store->prune({.keep_for = 1h, .lock = **mine})->lock_held);
}

}  // namespace
}  // namespace holdfast::testing
