// A kind of program that moves within the rounds, with two waits at a time (001.24).
#include "support/tally/tally.h"

#include "program/kinds.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class Tally : public ::testing::TestWithParam<const char*> {
protected:
    Tally() : world(GetParam()) { register_tally(); }

    InstanceId start(const TallySource& source = {}) {
        const std::string text = to_text(source);
        world.run(op::Define{.cause = world.cause(),
                             .key = "counter",
                             .kind = std::string(tally_kind),
                             .source = text,
                             .program = tally_program(text)});
        return world.start("counter", "{}").id;
    }
    op::SendEvent::Outcome send(const std::string& name, std::optional<InstanceId> target = {}) {
        return world.run(op::SendEvent{.cause = world.cause(),
                                       .event = world.ids.next<EventId>(),
                                       .event_name = name,
                                       .target = target,
                                       .value = document("1")});
    }
    std::uint64_t count(const InstanceId& id) {
        return world.read(id).state.value().at("count").to_number<std::uint64_t>();
    }
    std::map<std::string, TokenId> waits(const InstanceId& id) {
        std::map<std::string, TokenId> by_name;
        for (const Waiting& waiting : world.read(id).waits)
            by_name.emplace(waiting.wait.names.front().name, waiting.token);
        return by_name;
    }

    World world;
};

TEST_P(Tally, ADeliveryEndsItsWaitAlone) {
    const InstanceId id = start();
    EXPECT_EQ(world.read(id).status, Status::suspended);
    EXPECT_EQ(world.read(id).run_by, RunBy::rounds);
    const auto before = waits(id);
    ASSERT_EQ(before.size(), 2u);
    EXPECT_TRUE(std::holds_alternative<op::Delivered>(send("tick", id)));
    EXPECT_TRUE(std::holds_alternative<op::Delivered>(send("tick")));
    EXPECT_EQ(count(id), 2u);
    const auto after = waits(id);
    EXPECT_EQ(after.at("stop"), before.at("stop"));
    EXPECT_NE(after.at("tick"), before.at("tick"));
    EXPECT_TRUE(std::holds_alternative<op::Delivered>(send("stop")));
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(world.read(id).result, document("2"));
    EXPECT_TRUE(world.read(id).waits.empty());
}

// Its next wait begins in the round of a sender who does not name it.
TEST_P(Tally, TakesAKeptEventOnce) {
    const InstanceId id = start();
    world.run(op::SendEvent{.cause = world.cause(),
                            .event = world.ids.next<EventId>(),
                            .event_name = "tick",
                            .value = document("1"),
                            .keep = Keep::yes});
    EXPECT_EQ(count(id), 1u);
    world.run(op::SendEvent{.cause = world.cause(),
                            .event = world.ids.next<EventId>(),
                            .event_name = "tick",
                            .value = document("1"),
                            .fan_out = FanOut::all});
    EXPECT_EQ(count(id), 2u);
}

TEST_P(Tally, TakesWhatIsQueuedWhenItBegins) {
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(std::holds_alternative<op::Queued>(send("tick")));
    const InstanceId id = start({.last = 5});
    EXPECT_EQ(count(id), 3u);
    send("tick", id);
    send("tick", id);
    EXPECT_EQ(world.read(id).status, Status::succeeded);
    EXPECT_EQ(count(id), 5u);
}

// What is queued may be more than a round should do: the instance is put aside, nothing is lost.
TEST_P(Tally, ThatFindsTooMuchIsPutAsideAndGoesOn) {
    constexpr std::uint64_t queued = 300;
    for (std::uint64_t i = 0; i < queued; ++i) send("tick");
    const InstanceId id = start();
    EXPECT_TRUE(world.read(id).incident);
    EXPECT_TRUE(world.read(id).paused);
    EXPECT_EQ(count(id), 256u);
    world.run(op::Resume{.cause = world.cause(), .instance = id});
    EXPECT_EQ(count(id), queued);
    EXPECT_FALSE(world.read(id).paused);
}

