// Waits, timers and waiting instances on every store (001.6, 001.14).
#include <algorithm>

#include "support/mail_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Waits : public ::testing::TestWithParam<const char*> {
protected:
    Waits() : world(GetParam()) {}

    static std::vector<InstanceId> instances(const std::vector<DueTimer>& timers) {
        std::vector<InstanceId> found;
        for (const DueTimer& timer : timers) found.push_back(timer.instance);
        return found;
    }
    static std::size_t loaded_waits(const View& view, const std::string& name) {
        std::size_t count = 0;
        needs_more([&] {
            view.mail().oldest_wait(channel(name), [&](const WaitRow&) { return ++count == 0; });
        });
        return count;
    }
    // Whether the store may have more waits, as seen by a reader that takes none of them.
    static bool may_have_more_waits(const View& view, const std::string& name) {
        return needs_more(
            [&] { view.mail().oldest_wait(channel(name), [](const WaitRow&) { return false; }); });
    }
    // Whether the store may have more events, as seen by a wait that began after all loaded ones.
    bool may_have_more_events(const View& view, const InstanceId& id, const std::string& name) {
        Waiting late = world.waiting({.names = {name}, .since = Since::wait});
        late.began_at = view.now() + 1h;
        return needs_more([&] { view.mail().find(*view.find(id), late, view.now()); });
    }

    MailWorld world;
};

TEST_P(Waits, DueTimersComeEarliestFirst) {
    const Moment now = world.clock.now();
    const Instance third = world.suspended({.until = now - 1h});
    const Instance first = world.suspended({.until = now - 3h});
    const Instance later = world.suspended({.names = {"go"}, .until = now + 1h});
    const Instance second = world.suspended({.until = now - 2h});
    world.suspended({.names = {"go"}});

    const auto all = world.store->ask(FindDueTimers{10});
    ASSERT_TRUE(all) << all.error().message;
    EXPECT_EQ(instances(all->due), (std::vector{first.id, second.id, third.id}));
    EXPECT_EQ(all->due[0].token, first.waits.front().token);
    EXPECT_EQ(all->due[0].due, now - 3h);
    EXPECT_EQ(all->next, now + 1h);
    EXPECT_GE(all->now, now);
    const auto some = world.store->ask(FindDueTimers{2});
    EXPECT_EQ(instances(some->due), (std::vector{first.id, second.id}));
    EXPECT_EQ(some->next, now - 1h);
}

TEST_P(Waits, WithoutTimersOnlyTheClockIsReturned) {
    const Moment before = world.clock.now();
    const auto none = world.store->ask(FindDueTimers{10});
    ASSERT_TRUE(none) << none.error().message;
    EXPECT_TRUE(none->due.empty());
    EXPECT_FALSE(none->next);
    EXPECT_GE(none->now, before);
}

TEST_P(Waits, ATimerExistsOnlyWhileItsWaitIsRegistered) {
    const Moment past = world.clock.now() - 1h;
    const Instance sleeper = world.suspended({.until = past});
    const auto due = [&] { return world.store->ask(FindDueTimers{10})->due; };
    world.round(sleeper.id, [&](View& view) { view.edit(sleeper.id).paused = true; });
    EXPECT_TRUE(due().empty());
    world.round(sleeper.id, [&](View& view) { view.edit(sleeper.id).paused = false; });
    EXPECT_EQ(due().size(), 1u);
    const Waiting other = world.waiting({.until = past - 1h});
    world.round(sleeper.id, [&](View& view) { view.edit(sleeper.id).waits = {other}; });
    EXPECT_EQ(due(), (std::vector{DueTimer{sleeper.id, other.token, past - 1h}}));
    world.round(sleeper.id, [&](View& view) {
        view.edit(sleeper.id).waits.front().wait.until = past - 2h;  // the same wait, another time
    });
    EXPECT_EQ(due(), (std::vector{DueTimer{sleeper.id, other.token, past - 2h}}));
    const Waiting timeless = world.waiting({.names = {"go"}});
    world.round(sleeper.id, [&](View& view) { view.edit(sleeper.id).waits = {timeless}; });
    EXPECT_TRUE(due().empty());
}

