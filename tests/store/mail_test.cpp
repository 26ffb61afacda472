// Events on every store (001.5, 001.8, 001.9).
#include "support/mail_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Mail : public ::testing::TestWithParam<const char*> {
protected:
    Mail() : world(GetParam()) {}

    template <class Page>
    static std::vector<EventId> ids_of(const Page& page) {
        std::vector<EventId> found;
        for (const auto& item : page.items) {
            if constexpr (requires { item.event; })
                found.push_back(item.event.id);
            else
                found.push_back(item.id);
        }
        return found;
    }
    // The ids of all pages, and the number of pages.
    template <class Read>
    static std::pair<std::vector<EventId>, int> all_pages(EventQuery query, Read read) {
        std::vector<EventId> all;
        for (int pages = 1;; ++pages) {
            const auto page = read(query);
            EXPECT_TRUE(page.has_value()) << (page ? "" : page.error().message);
            if (!page) return {all, pages};
            for (const EventId& id : ids_of(*page)) all.push_back(id);
            if (!page->next) return {all, pages};
            query.after = page->next;
        }
    }
    // Whether the store may have more events, as seen by a wait that began after all loaded ones.
    bool may_have_more_events(const View& view, const InstanceId& id, const std::string& name) {
        Waiting late = world.waiting({.names = {name}, .since = Since::wait});
        late.began_at = view.now() + 1h;
        return needs_more([&] { view.mail().find(*view.find(id), late, view.now()); });
    }

    MailWorld world;
};

TEST_P(Mail, PendingEventsComeInPages) {
    const InstanceId target = world.running();
    std::vector<EventId> all;
    std::vector<EventId> named;
    std::vector<EventId> targeted;
    for (int i = 0; i < 7; ++i) {
        const Event event =
            world.queued(i % 2 ? "odd" : "even", i < 3 ? std::optional(target) : std::nullopt);
        all.push_back(event.id);
        if (i % 2) named.push_back(event.id);
        if (i < 3) targeted.push_back(event.id);
    }
    const auto read = [&](const EventQuery& query) {
        return world.store->ask(PendingEventQuery{query});
    };
    EXPECT_EQ(all_pages({.limit = 3}, read), std::pair(all, 3));
    EXPECT_EQ(all_pages({.limit = 7}, read), std::pair(all, 1));
    EXPECT_EQ(all_pages({.name = "odd", .limit = 2}, read), std::pair(named, 2));
    EXPECT_EQ(all_pages({.target = target, .limit = 2}, read), std::pair(targeted, 2));
    EXPECT_EQ(all_pages({.name = "even", .target = target}, read),
              std::pair(std::vector{targeted[0], targeted[2]}, 1));
    EXPECT_EQ(all_pages({.name = "none"}, read), std::pair(std::vector<EventId>{}, 1));
}

TEST_P(Mail, AQueuedEventComesBackAsItWasSent) {
    const InstanceId target = world.running();
    Event full = world.event("paid", target);
    full.value = document(R"({"b":[1,"ä",null],"a":{"x":0.5}})");
    full.on_target_ended = OnTargetEnded::dead_letter;
    full.keep = Keep::yes;
    full.expires_at = full.accepted_at + 24h;
    world.queued(full);
    const Event plain = world.queued("paid");
    EXPECT_EQ(world.store->ask(FindEvent{full.id})->queued, full);
    EXPECT_EQ(world.store->ask(FindEvent{plain.id})->queued, plain);
    EXPECT_EQ(world.store->ask(PendingEventQuery{})->items, (std::vector{full, plain}));
    EXPECT_TRUE(world.store->ask(FindEvent{world.ids.next<EventId>()})->empty());
}

TEST_P(Mail, DeadEventsComeInPagesUntilTheyAreRemoved) {
    const InstanceId target = world.running();
    std::vector<EventId> dead;
    for (int i = 0; i < 5; ++i) {
        const Event event = world.queued(i % 2 ? "odd" : "even", target);
        dead.push_back(event.id);
        world.round_with(
            {event}, [&](View& view) { view.mail().bury(event, Status::cancelled, view.now()); });
        const auto known = world.store->ask(FindEvent{event.id});
        EXPECT_FALSE(known->queued);
        EXPECT_EQ(known->dead->event, event);
        EXPECT_EQ(known->dead->target_status, Status::cancelled);
    }
    const auto read = [&](const EventQuery& query) {
        return world.store->ask(DeadEventQuery{query});
    };
    EXPECT_EQ(all_pages({.limit = 2}, read), std::pair(dead, 3));
    EXPECT_EQ(all_pages({.name = "odd", .target = target}, read),
              std::pair(std::vector{dead[1], dead[3]}, 1));
    EXPECT_TRUE(world.store->ask(PendingEventQuery{})->items.empty());

    const DeadEvent first = *world.store->ask(FindEvent{dead[0]})->dead;
    world.round(ReadSet{}, [&](View& view) { view.mail().unbury(first); });
    EXPECT_FALSE(world.store->ask(FindEvent{dead[0]})->dead);
    EXPECT_EQ(world.store->ask(DeadEventQuery{})->items.size(), 4u);
}