TEST_P(Tally, APausedOneTakesNothingUntilItIsResumed) {
    const InstanceId id = start();
    world.run(op::Pause{.cause = world.cause(), .instance = id});
    EXPECT_TRUE(std::holds_alternative<op::Queued>(send("tick", id)));
    EXPECT_TRUE(std::holds_alternative<op::Queued>(send("tick", id)));
    EXPECT_EQ(count(id), 0u);
    world.run(op::Resume{.cause = world.cause(), .instance = id});
    EXPECT_EQ(count(id), 2u);
    EXPECT_EQ(waits(id).size(), 2u);
}

TEST_P(Tally, AFanOutReachesItOncePerWait) {
    const InstanceId id = start({.tick = "both", .stop = "both"});
    op::SendEvent all{.cause = world.cause(),
                      .event = world.ids.next<EventId>(),
                      .event_name = "both",
                      .value = document("1"),
                      .fan_out = FanOut::all};
    const auto sent = std::get<op::FannedOut>(world.run(all));
    EXPECT_EQ(sent.to, (std::vector{id, id}));
    EXPECT_EQ(count(id), 2u);
    EXPECT_EQ((*world.store->ask(FindEvent{all.event})).fates.size(), 1u);
}

TEST_P(Tally, NobodyActsForIt) {
    const InstanceId id = start();
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(
        world.run(op::Finish{.cause = world.cause(), .instance = id, .run = {1, 0}})));
    EXPECT_TRUE(std::holds_alternative<op::Overtaken>(world.run(op::Suspend{
        .cause = world.cause(), .instance = id, .run = {1, 0}, .wait = {.names = {"tick"}}})));
}

TEST_P(Tally, IsCancelled) {
    const InstanceId id = start();
    world.run(op::Cancel{.cause = world.cause(), .instance = id, .reason = "enough"});
    EXPECT_EQ(world.read(id).status, Status::cancelled);
}

TEST_P(Tally, AsksAPersonAndGoesOnWithTheAnswer) {
    const InstanceId id = start({.last = 1, .task = "approve"});
    send("tick", id);
    const auto tasks = world.store->ask(TaskQuery{.instance = id, .limit = 10});
    ASSERT_EQ(tasks->items.size(), 1u);
    const HumanTask task = tasks->items.front();
    EXPECT_EQ(task.spec.name, "approve");
    EXPECT_EQ(world.read(id).waits.size(), 2u);
    world.run(op::ClaimTask{.cause = world.cause("ann"), .instance = id, .task = task.id});
    world.run(op::CompleteTask{.cause = world.cause("ann"), .instance = id, .task = task.id});
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

TEST_P(Tally, StartsAChildAndGoesOnWhenItEnds) {
    world.define("orders");
    const InstanceId id = start({.last = 1, .child = "orders"});
    send("tick", id);
    const auto page = world.store->ask(InstanceQuery{.definition = "orders", .limit = 2});
    ASSERT_EQ(page->items.size(), 1u);
    const Instance child = page->items.front().instance;
    EXPECT_EQ(child.parent, id);
    world.run(op::Finish{.cause = world.cause(), .instance = child.id, .run = {1, 0}});
    EXPECT_EQ(world.read(id).status, Status::succeeded);
}

TEST_P(Tally, AChildWithoutADefinitionIsAnIncident) {
    const InstanceId id = start({.last = 1, .child = "nobody"});
    send("tick", id);
    EXPECT_TRUE(world.read(id).incident);
    EXPECT_EQ(world.read(id).last_error, "unknown_definition");
}

TEST_P(Tally, OfAnUnknownKindIsRefused) {
    EXPECT_FALSE(ProgramKinds::known().compile(Definition{.ref = {"x", 1}, .kind = "magic"}));
}

INSTANTIATE_TEST_SUITE_P(Stores, Tally, ::testing::Values("memory", "sqlite", "postgres"),
                         store_name);

}  // namespace
}  // namespace holdfast::testing
