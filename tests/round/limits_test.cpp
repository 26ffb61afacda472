// Definitions with limits: who is over them waits for its turn (ADR 64).
#include "program/limiter/program.h"
#include "support/batch.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class LimitsOf : public ::testing::TestWithParam<const char*> {
protected:
    LimitsOf() : world(GetParam()) {}

    void define(const std::string& key, const std::string& limits) {
        world.run(define_op(key, limits));
    }
    op::Define define_op(const std::string& key, const std::string& limits) {
        op::Define op{.cause = world.cause(), .key = key};
        if (!limits.empty()) op.limits = *read_limits(json_of(limits).as_object());
        return op;
    }
    op::Start start_op(const std::string& key, const std::string& business = "",
                       std::uint64_t priority = 0) {
        return {.cause = world.cause(),
                .definition = key,
                .business = {.key = business, .parts = {}},
                .arguments = document("[1]"),
                .priority = priority};
    }
    InstanceId start(const std::string& key, const std::string& business = "",
                     std::uint64_t priority = 0) {
        return std::get<op::Started>(world.run(start_op(key, business, priority))).instance.id;
    }
    std::vector<InstanceId> start_many(const std::string& key, int count) {
        std::vector<InstanceId> ids;
        for (int i = 0; i < count; ++i) ids.push_back(start(key));
        return ids;
    }
    bool runs(const InstanceId& id) { return world.read(id).status == Status::running; }
    bool waits(const InstanceId& id) { return wait_for_turn(world.read(id)) != nullptr; }
    int running(const std::vector<InstanceId>& ids) {
        return static_cast<int>(
            std::ranges::count_if(ids, [&](const InstanceId& id) { return runs(id); }));
    }
    void finish(const InstanceId& id) {
        const auto outcome = world.run(
            op::Finish{.cause = world.cause(), .instance = id, .run = {.run = 1, .index = 0}});
        EXPECT_TRUE(std::holds_alternative<op::Finished>(outcome));
    }
    InstanceId limiter(const std::string& key, const std::string& value = "") {
        return limiter_of("default", key, value);
    }
    // What the timers would do; as often as something is due now.
    void look(const InstanceId& limiter) {
        for (int rounds = 0; rounds < 100; ++rounds) {
            const auto due = world.store->ask(FindDueTimers{1'000});
            ASSERT_TRUE(due);
            bool fired = false;
            for (const DueTimer& timer : due->due) {
                if (timer.instance != limiter) continue;
                fired = true;
                world.run(op::FireTimer{.cause = Cause::of_engine(world.cause().operation),
                                        .instance = timer.instance,
                                        .token = timer.token});
            }
            if (!fired) return;
        }
        FAIL() << "something is due again and again";
    }

    World world;
};
INSTANTIATE_TEST_SUITE_P(Stores, LimitsOf, all_stores(), store_name);

TEST_P(LimitsOf, LetNoMoreRunThanTheConcurrency) {
    define("order", R"({"concurrency": 2})");
    const auto ids = start_many("order", 5);
    EXPECT_EQ(running(ids), 2);
    EXPECT_TRUE(runs(ids[0]) && runs(ids[1]));
    EXPECT_TRUE(waits(ids[4]));
    finish(ids[0]);
    look(limiter("order"));
    EXPECT_TRUE(runs(ids[2])) << "the one that waited longest";
    EXPECT_EQ(running(ids), 2);
    world.run(op::Cancel{.cause = world.cause(), .instance = ids[3]});
    finish(ids[1]);
    finish(ids[2]);
    look(limiter("order"));
    EXPECT_TRUE(runs(ids[4])) << "a cancelled one leaves its place to the next";
    finish(ids[4]);
    look(limiter("order"));
    EXPECT_TRUE(runs(start("order"))) << "nobody waits any more";
}

TEST_P(LimitsOf, HoldInOneRound) {
    define("order", R"({"concurrency": 3})");
    std::vector<Operation> starts;
    for (int i = 0; i < 10; ++i) starts.emplace_back(start_op("order"));
    std::vector<InstanceId> ids;
    for (const auto& outcome : submit_batch(*world.coordinator, std::move(starts)).get())
        ids.push_back(std::get<op::Started>(std::get<op::Start::Outcome>(*outcome)).instance.id);
    EXPECT_EQ(running(ids), 3);
    std::vector<Operation> ends;
    for (const InstanceId& id : ids)
        if (runs(id))
            ends.emplace_back(
                op::Finish{.cause = world.cause(), .instance = id, .run = {.run = 1, .index = 0}});
    submit_batch(*world.coordinator, std::move(ends)).get();
    look(limiter("order"));
    EXPECT_EQ(running(ids), 3);
}

TEST_P(LimitsOf, CountEachKeyAlone) {
    define("order", R"({"concurrency": 1, "key": "businessKey"})");
    const InstanceId first = start("order", "ada");
    const InstanceId second = start("order", "ada");
    const InstanceId other = start("order", "bob");
    EXPECT_TRUE(runs(first));
    EXPECT_TRUE(waits(second));
    EXPECT_TRUE(runs(other));
    finish(first);
    look(limiter("order", "ada"));
    EXPECT_TRUE(runs(second));
}

TEST_P(LimitsOf, ServeMoreUrgentStartsFirst) {
    define("order", R"({"concurrency": 1})");
    const InstanceId running = start("order");
    const InstanceId plain = start("order");
    const InstanceId urgent = start("order", "", 9);
    const InstanceId medium = start("order", "", 3);
    for (const auto& [ended, next] :
         {std::pair{running, urgent}, std::pair{urgent, medium}, std::pair{medium, plain}}) {
        finish(ended);
        look(limiter("order"));
        EXPECT_TRUE(runs(next));
    }
}

TEST_P(LimitsOf, AWaitOfMinutesIsWorthAStepOfPriority) {
    define("order", R"({"concurrency": 1})");
    start("order");
    const InstanceId urgent = start("order", "", 2);
    const Instance stored = world.read(urgent);
    EXPECT_EQ(stored.created_at - wait_for_turn(stored)->began_at, std::chrono::minutes(2));
}

TEST_P(LimitsOf, PutStartsOffByTheRate) {
    define("order", R"({"rate": "1/1h"})");
    const auto ids = start_many("order", 3);
    EXPECT_EQ(running(ids), 1);
    finish(ids[0]);
    look(limiter("order"));
    EXPECT_EQ(running(ids), 0) << "an end gives no turn before its time";
    const auto due = world.store->ask(FindDueTimers{10});
    ASSERT_TRUE(due && due->next);
    EXPECT_GT(*due->next, due->now + std::chrono::minutes(50));
}

TEST_P(LimitsOf, GiveTheTurnsOfTheRateInTime) {
    define("order", R"({"rate": "1000/1s"})");
    const auto ids = start_many("order", 20);
    for (int tries = 0; running(ids) < 20 && tries < 10'000; ++tries) look(limiter("order"));
    EXPECT_EQ(running(ids), 20);
}

TEST_P(LimitsOf, AllowABurst) {
    define("order", R"({"rate": "1/1h", "burst": 3})");
    EXPECT_EQ(running(start_many("order", 5)), 3);
}

TEST_P(LimitsOf, AreThoseOfTheNewestVersion) {
    define("order", R"({"concurrency": 1})");
    const auto ids = start_many("order", 6);
    define("order", R"({"concurrency": 3})");
    look(limiter("order"));
    EXPECT_EQ(running(ids), 3);
    define("order", "");
    look(limiter("order"));
    EXPECT_EQ(running(ids), 6);
    EXPECT_TRUE(runs(start("order")));
}

TEST_P(LimitsOf, GiveTurnsToThousandsInParts) {
    define("order", R"({"concurrency": 1})");
    std::vector<Operation> starts;
    for (int i = 0; i < 200; ++i) starts.emplace_back(start_op("order"));
    std::vector<InstanceId> ids;
    for (const auto& outcome : submit_batch(*world.coordinator, std::move(starts)).get())
        ids.push_back(std::get<op::Started>(std::get<op::Start::Outcome>(*outcome)).instance.id);
    define("order", "");
    look(limiter("order"));
    EXPECT_EQ(running(ids), 200);
}

TEST_P(LimitsOf, PassOverWhoIsPaused) {
    define("order", R"({"concurrency": 1})");
    const InstanceId running = start("order");
    const InstanceId paused = start("order");
    const InstanceId last = start("order");
    world.run(op::Pause{.cause = world.cause(), .instance = paused});
    finish(running);
    look(limiter("order"));
    EXPECT_TRUE(runs(last));
    finish(last);
    look(limiter("order"));
    world.run(op::Resume{.cause = world.cause(), .instance = paused});
    look(limiter("order"));
    EXPECT_TRUE(runs(paused));
}

TEST_P(LimitsOf, HoldStartsWhileTheLimiterIsPaused) {
    define("order", R"({"concurrency": 5})");
    const InstanceId first = start("order");
    world.run(op::Pause{.cause = world.cause(), .instance = limiter("order")});
    const InstanceId second = start("order");
    EXPECT_TRUE(waits(second));
    finish(first);
    world.run(op::Resume{.cause = world.cause(), .instance = limiter("order")});
    look(limiter("order"));
    EXPECT_TRUE(runs(second));
}

TEST_P(LimitsOf, OutliveARestart) {
    if (std::string(GetParam()) == "memory") return;
    define("order", R"({"concurrency": 1})");
    const auto ids = start_many("order", 3);
    world.restart();
    finish(ids[0]);
    world.restart();
    look(limiter("order"));
    EXPECT_TRUE(runs(ids[1]));
    EXPECT_TRUE(waits(ids[2]));
}

TEST_P(LimitsOf, LeaveTheStateOfALimiterAlone) {
    define("order", R"({"concurrency": 1})");
    const auto ids = start_many("order", 2);
    world.run(op::Cancel{.cause = world.cause(), .instance = limiter("order")});
    EXPECT_TRUE(is_open(world.read(limiter("order")).status));
    const auto outcome = world.run(op::EditState{.cause = world.cause(),
                                                 .instance = limiter("order"),
                                                 .expected = world.read(limiter("order")).version,
                                                 .edit = op::Replace{document("{}"), {}}});
    EXPECT_TRUE(std::holds_alternative<op::InvalidState>(outcome));
    finish(ids[0]);
    look(limiter("order"));
    EXPECT_TRUE(runs(ids[1]));
}

TEST_P(LimitsOf, AreMadeAgainAfterALimiterWasCleared) {
    define("order", R"({"concurrency": 1})");
    const auto ids = start_many("order", 3);
    world.run(op::Clear{.cause = world.cause(), .instance = limiter("order")});
    finish(ids[0]);
    const InstanceId next = start("order");
    look(limiter("order"));
    EXPECT_EQ(running(ids) + runs(next), 1);
    for (const InstanceId& id : {next, ids[1], ids[2]}) {
        if (runs(id)) finish(id);
        look(limiter("order"));
    }
}

}  // namespace
}  // namespace holdfast::testing
