// Rounds: one commit for many operations, answers in order after it, bounded queues, drain (001.1,
// I33).
#include <latch>

#include "base/json/canonical.h"
#include "support/batch.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class Rounds : public ::testing::TestWithParam<const char*> {};

op::EditState increment(World& world, const Instance& instance, std::optional<Version> expected,
                        int n) {
    return {.cause = world.cause(),
            .instance = instance.id,
            .expected = expected,
            .edit = op::Replace{.state = Document::of(boost::json::object{{"n", n}})}};
}

TEST_P(Rounds, ABatchIsOneCommitWithResultsInOrder) {
    World world(GetParam(), {.writers = 1});
    world.define("orders");
    const Instance instance = world.start("orders", R"({"n":0})");
    const double commits = world.metrics.commits.Value();
    std::vector<Operation> batch;
    for (int i = 0; i < 50; ++i)
        batch.push_back(increment(world, instance, static_cast<Version>(i + 1), i + 1));
    batch.push_back(increment(world, instance, 1, 999));
    const auto results = testing::submit_batch(*world.coordinator, std::move(batch)).get();
    EXPECT_EQ(world.metrics.commits.Value(), commits + 1);
    for (std::size_t i = 0; i < 50; ++i) {
        const auto& outcome = std::get<op::EditState::Outcome>(*results[i]);
        EXPECT_EQ(std::get<op::Edited>(outcome).version, i + 2);
    }
    const auto& last = std::get<op::EditState::Outcome>(*results[50]);
    EXPECT_EQ(std::get<op::Stale>(last).actual, 51u);
    EXPECT_EQ(world.history(instance.id).size(), 51u);
    EXPECT_EQ(world.read(instance.id).state, document(R"({"n":50})"));
}

TEST_P(Rounds, AFoldEqualsOneRoundPerOperation) {
    World folded(GetParam(), {.writers = 1});
    World single(GetParam(), {.writers = 1});
    std::vector<std::string> texts[2];
    for (World* world : {&folded, &single}) {
        world->define("orders");
        const Instance instance = world->start("orders", R"({"n":0})");
        std::vector<Operation> batch{
            increment(*world, instance, 1, 1),
            op::Checkpoint{.cause = world->cause(), .instance = instance.id, .checkpoint = "c"},
            increment(*world, instance, 2, 2),
            increment(*world, instance, 2, 3),
            op::Restore{.cause = world->cause(), .instance = instance.id, .checkpoint = "c"},
            op::Cancel{.cause = world->cause(), .instance = instance.id, .reason = "done"},
            increment(*world, instance, std::nullopt, 4),
            op::Clear{.cause = world->cause(), .instance = instance.id, .expected = 5},
            op::Read{.cause = world->cause(), .instance = instance.id},
            op::Write{.cause = world->cause(), .instance = Instance{.id = instance.id}}};
        auto& outcomes = texts[world == &single];
        const auto add = [&](const Result<AnyOutcome>& outcome) {
            boost::json::object printed = to_json(*outcome);
            for (const char* varying : {"lastModifiedAt", "before", "checkpoint"})
                printed.erase(varying);
            outcomes.push_back(json::canonical(printed));
        };
        if (world == &folded)
            for (const auto& outcome : testing::submit_batch(*world->coordinator, batch).get())
                add(outcome);
        else
            for (const Operation& one : batch)
                add(testing::submit_batch(*world->coordinator, {one}).get()[0]);
        for (const HistoryRow& row : world->history(instance.id))
            outcomes.push_back(std::string(name_of(row.type)) + std::to_string(row.version) +
                               row.payload);
        outcomes.push_back(world->read(instance.id).state.text());
    }
    EXPECT_EQ(texts[0], texts[1]);
}

TEST_P(Rounds, ShutdownFinishesWhatIsQueuedAndRefusesTheRest) {
    World world(GetParam());
    world.define("orders");
    std::vector<std::future<Result<op::Start::Outcome>>> starts;
    for (int i = 0; i < 500; ++i)
        starts.push_back(
            world.coordinator->submit(op::Start{.cause = world.cause(), .definition = "orders"}));
    world.coordinator->shutdown();
    for (auto& start : starts) EXPECT_TRUE(std::holds_alternative<op::Started>(*start.get()));
    const auto late =
        world.coordinator->submit(op::Start{.cause = world.cause(), .definition = "orders"}).get();
    ASSERT_FALSE(late.has_value());
    EXPECT_EQ(late.error().code, ErrorCode::shutting_down);
}