TEST_P(Waits, TheOldestWaitsComeWithTheirInstances) {
    std::vector<InstanceId> sleepers;
    for (int i = 0; i < 3; ++i) sleepers.push_back(world.suspended({.names = {"go", "stop"}}).id);
    world.suspended({.names = {"other"}});
    const auto load = [&](int width) {
        ReadSet reads;
        for (int i = 0; i < width; ++i) reads.waits(channel("go"));
        world.round(reads, [&](View& view) {
            const std::size_t wanted = std::min<std::size_t>(width, sleepers.size());
            EXPECT_EQ(loaded_waits(view, "go"), wanted);
            EXPECT_EQ(may_have_more_waits(view, "go"), wanted < sleepers.size());
            const auto oldest = view.mail().oldest_wait(
                channel("go"), [&](const WaitRow& row) { return view.is_current(row); });
            EXPECT_EQ(oldest->instance, sleepers[0]);
            EXPECT_TRUE(view.find(sleepers[wanted - 1]));
        });
    };
    for (const int width : {1, 2, 3, 4}) load(width);

    ReadSet reads;
    reads.all_waits(channel("go"));
    reads.all_waits(channel("nobody"));
    world.round(reads, [&](View& view) {
        EXPECT_EQ(loaded_waits(view, "go"), 3u);
        EXPECT_FALSE(may_have_more_waits(view, "go"));
        EXPECT_FALSE(may_have_more_waits(view, "nobody"));
    });
}

TEST_P(Waits, EveryEntryOfTheReadSetIsLoadedEvenIfEmpty) {
    const InstanceId id = world.running();
    ReadSet reads;
    reads.instance(id, Depth::row);
    reads.inbox(id, "none");
    reads.ending_inbox(id);
    reads.broadcasts(channel("none"));
    reads.waits(channel("none"));
    reads.completion_waiters(id);
    reads.children(id);
    reads.event(world.ids.next<EventId>());
    reads.step(id, 0);
    world.round(reads, [&](View& view) {
        EXPECT_TRUE(view.mail().keys_to_release(id).empty());
        EXPECT_FALSE(may_have_more_waits(view, "none"));
        EXPECT_TRUE(view.completion_waiters(id)->empty());
        EXPECT_TRUE(view.children(id)->empty());
        EXPECT_FALSE(may_have_more_events(view, id, "none"));
    });
}

TEST_P(Waits, CompletionWaitersAndChildrenComeWithTheirInstances) {
    const InstanceId parent = world.running();
    const Instance first = world.suspended({.workflows = {parent}});
    const Instance second = world.suspended({.names = {"go"}, .workflows = {parent, first.id}});
    Instance child = world.fresh_instance();
    child.parent = parent;
    world.round(child.id, [&](View& view) { MailWorld::insert(view, child, world.cause()); });
    ReadSet reads;
    reads.instance(parent, Depth::row);
    reads.completion_waiters(parent);
    reads.children(parent);
    world.round(reads, [&](View& view) {
        const auto rows = view.completion_waiters(parent);
        std::vector<InstanceId> waiters;
        for (const WaitRow& row : *rows) waiters.push_back(row.instance);
        EXPECT_EQ(waiters, (std::vector{first.id, second.id}));
        EXPECT_EQ(view.children(parent), std::vector{child.id});
        EXPECT_TRUE(view.find(child.id));
    });
}

// 001.24: each ends alone; the others keep their tokens and timers.
TEST_P(Waits, SeveralOfOneInstanceAreKeptAndEndAlone) {
    const Moment past = world.clock.now() - 24h;
    Instance several = world.fresh_instance();
    several.status = Status::suspended;
    Waiting owned = world.waiting({.names = {"a", "b"}, .until = past});
    owned.owner = world.ids.next<ActivityInstanceId>();
    const Waiting later = world.waiting({.names = {"b"}, .until = past + 1h});
    const Waiting plain = world.waiting({.names = {"b"}});
    for (const Waiting& waiting : {plain, owned, later}) add_wait(several, waiting);
    world.round(several.id, [&](View& view) { MailWorld::insert(view, several, world.cause()); });

    const auto expect_waits = [&](std::vector<Waiting> expected) {
        std::ranges::sort(expected, waited_longer);
        EXPECT_EQ((*world.store->ask(FindInstance{several.id, Depth::row}))->instance.waits,
                  expected);
        EXPECT_EQ(world.store->ask(InstanceQuery{})->items.at(0).instance.waits, expected);
        world.round(several.id,
                    [&](View& view) { EXPECT_EQ(view.find(several.id)->waits, expected); });
        ReadSet reads;
        reads.all_waits(channel("b"));
        reads.channel_size(channel("b"));
        world.round(reads, [&](View& view) {
            const auto rows =
                view.mail().all_waits(channel("b"), [](const WaitRow&) { return true; });
            std::set<TokenId> tokens;
            for (const WaitRow& row : *rows) tokens.insert(row.token);
            EXPECT_EQ(tokens.size(), expected.size());
            for (const Waiting& waiting : expected) EXPECT_TRUE(tokens.contains(waiting.token));
        });
    };
    const auto due = [&] { return world.store->ask(FindDueTimers{10})->due; };
    const auto end = [&](const TokenId& token) {
        world.round(several.id,
                    [&](View& view) { EXPECT_TRUE(take_wait(view.edit(several.id), token)); });
    };
    expect_waits({owned, later, plain});
    EXPECT_EQ(due(), (std::vector{DueTimer{several.id, owned.token, past},
                                  DueTimer{several.id, later.token, past + 1h}}));
    EXPECT_EQ(
        summary_of((*world.store->ask(FindInstance{several.id, Depth::row}))->instance.waits).token,
        owned.token);
    end(owned.token);
    expect_waits({later, plain});
    EXPECT_EQ(due(), (std::vector{DueTimer{several.id, later.token, past + 1h}}));
    end(plain.token);
    expect_waits({later});
    end(later.token);
    expect_waits({});
    EXPECT_TRUE(due().empty());
}