TEST_P(Mail, AnEventsFatesAreOnRecord) {
    const InstanceId one = world.running();
    const InstanceId two = world.running();
    Event kept = world.event("news");
    kept.keep = Keep::yes;
    world.queued(kept);
    const Event gone = world.queued("once", one);
    const Event late = world.queued("late", one);
    world.round_with({kept, gone, late}, [&](View& view) {
        view.mail().deliver(kept, one, 4, view.now());
        view.mail().deliver(kept, two, 7, view.now());
        view.mail().deliver(gone, one, 5, view.now());
        view.mail().end(late, EventFate::expired, view.now());
    });
    const auto news = world.store->ask(FindEvent{kept.id});
    EXPECT_EQ(news->queued, kept) << "it stays queued for other instances";
    ASSERT_EQ(news->fates.size(), 2u);
    std::map<InstanceId, std::uint64_t> indexes;
    for (const FateRow& row : news->fates) indexes[*row.instance] = row.index;
    EXPECT_EQ(indexes, (std::map<InstanceId, std::uint64_t>{{one, 4}, {two, 7}}));

    const auto once = world.store->ask(FindEvent{gone.id});
    EXPECT_FALSE(once->queued);
    ASSERT_EQ(once->fates.size(), 1u);
    EXPECT_EQ(once->fates[0].fate, EventFate::delivered);
    EXPECT_EQ(once->fates[0].name, "once");
    const auto expired = world.store->ask(FindEvent{late.id});
    ASSERT_EQ(expired->fates.size(), 1u);
    EXPECT_EQ(expired->fates[0].fate, EventFate::expired);
    EXPECT_FALSE(expired->fates[0].instance);
}

TEST_P(Mail, AReleasedEventBecomesABroadcast) {
    const InstanceId target = world.running();
    Event event = world.queued("paid", target);
    world.round_with({event}, [&](View& view) { view.mail().release(event); });
    event.target.reset();
    EXPECT_EQ(world.store->ask(FindEvent{event.id})->queued, event);
}

TEST_P(Mail, AnEventThatIsReleasedAndTakenInOneRoundIsGone) {
    const InstanceId target = world.running();
    const InstanceId taker = world.running();
    Event event = world.queued("paid", target);
    world.round_with({event}, [&](View& view) {
        view.mail().release(event);
        event.target.reset();
        view.mail().deliver(event, taker, 0, view.now());
    });
    EXPECT_TRUE(world.store->ask(PendingEventQuery{})->items.empty());
    EXPECT_EQ(world.store->ask(FindEvent{event.id})->fates.at(0).instance, taker);
}

TEST_P(Mail, AnEventThatIsDeliveredAsItArrivesWasNeverQueued) {
    const InstanceId target = world.running();
    world.queued("other", target);
    const Event event = world.event("paid", target);
    ReadSet reads;
    reads.event(event.id);
    reads.inbox_size(target);
    world.round(reads, [&](View& view) {
        view.mail().deliver(event, target, 0, view.now());
        EXPECT_EQ(view.mail().inbox_size(target).events, 1u);
        EXPECT_TRUE(view.mail().changes().taken.empty());
    });
    EXPECT_EQ(world.store->ask(FindEvent{event.id})->fates.at(0).instance, target);
}

TEST_P(Mail, AKeptBroadcastIsKnownToHaveReachedAnInstance) {
    const InstanceId had = world.running();
    const InstanceId fresh = world.running();
    Event kept = world.event("news");
    kept.keep = Keep::yes;
    world.queued(kept);
    world.round(ReadSet{}, [&](View& view) { view.mail().deliver(kept, had, 0, view.now()); });
    ReadSet reads;
    for (const InstanceId& id : {had, fresh}) {
        reads.instance(id, Depth::row);
        reads.inbox(id, "news");
    }
    reads.broadcasts(channel("news"));
    world.round(reads, [&](View& view) {
        const Waiting wait = world.waiting({.names = {"news"}});
        EXPECT_FALSE(view.mail().find(*view.find(had), wait, view.now()));
        EXPECT_EQ(*view.mail().find(*view.find(fresh), wait, view.now()), kept);
    });
}

TEST_P(Mail, ListsOfEventsReportWhetherThereAreMore) {
    const InstanceId id = world.running();
    for (int i = 0; i < 3; ++i) world.queued("paid", id);
    for (int i = 0; i < 2; ++i) world.queued("paid");
    Event expired = world.event("paid", id);
    expired.expires_at = expired.accepted_at - 1s;
    world.queued(expired);
    const auto load = [&](std::size_t inbox, std::size_t broadcasts, bool more) {
        ReadSet reads;
        reads.instance(id, Depth::row);
        reads.set_width(inbox);
        reads.inbox(id, "paid");
        reads.set_width(broadcasts);
        reads.broadcasts(channel("paid"));
        world.round(reads, [&](View& view) {
            EXPECT_EQ(may_have_more_events(view, id, "paid"), more) << inbox << ' ' << broadcasts;
        });
    };
    load(2, 2, true);
    load(4, 1, true);
    load(4, 2, false);
    load(9, 9, false);
}

TEST_P(Mail, SizesDoNotCountExpiredEvents) {
    const InstanceId id = world.running();
    const InstanceId empty = world.running();
    world.queued("a", id);
    world.queued("b", id);
    world.queued("a");
    for (const auto& target : {std::optional(id), std::optional<InstanceId>()}) {
        Event expired = world.event("a", target);
        expired.expires_at = expired.accepted_at - 1s;
        world.queued(expired);
    }
    ReadSet reads;
    for (const InstanceId& one : {id, empty}) {
        reads.instance(one, Depth::row);
        reads.inbox_size(one);
        reads.ending_inbox(one);
    }
    for (const char* name : {"a", "nothing"}) reads.channel_size(channel(name));
    world.round(reads, [&](View& view) {
        EXPECT_EQ(view.mail().inbox_size(id), (QueueSize{2, 14}));
        EXPECT_EQ(view.mail().inbox_size(empty), QueueSize{});
        EXPECT_EQ(view.mail().channel_size(channel("a")), (QueueSize{1, 7}));
        EXPECT_EQ(view.mail().channel_size(channel("nothing")), QueueSize{});
        EXPECT_TRUE(view.mail().keys_to_release(id).empty());
    });
}

INSTANTIATE_TEST_SUITE_P(Stores, Mail, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
