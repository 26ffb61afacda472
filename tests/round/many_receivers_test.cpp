// What reaches many instances: signals of their own (001.5), and values that are stored once.
#include "support/world.h"

namespace holdfast::testing {
namespace {

constexpr std::size_t many = most_receivers + 44;

class ManyReceivers : public ::testing::TestWithParam<const char*> {
protected:
    ManyReceivers() : world(GetParam()) {
        world.define_program("checkout");
        world.define("orders");
    }

    std::vector<InstanceId> waiting(std::size_t count, Wait wait) {
        std::vector<InstanceId> ids;
        for (std::size_t i = 0; i < count; ++i) {
            const Instance instance = world.start("orders", "{}");
            ids.push_back(instance.id);
            world.run(op::Suspend{.cause = world.cause(),
                                  .instance = instance.id,
                                  .run = {instance.run, instance.index, {}},
                                  .wait = wait});
        }
        return ids;
    }
    op::SendEvent to_all(const std::string& value) {
        return {.cause = world.cause(),
                .event = world.ids.next<EventId>(),
                .event_name = "go",
                .value = document(value),
                .fan_out = FanOut::all};
    }
    // Handles the signals that are in the queue, as the pump does. How many there were.
    std::size_t pump() {
        std::size_t handled = 0;
        for (;;) {
            const auto claimed =
                world.store->claim({.node = *world.self.node, .programs = {"checkout"}});
            if (claimed->signals.empty()) return handled;
            for (const SignalRow& row : claimed->signals) {
                ++handled;
                world.run(op::HandleSignal{.cause = world.cause(),
                                           .instance = row.instance,
                                           .signal = row.id,
                                           .lease = {*row.leased_by, row.epoch}});
            }
        }
    }
    // What the operation reads until it can be decided; nothing is kept of its changes.
    template <class Op>
    ReadSet all_reads(const Op& op) {
        ReadSet all;
        op::reads(op, all);
        const auto writer = *world.store->open_writer();
        for (bool decided = false; !decided;) {
            const Round round{world.ids.next<RoundId>(), all};
            const auto committed = writer->commit(round, [&](View& view) {
                view.save();
                try {
                    decide(op, view);
                    decided = true;
                } catch (const LoadMore& more) {
                    all.merge(more.also);
                }
                view.roll_back();
            });
            if (!committed) throw std::runtime_error(committed.error().message);
        }
        return all;
    }
    std::size_t count(const std::vector<InstanceId>& ids, Status status) {
        return std::ranges::count_if(
            ids, [&](const InstanceId& id) { return world.read(id).status == status; });
    }

