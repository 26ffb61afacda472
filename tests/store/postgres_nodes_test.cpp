// Nodes that share a PostgreSQL server: leases, claims, announcements, locks.
#include "support/postgres_nodes.h"

#include <future>
#include <set>
#include <thread>

#include "support/eventually.h"

namespace holdfast::postgres {
namespace {

TEST_F(PostgresNodes, AClaimLeasesAndCountsTheAttempt) {
    const NodeId node = joined(*store_);
    SignalRow row = enqueued(signal());
    const auto claimed = claim(*store_, node);
    row.leased_by = node;
    row.epoch = row.attempts = 1;
    EXPECT_EQ(claimed, std::vector{row});
    EXPECT_TRUE(claim(*other_, joined(*other_)).empty());
}

TEST_F(PostgresNodes, ADeadNodeLosesItsLeasesToAnother) {
    const NodeId dead = joined(*store_);
    enqueued(signal());
    ASSERT_EQ(claim(*store_, dead).size(), 1u);
    const NodeId other = joined(*other_);
    ASSERT_TRUE(claim(*other_, other).empty());
    expire(dead);

    const auto taken = claim(*other_, other);

    ASSERT_EQ(taken.size(), 1u);
    EXPECT_EQ(taken[0].leased_by, other);
    EXPECT_EQ(taken[0].epoch, 2u);
    EXPECT_EQ(taken[0].attempts, 2u);
    ASSERT_TRUE(store_->give_back(taken[0].id, {dead, 1}, 0s));
    EXPECT_EQ(count("signal_queue where leased_by is not null"), 1u) << "an older epoch is void";
    ASSERT_TRUE(other_->give_back(taken[0].id, {other, 2}, 1h));
    EXPECT_TRUE(claim(*other_, other).empty()) << "not before the end of the pause";
}

TEST_F(PostgresNodes, ABeatOfAnEndedLifeIsNotAlive) {
    const NodeId node = joined(*store_);
    const NodeId other = joined(*other_);
    auto beat = store_->beat(node, 1h, {});
    ASSERT_TRUE(beat) << beat.error().message;
    EXPECT_TRUE(beat->alive);
    EXPECT_EQ(beat->others, 1u);
    EXPECT_FALSE(beat->claimable_at);
    EXPECT_FALSE(beat->due_at);
    expire(node);
    EXPECT_FALSE(store_->beat(node, 1h, {})->alive);
    EXPECT_EQ(other_->beat(other, 1h, {})->others, 0u);
    EXPECT_FALSE(store_->beat(ids_.next<NodeId>(), 1h, {})->alive) << "it never joined";
}

TEST_F(PostgresNodes, ABeatReturnsWhenASignalIsClaimable) {
    const NodeId node = joined(*store_);
    const NodeId other = joined(*other_);
    SignalRow row = signal();
    row.program = "theirs";
    enqueued(row);
    EXPECT_FALSE(store_->beat(node, 1h, {"mine"})->claimable_at);
    EXPECT_EQ(other_->beat(other, 1h, {"theirs"})->claimable_at, row.visible_at);
    ASSERT_EQ(claim(*other_, other, {"theirs"}).size(), 1u);
    const auto held = store_->beat(node, 1h, {"mine", "theirs"});
    const auto nodes = *store_->ask(ListNodes{});
    ASSERT_EQ(nodes.size(), 2u);
    EXPECT_EQ(held->claimable_at, nodes[1].lease_until) << "when the lease of its node expires";
    EXPECT_FALSE(other_->beat(other, 1h, {"theirs"})->claimable_at) << "it already holds this one";
    ASSERT_TRUE(other_->leave(other));
    EXPECT_EQ(store_->ask(ListNodes{})->size(), 1u);
    EXPECT_EQ(claim(*store_, node, {"theirs"}).size(), 1u) << "leave frees its leases at once";
}

TEST_F(PostgresNodes, AClaimSkipsASignalThatARoundHasLocked) {
    const NodeId node = joined(*other_);
    const SignalRow held = enqueued(signal());
    const SignalRow free = enqueued(signal());
    ReadSet reads;
    reads.signal(held.id);
    round(reads, [&](View& view) {
        const auto claimed = claim(*other_, node);
        ASSERT_EQ(claimed.size(), 1u);
        EXPECT_EQ(claimed[0].id, free.id);
        view.signals().consume(*view.signals().known(held.id).queued, view.now());
    });
    EXPECT_TRUE(claim(*other_, node).empty());
    round(reads, [&](View& view) { EXPECT_TRUE(view.signals().known(held.id).processed); });
}

TEST_F(PostgresNodes, TwoThatClaimAtOnceGetEverySignalOnce) {
    constexpr std::size_t signals = 1'000;
    round({}, [&](View& view) {
        for (std::size_t i = 0; i < signals; ++i) view.signals().enqueue(signal());
    });
    const auto claim_all = [&](Store& store, NodeId node) {
        std::vector<SignalId> mine;
        // A claim skips what the other node has locked right now: repeat until none is free.
        EXPECT_TRUE(testing::eventually([&] {
            for (const SignalRow& row : claim(store, node, {}, 16)) mine.push_back(row.id);
            return is_all_leased(store, node);
        }));
        return mine;
    };
    auto one = std::async(std::launch::async, claim_all, std::ref(*store_), joined(*store_));
    auto two = std::async(std::launch::async, claim_all, std::ref(*other_), joined(*other_));
    std::vector<SignalId> all = one.get();
    const std::vector<SignalId> rest = two.get();
    all.insert(all.end(), rest.begin(), rest.end());
    EXPECT_EQ(all.size(), signals);
    EXPECT_EQ(std::set<SignalId>(all.begin(), all.end()).size(), signals);
    EXPECT_EQ(count("signal_queue where attempts = 1 and epoch = 1"), signals);
}

TEST_F(PostgresNodes, AnnouncementsReachTheOtherNodeAndNotTheSender) {
    std::promise<void> listening;
    std::promise<Announcement> heard;
    std::jthread listener([&](std::stop_token stop) {
        const auto done =
            other_->listen([&] { listening.set_value(); },
                           [&](const Announcement& it) { heard.set_value(it); }, std::move(stop));
        EXPECT_TRUE(done) << done.error().message;
    });
    listening.get_future().get();
    const auto id = ids_.next<InstanceId>();
    ASSERT_TRUE(other_->announce({.signals = true}));
    ASSERT_TRUE(store_->announce({.due = clock_.now(), .awaken = {id}}));
    const Announcement it = heard.get_future().get();
    EXPECT_FALSE(it.signals);
    EXPECT_TRUE(it.due);
    EXPECT_EQ(it.awaken, std::vector{id});
}

TEST_F(PostgresNodes, TooManyInstancesAndInvalidPayloadsMeanEveryone) {
    std::promise<void> listening;
    std::vector<Announcement> heard;
    std::promise<void> done;
    std::jthread listener([&](std::stop_token stop) {
        (void)other_->listen([&] { listening.set_value(); },
                             [&](const Announcement& it) {
                                 heard.push_back(it);
                                 if (heard.size() == 2) done.set_value();
                             },
                             std::move(stop));
    });
    listening.get_future().get();
    Announcement many;
    for (int i = 0; i < 1'000; ++i) many.awaken.push_back(ids_.next<InstanceId>());
    ASSERT_TRUE(store_->announce(many));
    script("notify holdfast, 'hello'");
    done.get_future().get();
    EXPECT_TRUE(heard[0].everyone);
    EXPECT_FALSE(heard[0].signals);
    EXPECT_TRUE(heard[1].everyone);
    EXPECT_TRUE(heard[1].signals);
}

TEST_F(PostgresNodes, AHostLockHasOneOwnerAndATermPerOwner) {
    const auto first = *store_->lock_host("retention", "one", 1h);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->term, 1u);
    EXPECT_EQ((*store_->lock_host("retention", "one", 1h))->term, 1u);
    EXPECT_FALSE(*other_->lock_host("retention", "two", 1h));
    script("update host_locks set until = now() - interval '1 second'");
    EXPECT_EQ((*other_->lock_host("retention", "two", 1h))->term, 2u);
    EXPECT_EQ(store_->ask(ListHostLocks{})->at(0).owner, "two");
    EXPECT_FALSE(*store_->ask(FindMark{"retention"}));
    const Moment at = *store_->ask(FindTime{});
    ASSERT_TRUE(store_->set_mark("retention", at));
    EXPECT_EQ(*store_->ask(FindMark{"retention"}), at);
}

TEST(PostgresSettings, AServerThatMayLoseCommitsIsRefused) {
    testing::PrivatePostgres server{{.settings = {"fsync=off"}}};
    StoreOptions options;
    const auto refused = open_postgres(server.url(), options);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::refused);
    EXPECT_NE(refused.error().message.find("fsync = off"), std::string::npos);
    options.allow_weak_durability = true;
    EXPECT_TRUE(open_postgres(server.url(), options));
}

}  // namespace
}  // namespace holdfast::postgres
