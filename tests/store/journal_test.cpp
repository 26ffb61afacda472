// The journal, and how clear and merge use the history of an instance (001.11, 001.13, 000.13).
#include "support/mail_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Journal : public ::testing::TestWithParam<const char*> {
protected:
    Journal() : world(GetParam()) {}

    MailWorld world;
};

TEST_P(Journal, TheJournalHoldsStepsAndWinnersByIndex) {
    const InstanceId id = world.running();
    const Step charge{.instance = id,
                      .index = 0,
                      .name = "charge",
                      .input_hash = sha256("input"),
                      .result = StepResult::error,
                      .value = document(R"({"code":"declined"})"),
                      .at = world.clock.now()};
    const Step wait{.instance = id,
                    .index = 1,
                    .name = "paid",
                    .value = document("7"),
                    .at = world.clock.now()};
    const Winner winner{.instance = id, .index = 1, .type = WinnerType::event, .name = "paid"};
    world.round(id, [&](View& view) {
        view.record(charge);
        view.record(wait);
        view.record(winner);
    });
    EXPECT_EQ((*world.store->ask(FindJournalEntry{id, 0}))->step, charge);
    EXPECT_FALSE((*world.store->ask(FindJournalEntry{id, 0}))->winner);
    EXPECT_EQ((*world.store->ask(FindJournalEntry{id, 1}))->step, wait);
    EXPECT_EQ((*world.store->ask(FindJournalEntry{id, 1}))->winner, winner);
    EXPECT_FALSE(*world.store->ask(FindJournalEntry{id, 2}));

    ReadSet reads;
    reads.instance(id, Depth::row);
    for (std::uint64_t index : {0, 1, 2}) reads.step(id, index);
    world.round(reads, [&](View& view) {
        EXPECT_EQ(*view.step(id, 0), charge);
        EXPECT_EQ(*view.winner(id, 1), winner);
        EXPECT_EQ(view.step(id, 2), nullptr);
        EXPECT_EQ(view.winner(id, 0), nullptr);
    });
}

TEST_P(Journal, RowsOfManyInstancesAreFoundAtOnce) {
    const InstanceId one = world.running();
    const InstanceId two = world.running();
    const InstanceId missing = world.ids.next<InstanceId>();
    const auto rows = world.store->ask(FindRows{{{two, missing, one}}});
    ASSERT_TRUE(rows);
    std::map<InstanceId, Instance> found;
    for (const Instance& row : *rows) found.emplace(row.id, row);
    ASSERT_EQ(found.size(), 2U);
    for (const InstanceId& id : {one, two})
        EXPECT_EQ(found.at(id), (*world.store->ask(FindInstance{id, Depth::row}))->instance);
}

TEST_P(Journal, AContinuedRunBeginsWithAnEmptyJournal) {
    const InstanceId id = world.running();
    const auto step = [&](std::uint64_t index, const std::string& name) {
        return Step{.instance = id, .index = index, .name = name, .at = world.clock.now()};
    };
    world.round(id, [&](View& view) {
        view.record(step(0, "old"));
        view.record(step(1, "old"));
        view.record(Winner{.instance = id, .index = 1, .name = "old"});
    });
    world.round(id, [&](View& view) {
        view.clear_journal(id);
        view.record(step(0, "arguments"));
    });
    EXPECT_EQ((*world.store->ask(FindJournalEntry{id, 0}))->step.name, "arguments");
    EXPECT_FALSE(*world.store->ask(FindJournalEntry{id, 1}));
}

// Counts the rows that refer to an instance.
constexpr const char* orphans[] = {
    "select count(*) from waits",
    "select count(*) from completion_waits",
    "select count(*) from timers",
    "select count(*) from steps",
    "select count(*) from winning_conditions",
    "select count(*) from pending_events where target_id is not null",
    "select count(*) from documents",
    "select count(*) from checkpoints",
    "select count(*) from activities",
    "select count(*) from instances",
};