    World world;
};

TEST_P(ManyReceivers, AnEventForManyGoesToEachByASignalOfItsOwn) {
    const auto ids = waiting(many, {.names = {"go"}});
    const auto send = to_all("7");
    const auto sent = std::get<op::FannedOut>(world.run(send));
    EXPECT_TRUE(sent.on_the_way);
    EXPECT_TRUE(sent.to.empty());
    EXPECT_EQ(count(ids, Status::suspended), many) << "no round acts on all of them";
    // One that wakes by itself is not reached, and one that begins now neither.
    const Instance woken = world.read(ids[5]);
    world.run(op::SendEvent{.cause = world.cause(),
                            .event = world.ids.next<EventId>(),
                            .event_name = "go",
                            .target = woken.id});
    const auto later = waiting(1, {.names = {"go"}});
    EXPECT_EQ(pump(), many);
    EXPECT_EQ(count(ids, Status::running), many);
    EXPECT_EQ(count(later, Status::suspended), 1u);
    const KnownEvent known = *world.store->ask(FindEvent{send.event});
    EXPECT_EQ(known.fates.size(), many) << "of its own, and one for each but one";
    auto again = send;
    again.cause = world.cause();
    EXPECT_EQ(std::get<op::FannedOut>(world.run(again)).to.size(), many - 1) << "a repeat";
    EXPECT_EQ(pump(), 0u);
}

// What handling one of them reads does not grow with the others.
TEST_P(ManyReceivers, EachSignalOfAFanOutReadsWhetherItsOwnInstanceHasHadTheEvent) {
    const auto ids = waiting(many, {.names = {"go"}});
    const auto send = to_all("7");
    world.run(send);
    const auto claimed = world.store->claim({.node = *world.self.node, .programs = {"checkout"}});
    ASSERT_GT(claimed->signals.size(), 1u);
    for (const SignalRow& row : claimed->signals) {
        const op::HandleSignal handle{.cause = world.cause(),
                                      .instance = row.instance,
                                      .signal = row.id,
                                      .lease = {*row.leased_by, row.epoch}};
        const ReadSet reads = all_reads(handle);
        EXPECT_TRUE(reads.events().empty()) << "all fates of the event";
        EXPECT_EQ(reads.receipts(), (std::set{std::pair{send.event, row.instance}}));
        EXPECT_EQ(reads.instances().size(), 1u);
        world.run(handle);
    }
}

// 001.14
TEST_P(ManyReceivers, TheEndOfAWorkflowReachesManyBySignals) {
    const InstanceId awaited = world.start("orders", "{}").id;
    const auto ids = waiting(many, {.workflows = {awaited}});
    world.run(op::Cancel{.cause = world.cause(), .instance = awaited});
    EXPECT_EQ(count(ids, Status::suspended), many);
    EXPECT_EQ(pump(), many);
    EXPECT_EQ(count(ids, Status::running), many);
    EXPECT_EQ(world.store->ask(FindJournalEntry{ids[0], 0})->value().winner->type,
              WinnerType::workflow);
}

// 001.10
TEST_P(ManyReceivers, ACancelReachesManyChildrenBySignals) {
    const InstanceId parent = world.start("orders", "{}").id;
    std::vector<InstanceId> children;
    for (std::size_t i = 0; i < many; ++i) {
        Instance child = world.read(parent);
        child.id = world.ids.next<InstanceId>();
        child.parent = parent;
        world.run(op::Write{.cause = world.cause(), .instance = child, .expected = {}});
        children.push_back(child.id);
    }
    world.run(op::Cancel{.cause = world.cause(), .instance = parent, .reason = "enough"});
    EXPECT_EQ(world.read(parent).status, Status::cancelled);
    EXPECT_EQ(count(children, Status::cancelled), 0u);
    EXPECT_EQ(pump(), many);
    EXPECT_EQ(count(children, Status::cancelled), many);
}

std::string large(std::size_t bytes) { return "\"" + std::string(bytes, 'x') + "\""; }

TEST_P(ManyReceivers, ALargeValueIsStoredOnceHoweverManyItReaches) {
    constexpr std::size_t receivers = 60;
    const auto ids = waiting(receivers, {.names = {"go"}});
    const std::string value = large(200'000);
    EXPECT_TRUE(std::get<op::FannedOut>(world.run(to_all(value))).on_the_way)
        << "its copies would be large";
    EXPECT_EQ(pump(), receivers);
    for (const InstanceId& id : {ids.front(), ids.back()}) {
        EXPECT_EQ(world.store->ask(FindJournalEntry{id, 0})->value().step.value.text(), value);
        EXPECT_EQ(world.store->journal_from(id, 0, 9)->at(0).step.value.text(), value);
        const auto history = world.history(id);
        const HistoryRow& row = history.back();
        ASSERT_EQ(row.type, HistoryType::delivered);
        ASSERT_TRUE(row.value.has_value());
        EXPECT_EQ(row.value->text(), value);
        EXPECT_LT(row.payload.size(), 300u);
        EXPECT_NE(row.payload.find(to_hex(sha256(value))), std::string::npos);
        EXPECT_EQ(chain(history[history.size() - 2].hash, row), row.hash) << "I10";
    }
    if (world.place.kind() == "memory") return;
    const std::string length = world.place.kind() == "sqlite" ? "length" : "octet_length";
    std::string stored;
    world.coordinator->shutdown();
    for (const char* column : {"steps.value", "history.payload", "shared_values.value",
                               "signal_queue.envelope", "pending_events.value"}) {
        const std::string name(column);
        const std::size_t dot = name.find('.');
        stored += (stored.empty() ? "select " : " + ") + std::string("(select coalesce(sum(") +
                  length + "(" + name.substr(dot + 1) + ")), 0) from " + name.substr(0, dot) + ")";
    }
    world.store.reset();
    EXPECT_LT(std::stoul(world.place.query(stored)), value.size() + 60'000);
}

TEST_P(ManyReceivers, AFewGetALargeValueInOneCommitAndItIsStoredOnce) {
    const auto ids = waiting(3, {.names = {"go"}});
    const std::string value = large(5'000);
    EXPECT_EQ(std::get<op::FannedOut>(world.run(to_all(value))).to.size(), 3u);
    for (const InstanceId& id : ids)
        EXPECT_EQ(world.store->ask(FindJournalEntry{id, 0})->value().step.value.text(), value);
    // A repeat of the wait gets the value, too.
    const auto woken = world.run(op::Suspend{
        .cause = world.cause(), .instance = ids[0], .run = {1, 0, {}}, .wait = {.names = {"go"}}});
    EXPECT_EQ(std::get<op::Woken>(woken).value.text(), value);
}

TEST_P(ManyReceivers, TheSignalsOfAFanOutLeaveNothingInTheLedger) {
    const auto ids = waiting(many, {.names = {"go"}});
    world.run(to_all("7"));
    EXPECT_EQ(pump(), many);
    EXPECT_EQ(count(ids, Status::running), many);
    if (world.place.kind() == "memory") return;
    world.coordinator.reset();
    world.store.reset();
    EXPECT_EQ(world.place.query("select count(*) from processed_signals"), "0");
}

TEST_P(ManyReceivers, ADeepTreeIsCancelledByTheRoundAndByTheSignalsThatGoOn) {
    constexpr int levels = 600;
    const Instance root = world.start("orders", "{}");
    std::vector<InstanceId> line{root.id};
    for (int level = 1; level < levels; ++level) {
        Instance child = root;
        child.id = world.ids.next<InstanceId>();
        child.parent = line.back();
        world.run(op::Write{.cause = world.cause(), .instance = child});
        line.push_back(child.id);
    }
    const auto cancelled =
        world.run(op::Cancel{.cause = world.cause(), .instance = root.id, .reason = "not needed"});
    EXPECT_TRUE(std::holds_alternative<op::Cancelled>(cancelled));
    const std::size_t at_once = count(line, Status::cancelled);
    EXPECT_GT(at_once, 24u);
    EXPECT_LT(at_once, 256u) << "of no round more";
    const std::size_t signals = pump();
    EXPECT_EQ(count(line, Status::cancelled), line.size());
    EXPECT_LE(signals, levels / at_once + 1);
    EXPECT_EQ(world.read(line.back()).cancel_reason, "not needed");
}

INSTANTIATE_TEST_SUITE_P(Stores, ManyReceivers, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
