// Announcements to other nodes: collected, one at a time, none while this node is alone (I32).
#include "pump/nodes/announcer.h"

#include "support/forwarding_store.h"
#include "support/pump_world.h"

namespace holdfast::testing {
namespace {

// Blocks each announcement until the test releases it.
class SlowStore final : public ForwardingStore {
public:
    using ForwardingStore::ForwardingStore;
    Result<void> announce(const Announcement& announcement) override {
        std::unique_lock lock(mutex_);
        sent_.push_back(announcement);
        changed_.notify_all();
        changed_.wait(lock, [&] { return released_ >= sent_.size(); });
        return {};
    }
    std::vector<Announcement> sent(std::size_t count) {
        std::unique_lock lock(mutex_);
        EXPECT_TRUE(changed_.wait_for(lock, std::chrono::seconds(30),
                                      [&] { return sent_.size() >= count; }));
        return sent_;
    }
    void release(std::size_t count) {
        const std::lock_guard lock(mutex_);
        released_ += count;
        changed_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Announcement> sent_;
    std::size_t released_ = 0;
};

class Announcements : public ::testing::Test {
protected:
    Announcements() : world("memory"), store(*world.store), metrics(world.registry) {
        announcer.start(store, metrics);
    }
    ~Announcements() override {
        store.release(1'000);
        announcer.stop();
    }

    World world;
    SlowStore store;
    PumpMetrics metrics;
    Announcer announcer;
};

TEST_F(Announcements, AreNotSentWhileNoOtherNodeIsAlive) {
    announcer.committed({.free_signals = true});
    announcer.set_other_nodes(0);
    announcer.committed({.free_signals = true});
    announcer.saw_other_node();
    announcer.committed({.awoken = {world.ids.next<InstanceId>()}});
    EXPECT_FALSE(store.sent(1)[0].signals);
    EXPECT_EQ(store.sent(1)[0].awaken.size(), 1U);
}

TEST_F(Announcements, ThatPileUpBecomeOne) {
    announcer.set_other_nodes(1);
    announcer.committed({.free_signals = true});
    store.sent(1);
    std::vector<InstanceId> ids;
    for (int i = 0; i < 20; ++i) ids.push_back(world.ids.next<InstanceId>());
    for (const InstanceId& id : ids) announcer.committed({.free_signals = true, .awoken = {id}});
    store.release(1);
    const auto sent = store.sent(2);
    EXPECT_TRUE(sent[1].signals);
    EXPECT_EQ(sent[1].awaken, ids);
    store.release(1);
    announcer.announce_self();
    EXPECT_TRUE(store.sent(3)[2].awaken.empty()) << "nothing is announced twice";
}

// An announcement that names nobody makes every poll of every node read the store.
TEST_F(Announcements, NameManyInstancesInSeveralMessages) {
    announcer.set_other_nodes(1);
    announcer.announce_self();
    store.sent(1);
    std::set<InstanceId> ended;
    for (int i = 0; i < 1'000; ++i) {
        ended.insert(world.ids.next<InstanceId>());
        announcer.committed({.awoken = {*ended.rbegin()}});
    }
    store.release(1'000);
    for (std::size_t message = 2; !ended.empty() && message < 100; ++message) {
        const auto sent = store.sent(message);
        EXPECT_FALSE(sent.back().everyone);
        for (const InstanceId& id : sent[message - 1].awaken) ended.erase(id);
    }
    EXPECT_TRUE(ended.empty());
}

TEST_F(Announcements, NameNoInstanceWhenThereAreTooMany) {
    announcer.set_other_nodes(1);
    announcer.announce_self();
    store.sent(1);
    for (int i = 0; i < 20'000; ++i)
        announcer.committed({.awoken = {world.ids.next<InstanceId>()}});
    store.release(1);
    const auto sent = store.sent(2);
    EXPECT_TRUE(sent[1].everyone);
    EXPECT_TRUE(sent[1].awaken.empty());
}

TEST_F(Announcements, OfTimersAreSentForTheEarliestOnly) {
    const auto timer_in = [&](int minutes) {
        Instance instance{.id = world.ids.next<InstanceId>(), .status = Status::suspended};
        instance.waits = {Waiting{.wait = {.until = Moment(std::chrono::minutes(minutes))}}};
        return Touched{
            .instances = {{instance.id, std::make_shared<const Instance>(instance), {}}}};
    };
    announcer.set_other_nodes(1);
    announcer.committed(timer_in(10));
    EXPECT_EQ(store.sent(1)[0].due, Moment(std::chrono::minutes(10)));
    announcer.committed(timer_in(20));
    announcer.committed(timer_in(5));
    announcer.committed(timer_in(30));
    store.release(1);
    EXPECT_EQ(store.sent(2)[1].due, Moment(std::chrono::minutes(5)));
}

TEST(WatcherCallbacks, AreNotifiedOfChangesByOtherNodes) {
    Watchers watchers;
    SystemClock clock;
    IdSource ids(clock, 1);
    const auto one = ids.next<InstanceId>();
    const auto two = ids.next<InstanceId>();
    std::vector<int> notified;
    watchers.watch(one, [&](const Instance* instance) { notified.push_back(instance ? 0 : 1); });
    watchers.watch(two, [&](const Instance* instance) { notified.push_back(instance ? 0 : 2); });
    watchers.notify({two, ids.next<InstanceId>()});
    EXPECT_EQ(notified, std::vector{2});
    watchers.notify_all();
    std::ranges::sort(notified);
    EXPECT_EQ(notified, (std::vector{1, 2, 2}));
}

}  // namespace
}  // namespace holdfast::testing
