// The large values of events are stored once; what becomes of an event moves its row (001.9).
#include <fstream>

#include "support/mail_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

// The frames in the WAL of a SQLite database, by its index.
std::uint32_t wal_frames(const std::string& path) {
    std::ifstream index(path + "-shm", std::ios::binary);
    index.seekg(16);
    std::uint32_t frames = 0;
    index.read(reinterpret_cast<char*>(&frames), sizeof frames);
    return frames;
}

class ValuesOfEvents : public ::testing::TestWithParam<const char*> {};

// What becomes of an event moves its row, not its value.
TEST_P(ValuesOfEvents, AreStoredOnceWhateverBecomesOfThem) {
    MailWorld world(GetParam());
    const InstanceId target = world.running();
    const std::string text = "\"" + std::string(20'000, 'v') + "\"";
    const auto large = [&](OnTargetEnded policy) {
        Event event = world.event("large", target);
        event.value = document(text);
        event.on_target_ended = policy;
        return event;
    };
    const Event dead = large(OnTargetEnded::dead_letter);
    const Event moved = large(OnTargetEnded::broadcast);
    const Event discarded = large(OnTargetEnded::discard);
    ReadSet reads;
    reads.instance(target, Depth::row);
    for (const Event& event : {dead, moved, discarded}) reads.event(event.id);
    world.round(reads, [&](View& view) {
        for (const Event& event : {dead, moved, discarded}) view.mail().queue(event);
        EXPECT_EQ(view.changes().values.size(), 1u);
    });
    EXPECT_EQ(world.store->ask(FindEvent{dead.id})->queued->value.text(), text);
    EXPECT_EQ(world.store->ask(PendingEventQuery{})->items.at(0).value.text(), text);

    ReadSet ending;
    ending.instance(target, Depth::row);
    ending.ending_inbox(target);
    world.round(ending, [&](View& view) {
        Instance& ended = view.edit(target);
        ended.status = Status::succeeded;
        ended.completed_at = view.now();
        view.execute(ended,
                     {.type = HistoryType::succeeded, .payload = "{}", .cause = world.cause()});
        view.mail().end_inbox(ended, Status::succeeded, view.now());
        EXPECT_TRUE(view.changes().values.empty()) << "it is not written again";
    });
    EXPECT_EQ(world.store->ask(FindEvent{dead.id})->dead->event.value.text(), text);
    EXPECT_EQ(world.store->ask(DeadEventQuery{})->items.at(0).event.value.text(), text);
    EXPECT_EQ(world.store->ask(FindEvent{moved.id})->queued->value.text(), text);
    EXPECT_EQ(world.store->ask(FindEvent{discarded.id})->fates.at(0).fate, EventFate::discarded);
    if (world.place.kind() == "memory") return;
    world.writer.reset();
    world.coordinator.reset();
    world.store.reset();
    for (const char* table : {"pending_events", "dead_events"})
        EXPECT_EQ(world.place.query(std::string("select max(length(value)) from ") + table), "0")
            << table;
    EXPECT_EQ(world.place.query("select count(*) from shared_values"), "1");
}

INSTANTIATE_TEST_SUITE_P(Stores, ValuesOfEvents, all_stores(), store_name);

// 3 MB, less than a page of dead events: the end writes some rows, not the values.
TEST(ValuesOfEventsOnSqlite, AnEndWritesAsMuchForLargeValuesAsForSmallOnes) {
    const auto frames_of_end = [](std::size_t bytes) {
        MailWorld world("sqlite");
        const InstanceId target = world.running();
        for (int i = 0; i < 15; ++i) {
            Event event = world.event("n", target);
            event.value = document("\"" + std::string(bytes, static_cast<char>('a' + i % 26)) +
                                   std::to_string(i) + "\"");
            event.on_target_ended = OnTargetEnded::dead_letter;
            ReadSet reads;
            reads.instance(target, Depth::row);
            reads.event(event.id);
            world.round(reads, [&](View& view) { view.mail().queue(event); });
        }
        const std::string path = world.place.url().substr(world.place.url().find(':') + 1);
        const std::uint32_t before = wal_frames(path);
        world.run(op::Cancel{.cause = world.cause(), .instance = target});
        EXPECT_EQ(world.store->ask(DeadEventQuery{})->items.size(), 15u);
        return wal_frames(path) - before;
    };
    const std::uint32_t small = frames_of_end(10);
    const std::uint32_t large = frames_of_end(200'000);
    EXPECT_GT(small, 0u);
    EXPECT_LE(large, small + 10);
}

class LargeValues : public ::testing::TestWithParam<const char*> {
protected:
    LargeValues() : world(GetParam()) {}

    // Retention a day after the values were written.
    void prune_a_day_later() {
        world.tamper(world.place.kind() == "sqlite"
                         ? "update shared_values set at = at - 86400000000"
                         : "update shared_values set at = at - interval '1 day'");
        const Prune wanted{.keep_for = 24h,
                           .keep_records = 1h,
                           .lock = **world.store->lock_host("retention", "a", 1h)};
        const auto pruned = world.store->prune(wanted);
        ASSERT_TRUE(pruned.has_value()) << pruned.error().message;
    }
    std::string stored() {
        world.coordinator.reset();
        world.store.reset();
        return world.place.query("select count(*) from shared_values");
    }

    World world;
};

TEST_P(LargeValues, StayWhileAnEventHasThemQueuedOrDead) {
    world.define("orders");
    const InstanceId target = world.start("orders", "{}").id;
    const std::string text = "\"" + std::string(9'000, 'v') + "\"";
    const auto event = world.ids.next<EventId>();
    world.run(op::SendEvent{.cause = world.cause(),
                            .event = event,
                            .event_name = "paid",
                            .target = target,
                            .value = document(text),
                            .on_target_ended = OnTargetEnded::dead_letter});
    prune_a_day_later();
    EXPECT_EQ(world.store->ask(FindEvent{event})->queued->value.text(), text);
    world.run(op::Cancel{.cause = world.cause(), .instance = target});
    prune_a_day_later();
    ASSERT_TRUE(world.store->ask(FindEvent{event})->dead.has_value());
    EXPECT_EQ(world.store->ask(FindEvent{event})->dead->event.value.text(), text);
    world.run(op::RemoveDeadEvent{.cause = world.cause(), .event = event});
    prune_a_day_later();
    EXPECT_EQ(stored(), "0");
}

// A value that is old and still stored is young again when another event has it.
TEST_P(LargeValues, AreWrittenAgainForALaterEvent) {
    world.define("orders");
    const InstanceId target = world.start("orders", "{}").id;
    const auto send = [&] {
        const op::SendEvent sent{.cause = world.cause(),
                                 .event = world.ids.next<EventId>(),
                                 .event_name = "paid",
                                 .target = target,
                                 .value = document("\"" + std::string(9'000, 'v') + "\"")};
        world.run(sent);
        return sent.event;
    };
    const EventId first = send();
    world.tamper("update shared_values set at = " +
                 std::string(world.place.kind() == "sqlite" ? "0" : "'epoch'"));
    const EventId second = send();
    for (const EventId& id : {first, second})
        EXPECT_EQ(world.store->ask(FindEvent{id})->queued->value.text().size(), 9'002u);
    EXPECT_EQ(stored(), "1");
    EXPECT_EQ(world.place.query(world.place.kind() == "sqlite"
                                    ? "select count(*) from shared_values where at > 0"
                                    : "select count(*) from shared_values where at > 'epoch'"),
              "1");
}

INSTANTIATE_TEST_SUITE_P(Databases, LargeValues, ::testing::Values("sqlite", "postgres"),
                         store_name);

}  // namespace
}  // namespace holdfast::testing