// A few are in the row of the instance, many in rows of their own.
TEST_P(Waits, FewAndManyOfOneInstanceAreReadBack) {
    constexpr std::size_t few = 4;
    const Instance instance = world.fresh_instance();
    const Moment past = world.clock.now() - 24h;
    std::vector<Waiting> all;
    for (std::size_t i = 0; i < 2 * few; ++i)
        all.push_back(world.waiting({.names = {"b"}, .until = past}));
    std::ranges::sort(all, waited_longer);
    world.round(instance.id, [&](View& view) { MailWorld::insert(view, instance, world.cause()); });
    const auto wait_for = [&](std::size_t first, std::size_t end) {
        const std::vector<Waiting> wanted(all.begin() + first, all.begin() + end);
        world.round(instance.id, [&](View& view) {
            Instance& edited = view.edit(instance.id);
            edited.status = wanted.empty() ? Status::running : Status::suspended;
            edited.waits = wanted;
        });
        EXPECT_EQ((*world.store->ask(FindInstance{instance.id, Depth::row}))->instance.waits,
                  wanted);
        world.round(instance.id,
                    [&](View& view) { EXPECT_EQ(view.find(instance.id)->waits, wanted); });
        EXPECT_EQ(world.store->ask(FindDueTimers{100})->due.size(), wanted.size());
    };
    wait_for(0, 2);
    wait_for(0, few);
    wait_for(0, few + 1);
    wait_for(2, few + 4);
    wait_for(3, 4);
    wait_for(2, few + 3);
    wait_for(0, few);
    wait_for(0, 0);
}

TEST_P(Waits, AnInstanceIsReadBackWithItsRunAndItsWait) {
    Instance whole = world.fresh_instance();
    whole.status = Status::suspended;
    whole.run = 3;
    whole.index = 12;
    whole.waits = {world.waiting({.names = {"a", "b"},
                                  .until = world.clock.now() + 1h,
                                  .workflows = {world.ids.next<InstanceId>()},
                                  .since = Since::created})};
    whole.result = document(R"({"z":1,"a":[]})");
    whole.last_error = "declined";
    whole.last_executed_by = "node-1";
    whole.last_executed_at = world.clock.now();
    world.round(whole.id, [&](View& view) { MailWorld::insert(view, whole, world.cause()); });
    const auto expect_same = [&](const Instance& stored) {
        EXPECT_EQ(stored.run, whole.run);
        EXPECT_EQ(stored.index, whole.index);
        EXPECT_EQ(stored.waits, whole.waits);
        EXPECT_EQ(stored.result, whole.result);
        EXPECT_EQ(stored.last_error, whole.last_error);
        EXPECT_EQ(stored.last_executed_by, whole.last_executed_by);
        EXPECT_EQ(stored.last_executed_at, whole.last_executed_at);
    };
    expect_same((*world.store->ask(FindInstance{whole.id, Depth::whole}))->instance);
    expect_same((*world.store->ask(FindInstance{whole.id, Depth::row}))->instance);
    expect_same(world.store->ask(InstanceQuery{})->items.at(0).instance);
    world.round(whole.id, [&](View& view) { expect_same(*view.find(whole.id)); });
    whole.run = 4;
    whole.waits.clear();
    whole.result.reset();
    whole.last_error.reset();
    world.round(whole.id, [&](View& view) {
        Instance& stored = view.edit(whole.id);
        stored.run = whole.run;
        stored.waits.clear();
        stored.result.reset();
        stored.last_error.reset();
    });
    expect_same((*world.store->ask(FindInstance{whole.id, Depth::whole}))->instance);
}

INSTANTIATE_TEST_SUITE_P(Stores, Waits, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