TEST_P(Journal, AClearLeavesNoOrphan) {
    const Instance sleeper = world.suspended({.names = {"go", "stop"},
                                              .until = world.clock.now() - 1h,
                                              .workflows = {world.ids.next<InstanceId>()}});
    const InstanceId id = sleeper.id;
    world.round(id, [&](View& view) {
        Instance& instance = view.edit(id);
        instance.state = document(R"({"n":1})");
        instance.children.active.push_back({world.ids.next<ActivityInstanceId>(), "pay"});
        view.record(Step{.instance = id, .index = 0, .name = "old", .at = view.now()});
        view.record(Winner{.instance = id, .index = 0, .name = "old"});
        view.put(Checkpoint{.instance = id, .name = "c", .version = 1, .created_at = view.now()});
    });
    const Event queued = world.queued("paid", id);
    const Event broadcast = world.queued("paid");
    const Event fresh = world.event("paid", id);
    world.round(id, [&](View& view) {
        view.mail().queue(fresh);
        view.clear(id, world.cause());
    });

    EXPECT_TRUE(world.store->ask(FindDueTimers{10})->due.empty());
    EXPECT_FALSE(*world.store->ask(FindJournalEntry{id, 0}));
    EXPECT_EQ(world.store->ask(PendingEventQuery{})->items, std::vector{broadcast});
    for (const Event& event : {queued, fresh}) {
        const auto known = world.store->ask(FindEvent{event.id});
        ASSERT_EQ(known->fates.size(), 1u) << "I3: its id stays known";
        EXPECT_EQ(known->fates[0].fate, EventFate::discarded);
        EXPECT_FALSE(known->fates[0].instance);
    }
    if (world.place.kind() == "memory") return;
    world.writer.reset();
    world.coordinator.reset();
    world.store.reset();
    for (const char* sql : orphans) EXPECT_EQ(world.place.query(sql), "0") << sql;
}

TEST_P(Journal, AnIdThatIsClearedAndStartedInOneRoundKeepsNothing) {
    const Instance old = world.suspended({.names = {"go"}, .until = world.clock.now() - 1h});
    world.round(old.id, [&](View& view) {
        for (std::uint64_t index : {0, 1})
            view.record(Step{.instance = old.id, .index = index, .name = "old", .at = view.now()});
        view.record(Winner{.instance = old.id, .index = 1, .name = "old"});
    });
    world.queued("paid", old.id);
    const Event kept = world.event("paid", old.id);
    ReadSet reads;
    reads.instance(old.id, Depth::whole, Past::looked_up);
    for (std::uint64_t index : {0, 1}) reads.step(old.id, index);
    reads.inbox(old.id, "paid");
    world.round(reads, [&](View& view) {
        view.clear(old.id, world.cause());
        Instance fresh = world.fresh_instance();
        fresh.id = old.id;
        MailWorld::insert(view, fresh, world.cause());
        EXPECT_EQ(view.step(old.id, 0), nullptr);
        EXPECT_EQ(view.winner(old.id, 1), nullptr);
        view.record(Step{.instance = old.id, .index = 0, .name = "new", .at = view.now()});
        view.mail().queue(kept);
    });
    EXPECT_EQ((*world.store->ask(FindJournalEntry{old.id, 0}))->step.name, "new");
    EXPECT_FALSE(*world.store->ask(FindJournalEntry{old.id, 1}));
    EXPECT_EQ(world.store->ask(PendingEventQuery{})->items, std::vector{kept});
    EXPECT_TRUE(world.store->ask(FindDueTimers{10})->due.empty());
}

TEST_P(Journal, AMergeMayUseABaseVersionThatASuspendWrote) {
    world.define("orders");
    const Instance order = world.start("orders", R"({"a":1,"b":1})");
    world.run(op::Suspend{
        .cause = world.cause(), .instance = order.id, .run = {1, 0}, .wait = {.names = {"paid"}}});
    world.run(op::SendEvent{.cause = world.cause(),
                            .event = world.ids.next<EventId>(),
                            .event_name = "paid",
                            .target = order.id,
                            .value = document("1")});
    const auto edit = [&](Version expected, const char* patch) {
        return std::get<op::Edited>(world.run(op::EditState{.cause = world.cause(),
                                                            .instance = order.id,
                                                            .expected = expected,
                                                            .edit = op::MergePatch{document(patch)},
                                                            .on_conflict = OnConflict::merge}));
    };
    EXPECT_EQ(edit(3, R"({"a":2})").version, 4u);
    const auto merged = edit(2, R"({"b":2})");
    EXPECT_EQ(merged.resolution, Resolution::merged);
    EXPECT_EQ(merged.state, document(R"({"a":2,"b":2})"));
}

INSTANTIATE_TEST_SUITE_P(Stores, Journal, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
