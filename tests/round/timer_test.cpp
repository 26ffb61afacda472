// The thread that fires timers, on real stores: no polling, and no timer is early (I24 to I26).
#include <condition_variable>

#include "pump/timers/timer_thread.h"
#include "support/eventually.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

// Waits for a commit that leaves an instance in an expected state.
class Observer final : public CommitListener {
public:
    void committed(const Touched& touched) override {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, instance, lease] : touched.instances)
            if (instance) seen_.insert_or_assign(id, *instance);
        changed_.notify_all();
    }
    template <class Expected>
    bool sees(const InstanceId& id, Expected expected) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(30), [&] {
            const auto found = seen_.find(id);
            return found != seen_.end() && expected(found->second);
        });
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<InstanceId, Instance> seen_;
};

bool is_awake(const Instance& instance) {
    return instance.status == Status::running && instance.index == 1;
}

class Timers : public ::testing::TestWithParam<const char*> {
protected:
    Timers() : world(GetParam()), pump_metrics(world.registry) {
        world.define("orders");
        for (int i = 0; i < 3; ++i) ids.push_back(world.start("orders", "{}").id);
        open();
    }
    ~Timers() override { close(); }

    void open() {
        observer.emplace();
        thread.emplace();
        coordinator = *Coordinator::open(*world.store, world.ids, world.metrics,
                                         {.listeners = {&*thread, &*observer}});
    }
    void start() { thread->start(*world.store, *coordinator, world.ids, pump_metrics); }
    void close() {
        thread->stop();
        coordinator->shutdown();
    }
    void sleep(const InstanceId& id, std::optional<std::chrono::microseconds> time) {
        Wait wait{.names = {"never"}};
        if (time) wait.until = world.clock.now() + *time;
        const auto outcome =
            coordinator
                ->submit(op::Suspend{
                    .cause = world.cause(), .instance = id, .run = {1, 0}, .wait = std::move(wait)})
                .get();
        ASSERT_TRUE(outcome && std::holds_alternative<op::Asleep>(*outcome));
    }

    World world;
    PumpMetrics pump_metrics;
    std::vector<InstanceId> ids;
    std::optional<Observer> observer;
    std::optional<TimerThread> thread;
    std::unique_ptr<Coordinator> coordinator;
};

TEST_P(Timers, FireAfterTheirTimeAndRecordHowLateTheyWere) {
    start();
    sleep(ids[0], milliseconds(400));
    ASSERT_TRUE(observer->sees(ids[0], is_awake));
    const auto entry = *world.store->ask(FindJournalEntry{ids[0], 0});
    ASSERT_TRUE(entry && entry->winner);
    EXPECT_EQ(entry->winner->type, WinnerType::timer);
    const auto& reached = entry->step.value.value();
    EXPECT_LE(reached.at("due").as_string(), reached.at("reached").as_string());
}

TEST_P(Timers, OnlyAnEarlierOneWakesTheThread) {
    sleep(ids[0], hours(1));
    start();
    ASSERT_TRUE(eventually([&] { return thread->looks() > 0; }));
    const std::size_t looks = thread->looks();
    sleep(ids[1], hours(2));
    sleep(ids[2], std::nullopt);
    EXPECT_EQ(thread->looks(), looks);
    const InstanceId early = world.start("orders", "{}").id;
    sleep(early, milliseconds(300));
    ASSERT_TRUE(observer->sees(early, is_awake));
    // One look for its commit, one when it is due; the look that fires it finds the next one, too.
    EXPECT_LE(thread->looks(), looks + 3);
}

TEST_P(Timers, ThatCameDueWhileNoNodeRanFireAtTheStart) {
    sleep(ids[0], std::chrono::seconds(1));
    close();
    open();
    start();
    EXPECT_TRUE(observer->sees(ids[0], is_awake));
}

TEST_P(Timers, AnEventThatCameFirstMakesTheTimerStale) {
    start();
    sleep(ids[0], milliseconds(400));
    const auto sent = coordinator
                          ->submit(op::SendEvent{.cause = world.cause(),
                                                 .event = world.ids.next<EventId>(),
                                                 .event_name = "never",
                                                 .target = ids[0],
                                                 .value = document("{}")})
                          .get();
    ASSERT_TRUE(sent && std::holds_alternative<op::Delivered>(*sent));
    sleep(ids[1], milliseconds(500));  // due after the stale one
    ASSERT_TRUE(observer->sees(ids[1], is_awake));
    EXPECT_EQ(world.read(ids[0]).index, 1u);
    EXPECT_EQ(world.read(ids[0]).version, 3u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Timers, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