TEST_P(Rounds, AnswersComeInTheOrderOfSubmissionAndAllOfThem) {
    World world(GetParam());
    world.define("orders");
    const Instance instance = world.start("orders", R"({"n":0})");
    std::vector<Version> answered;  // one thread at a time: all are on one shard
    for (int i = 0; i < 3'000; ++i)
        world.coordinator->submit(increment(world, instance, std::nullopt, 1),
                                  [&answered](Result<op::EditState::Outcome> outcome) {
                                      answered.push_back(std::get<op::Edited>(*outcome).version);
                                  });
    world.coordinator->shutdown();
    ASSERT_EQ(answered.size(), 3'000u);
    for (std::size_t i = 0; i < answered.size(); ++i) ASSERT_EQ(answered[i], i + 2);
}

TEST_P(Rounds, TheActiveLookUpFollowsTheCommit) {
    World world(GetParam());
    world.define("orders");
    const Instance instance = world.start("orders", R"({"n":0})");
    EXPECT_EQ(world.coordinator->get_active(instance.id)->version, 1u);
    world.run(increment(world, instance, 1, 1));
    EXPECT_EQ(world.coordinator->get_active(instance.id)->version, 2u);
    world.run(op::Cancel{.cause = world.cause(), .instance = instance.id});
    EXPECT_EQ(world.coordinator->get_active(instance.id), nullptr);
}

TEST_P(Rounds, TheSameClientKeyGetsTheSameAnswerAlsoInOneRound) {
    World world(GetParam());
    world.define("orders");
    const auto keyed = [&](const std::string& request) {
        return op::Start{.cause = world.cause(),
                         .client_key = op::ClientKey{"key-1", sha256(request)},
                         .definition = "orders"};
    };
    const auto id_of = [](const Result<AnyOutcome>& outcome) {
        return std::get<op::Started>(std::get<op::Start::Outcome>(*outcome)).instance.id;
    };
    // One batch may span shards: the database's unique key decides between them.
    const auto first = testing::submit_batch(*world.coordinator, {keyed("a"), keyed("a")}).get();
    EXPECT_EQ(id_of(first[0]), id_of(first[1]));
    const auto again = testing::submit_batch(*world.coordinator, {keyed("a")}).get();
    EXPECT_EQ(id_of(again[0]), id_of(first[0]));
    const auto other = world.coordinator->submit(keyed("b")).get();
    ASSERT_FALSE(other.has_value());
    EXPECT_EQ(other.error().code, ErrorCode::key_reused);
    EXPECT_EQ(world.store->ask(InstanceQuery{.limit = 10})->items.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Stores, Rounds, all_stores(), store_name);

TEST(RoundLimits, AFullQueueIsRefusedAtOnce) {
    std::latch entered{1};
    std::latch leave{1};
    std::atomic<bool> blocking = false;
    World world("memory",
                {.lose_commit =
                     [&] {
                         if (blocking.exchange(false)) {
                             entered.count_down();
                             leave.wait();
                         }
                         return false;
                     }},
                {.queue = 2});
    world.define("orders");
    const auto start = [&] {
        return world.coordinator->submit(op::Start{.cause = world.cause(), .definition = "orders"});
    };
    blocking = true;
    auto committing = start();
    entered.wait();
    auto second = start();
    auto third = start();
    const auto refused = start().get();
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::overloaded);
    leave.count_down();
    EXPECT_TRUE(committing.get().has_value());
    EXPECT_TRUE(second.get().has_value());
    EXPECT_TRUE(third.get().has_value());
}

// Rounds that the test runs itself.
class RunByHand : public ::testing::Test {
protected:
    RunByHand() {
        world.define("orders");
        for (InstanceId& id : targets) id = world.start("orders", "{}").id;
    }

    void send(const std::string& name, std::size_t target, std::size_t bytes) {
        coordinator->submit(
            op::SendEvent{.cause = world.cause(),
                          .event = world.ids.next<EventId>(),
                          .event_name = "n",
                          .target = targets[target],
                          .value = document("\"" + std::string(bytes, 'v') + "\"")},
            [this, name](const Result<op::SendEvent::Outcome>& outcome) {
                EXPECT_TRUE(outcome && std::holds_alternative<op::Queued>(*outcome));
                answered.push_back(name);
            });
    }
    Shard& shard() { return *coordinator->shards().front(); }
    // The names of what the next round answered.
    std::vector<std::string> round() {
        answered.clear();
        EXPECT_TRUE(shard().run_round());
        return answered;
    }

    World world{"memory"};
    std::unique_ptr<Coordinator> coordinator =
        *Coordinator::open_driven(*world.store, world.ids, world.metrics, {}, [](std::size_t) {});
    std::array<InstanceId, 4> targets;
    std::vector<std::string> answered;
};

using Names = std::vector<std::string>;

TEST_F(RunByHand, LargeOperationsWithoutRoomInTheRoundAreOvertakenBySmallOnes) {
    send("large 0", 0, 600'000);
    send("large 1", 1, 600'000);
    send("large 2", 2, 600'000);
    send("small 3", 3, 10);
    send("small 1", 1, 10);
    EXPECT_EQ(round(), (Names{"large 0", "small 3"})) << "small 1 stays behind large 1";
    EXPECT_EQ(round(), (Names{"large 1", "small 1"}));
    EXPECT_EQ(round(), (Names{"large 2"}));
    EXPECT_FALSE(shard().run_round());
}

TEST_F(RunByHand, SmallOnesWaitForOneRoundHoweverManyLargeOnesAreBeforeThem) {
    for (int i = 0; i < 20; ++i) send("large", i % 3, 900'000);
    send("small", 3, 10);
    EXPECT_EQ(round(), (Names{"large", "small"}));
    for (int i = 0; i < 19; ++i) EXPECT_EQ(round(), (Names{"large"}));
}

TEST_F(RunByHand, SmallOnesGoBesideALargeOneThatFillsTheRound) {
    for (int i = 0; i < 3; ++i) send("huge", i, 3'000'000);
    send("small", 3, 10);
    EXPECT_EQ(round(), (Names{"huge", "small"}));
    for (int i = 0; i < 2; ++i) EXPECT_EQ(round(), (Names{"huge"}));
}

TEST_F(RunByHand, AnOperationLargerThanARoundIsTheOnlyLargeOne) {
    send("small 0", 0, 10);
    send("huge", 1, 3'000'000);
    send("small 2", 2, 10);
    EXPECT_EQ(round(), (Names{"small 0", "small 2"}));
    EXPECT_EQ(round(), (Names{"huge"}));
}

// A patch of thousands of steps, a compiled model: their ends take milliseconds.
TEST_F(RunByHand, LargeOperationsEndWhereTheShardIsTold) {
    std::vector<std::move_only_function<void()>> ended;
    shard().set_dispose([&](std::move_only_function<void()> work) {
        ended.push_back(std::move(work));
        return true;
    });
    send("large", 0, 300'000);
    send("small", 1, 10);
    EXPECT_EQ(round(), (Names{"large", "small"}));
    EXPECT_EQ(ended.size(), 1u);
}

TEST(OperationJson, OperationsAndOutcomesPrintAsJson) {
    World world("memory");
    world.define("orders");
    const op::Start start{
        .cause = world.cause(), .definition = "orders", .state = document(R"({"n":1})")};
    const boost::json::object printed = to_json(Operation(start));
    EXPECT_EQ(printed.at("operation"), "start");
    EXPECT_EQ(printed.at("state"), json_of(R"({"n":1})"));
    const boost::json::object outcome = to_json(AnyOutcome(world.run(start)));
    EXPECT_EQ(outcome.at("outcome"), "started");
    EXPECT_EQ(outcome.at("instance").at("version"), 1);
}

}  // namespace
}  // namespace holdfast::testing
