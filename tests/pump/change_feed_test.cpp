// The feed: it reads the store once for all who follow it, and nothing while nothing happens.
#include "pump/stream/change_feed.h"

#include <gtest/gtest.h>

#include <semaphore>

#include "support/eventually.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

// On a memory store, whose commits are told by hand.
class ChangeFeedTest : public ::testing::Test {
protected:
    ChangeFeedTest() {
        world.define("order");
        feed.start(*world.store, *world.store, {});
    }
    ~ChangeFeedTest() override { feed.stop(); }

    ChangeFeed::Ticket follow() {
        const auto ticket = feed.follow([this] { woken.release(); });
        woken.acquire();  // it has read where the stream is
        return ticket;
    }
    void commit() {
        world.start("order", "{}");
        feed.committed({.told = true});
    }
    StreamPosition now() { return StreamPosition{world.store->ask(StreamQuery{})->reached}; }

    World world{"memory"};
    std::counting_semaphore<> woken{0};
    ChangeFeed feed;
};

TEST_F(ChangeFeedTest, ReadsNothingWithoutFollowersOrChanges) {
    commit();
    feed.note_newest(1'000);
    feed.look_now();
    EXPECT_FALSE(feed.after(now(), 10));
    EXPECT_EQ(feed.reads(), 0u);
    const auto ticket = follow();
    EXPECT_EQ(feed.reads(), 1u);
    feed.committed({});  // a commit that the stream does not tell of
    feed.note_newest(now().round);
    feed.unfollow(ticket);
    commit();
    EXPECT_FALSE(feed.after(now(), 10)) << "nobody follows any more";
    EXPECT_EQ(feed.reads(), 1u);
}

TEST_F(ChangeFeedTest, OneReadServesAllFollowers) {
    const StreamPosition begin = now();
    follow();
    for (int i = 0; i < 3; ++i) feed.follow([this] { woken.release(); });
    const std::size_t before = feed.reads();
    commit();
    for (int i = 0; i < 4; ++i) woken.acquire();
    EXPECT_EQ(feed.reads(), before + 1);
    const auto part = feed.after(begin, 10);
    ASSERT_TRUE(part);
    ASSERT_EQ(part->records.size(), 1u);
    EXPECT_EQ(part->records[0]->record.type, "Started");
    EXPECT_EQ(part->reached, now());
    EXPECT_TRUE(feed.after(part->reached, 10)->records.empty());
}

TEST_F(ChangeFeedTest, AHeartbeatFindsWhatNobodyAnnounced) {
    const StreamPosition begin = now();
    follow();
    world.start("order", "{}");
    feed.note_newest(now().round);
    woken.acquire();
    EXPECT_EQ(feed.after(begin, 10)->records.size(), 1u);
}

TEST_F(ChangeFeedTest, KeepsOnlyWhatHappenedSinceItIsFollowed) {
    const StreamPosition begin = now();
    commit();
    follow();
    EXPECT_FALSE(feed.after(begin, 10)) << "that is read from the store";
    EXPECT_TRUE(feed.after(now(), 10));
}

TEST_F(ChangeFeedTest, AFollowerOfATopicIsWokenForItsRecordsOnly) {
    world.define("tea");
    follow();
    const InstanceId watched = world.start("order", "{}").id;
    feed.committed({.told = true});
    woken.acquire();
    std::atomic<int> of_tea = 0;
    std::atomic<int> of_one = 0;
    const Topic tea{.definition = "tea"};
    const Topic one{.workflow = watched};
    feed.follow([&] { ++of_tea; }, tea);
    feed.follow([&] { ++of_one; }, one);
    const StreamPosition begin = now();
    commit();
    woken.acquire();
    EXPECT_EQ(of_tea, 0);
    EXPECT_EQ(of_one, 0);
    EXPECT_TRUE(feed.after(begin, 10, tea)->records.empty());
    EXPECT_EQ(feed.after(begin, 10, tea)->reached, now()) << "it need not look at the others";
    world.start("tea", "{}");
    feed.committed({.told = true});
    ASSERT_TRUE(eventually([&] { return of_tea == 1; }));
    EXPECT_EQ(of_one, 0);
    const auto part = feed.after(begin, 10, tea);
    ASSERT_EQ(part->records.size(), 1u);
    EXPECT_EQ(part->records[0]->record.definition, "tea");
    EXPECT_EQ(part->reached, now());
    EXPECT_EQ(feed.after(begin, 10)->records.size(), 2u);
}

// What it has of its own is bounded: from before, it looks through what is kept of all.
TEST_F(ChangeFeedTest, ATopicWithManyRecordsLosesNone) {
    follow();
    const Topic order{.definition = "order"};
    feed.follow([] {}, order);
    const StreamPosition begin = now();
    for (int i = 0; i < 1'100; ++i) world.start("order", "{}");
    feed.committed({.told = true});
    ASSERT_TRUE(eventually([&] { return feed.after(begin, 2'000)->records.size() == 1'100; }));
    EXPECT_EQ(feed.after(begin, 2'000, order)->records.size(), 1'100u);
}

TEST_F(ChangeFeedTest, APartEndsWithinARound) {
    follow();
    const StreamPosition begin = now();
    StreamPage page{.rows = {{begin.round + 1, {.at = {}, .records = {{}, {}, {}}}}}};
    const FeedRecords all = feed_records(page, begin);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(to_string(all[1]->position), std::to_string(begin.round + 1) + ".2");
    EXPECT_EQ(all[2]->position, StreamPosition{begin.round + 1});
    EXPECT_EQ(read_after(all[1]->position), begin.round) << "its round is read again";
    EXPECT_EQ(feed_records(page, all[1]->position).size(), 1u);
}

}  // namespace
}  // namespace holdfast::testing
