// Two writers on PostgreSQL that conflict on rows that their locks do not protect.
#include "support/mail_world.h"

namespace holdfast::testing {
namespace {

// The second writer runs between the load and the write of the first.
class TwoWriters : public ::testing::Test {
protected:
    TwoWriters() : world("postgres"), other(*world.store->open_writer()) {}

    void round_of_other(const ReadSet& reads, const Decide& decide) {
        const auto done = other->commit({world.ids.next<RoundId>(), reads}, decide);
        ASSERT_TRUE(done.has_value()) << done.error().message;
    }

    MailWorld world;
    std::unique_ptr<Writer> other;
};

TEST_F(TwoWriters, AcceptOneEventIdOnce) {
    const InstanceId one = world.running();
    const InstanceId two = world.running();
    const auto reads_of = [](const InstanceId& target, const EventId& id) {
        ReadSet reads;
        reads.instance(target, Depth::row);
        reads.event(id);
        return reads;
    };
    const Event first = world.event("paid", one);
    Event second = first;
    second.target = two;
    std::vector<bool> known;
    world.round(reads_of(one, first.id), [&](View& view) {
        known.push_back(!view.mail().known(first.id).empty());
        if (!known.back()) view.mail().queue(first);
        if (known.size() > 1) return;
        round_of_other(reads_of(two, first.id), [&](View& theirs) { theirs.mail().queue(second); });
    });
    EXPECT_EQ(known, (std::vector{false, true})) << "the round ran again and saw the other's event";
    EXPECT_EQ(world.store->ask(PendingEventQuery{})->items, std::vector{second});
}

// Neither table has a row that both would insert: a fate names its receiver.
TEST_F(TwoWriters, AcceptOneEventIdOnceAlsoWhenItIsDeliveredAtOnce) {
    const InstanceId one = world.running();
    const InstanceId two = world.running();
    const auto reads_of = [](const InstanceId& target, const EventId& id) {
        ReadSet reads;
        reads.instance(target, Depth::row);
        reads.event(id);
        return reads;
    };
    for (const bool queues : {true, false}) {
        const Event first = world.event("paid", one);
        Event second = first;
        second.target = two;
        std::vector<bool> known;
        world.round(reads_of(one, first.id), [&](View& view) {
            known.push_back(!view.mail().known(first.id).empty());
            if (!known.back()) view.mail().deliver(first, one, 0, view.now());
            if (known.size() > 1) return;
            round_of_other(reads_of(two, first.id), [&](View& theirs) {
                if (queues)
                    theirs.mail().queue(second);
                else
                    theirs.mail().deliver(second, two, 0, theirs.now());
            });
        });
        EXPECT_EQ(known, (std::vector{false, true})) << queues;
        const KnownEvent found = *world.store->ask(FindEvent{first.id});
        EXPECT_EQ(found.queued.has_value(), queues);
        EXPECT_EQ(found.fates.size(), queues ? 0u : 1u);
    }
}

TEST_F(TwoWriters, TakeABroadcastOnce) {
    const InstanceId one = world.running();
    const InstanceId two = world.running();
    const Event event = world.event("go");
    ReadSet channel;
    channel.broadcasts(testing::channel("go"));  // inserting a new channel would act as a lock
    world.round(channel, [&](View& view) { view.mail().queue(event); });
    const auto reads_of = [](const InstanceId& id) {
        ReadSet reads;
        reads.instance(id, Depth::row);
        reads.inbox(id, "go");
        reads.broadcasts(testing::channel("go"));
        return reads;
    };
    const auto take = [&](View& view, const InstanceId& id) {
        const auto found =
            view.mail().find(*view.find(id), world.waiting({.names = {"go"}}), view.now());
        if (found) view.mail().deliver(*found, id, 0, view.now());
        return found.has_value();
    };
    std::vector<bool> taken;
    world.round(reads_of(one), [&](View& view) {
        taken.push_back(take(view, one));
        if (taken.size() == 1)
            round_of_other(reads_of(two), [&](View& theirs) { EXPECT_TRUE(take(theirs, two)); });
    });
    EXPECT_EQ(taken, (std::vector{true, false})) << "suspends share the lock; the guard fails";
    EXPECT_EQ(world.store->ask(FindEvent{event.id})->fates.at(0).instance, two);
}

TEST_F(TwoWriters, RecordAStepOnce) {
    const InstanceId id = world.running();
    const auto step = [&](const std::string& name) {
        return Step{.instance = id, .index = 0, .name = name, .at = world.clock.now()};
    };
    ReadSet unlocked;
    unlocked.step(id, 0);
    std::vector<bool> recorded;
    world.round(unlocked, [&](View& view) {
        recorded.push_back(view.step(id, 0) != nullptr);
        if (!recorded.back()) view.record(step("first"));
        if (recorded.size() == 1)
            round_of_other(unlocked, [&](View& theirs) { theirs.record(step("second")); });
    });
    EXPECT_EQ(recorded, (std::vector{false, true}));
    EXPECT_EQ((*world.store->ask(FindJournalEntry{id, 0}))->step.name, "second");
}

// The key of the history is what shows it; its name does not matter.
TEST_F(TwoWriters, StartWhatWasStartedAndClearedMeanwhile) {
    world.place.execute("alter table history rename constraint history_pkey to named_otherwise");
    const Instance instance = world.fresh_instance();
    ReadSet reads;
    reads.instance(instance.id, Depth::whole, Past::looked_up);
    int attempts = 0;
    world.round(reads, [&](View& view) {
        if (++attempts == 1) {
            round_of_other(
                reads, [&](View& theirs) { MailWorld::insert(theirs, instance, world.cause()); });
            round_of_other(reads, [&](View& theirs) { theirs.clear(instance.id, world.cause()); });
        }
        MailWorld::insert(view, instance, world.cause());
    });
    EXPECT_EQ(attempts, 2);
    EXPECT_EQ(world.read(instance.id).version, 3u);
}

// A channel's row lives as long as somebody waits on it or a broadcast is queued there.
TEST_F(TwoWriters, AChannelThatNobodyUsesIsDeletedAndComesBack) {
    const auto channels = [&] {
        return world.place.query("select string_agg(name, ',' order by name) from channels");
    };
    const auto queue = [&](const std::string& name) {
        const Event event = world.event(name);
        ReadSet reads;
        reads.broadcasts(event.channel());
        world.round(reads, [&](View& view) { view.mail().queue(event); });
        return event;
    };
    queue("used");
    const Event taken = queue("unused");
    world.round_with({taken},
                     [&](View& view) { view.mail().end(taken, EventFate::discarded, view.now()); });
    ASSERT_EQ(channels(), "unused,used");
    Prune prune;
    prune.lock = **world.store->lock_host("retention", "one", std::chrono::hours(1));
    ASSERT_TRUE(world.store->prune(prune));
    EXPECT_EQ(channels(), "used");
    queue("unused");  // the writer believes that the row is there
    EXPECT_EQ(channels(), "unused,used");
}

}  // namespace
}  // namespace holdfast::testing
