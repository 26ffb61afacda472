// How long the answer of an Idempotency-Key is kept: at least as long as the instance that it made,
// and the window of retention after it (004.9).
#include "support/manual_clock.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using std::chrono::days;

class KeyLifetime : public ::testing::TestWithParam<const char*> {
protected:
    KeyLifetime()
        : place(GetParam()),
          ids(clock, 1),
          metrics(registry),
          store(*open_store(place.url(), {.clock = &clock})),
          coordinator(*Coordinator::open(*store, ids, metrics)) {
        run(op::Define{.key = "orders"});
    }
    ~KeyLifetime() override { coordinator->shutdown(); }

    template <class Op>
    typename Op::Outcome run(Op op) {
        op.cause = {.operation = ids.next<OperationId>()};
        return *coordinator->submit(std::move(op)).get();
    }
    InstanceId start(const std::string& key) {
        const auto outcome = run(op::Start{.client_key = op::ClientKey{key, sha256("same")},
                                           .definition = "orders",
                                           .state = document("{}"),
                                           .state_metadata = document("{}")});
        return std::get<op::Started>(outcome).instance.id;
    }
    void end(const InstanceId& id) {
        run(op::Finish{.instance = id, .run = {1, 0, {}}, .result = document("{}")});
    }
    bool has(const InstanceId& id) { return store->ask(FindInstance{id, Depth::row})->has_value(); }
    // Ten days go by; PostgreSQL has its own clock, so its rows become older.
    void wait() {
        clock.pass(days(10));
        if (place.kind() != "postgres") return;
        place.execute("update operations set at = at - interval '10 days'");
        place.execute("update instances set completed_at = completed_at - interval '10 days'");
    }
    void prune() {
        const auto lock = store->lock_host("retention", "a", std::chrono::hours(1));
        ASSERT_TRUE(lock && *lock);
        ASSERT_TRUE(store->prune({.keep_for = days(5), .keep_records = days(5), .lock = **lock})
                        .has_value());
    }

    StorePlace place;
    ManualClock clock;
    IdSource ids;
    prometheus::Registry registry;
    CoordinatorMetrics metrics;
    std::unique_ptr<Store> store;
    std::unique_ptr<Coordinator> coordinator;
};

TEST_P(KeyLifetime, AKeyStartsNoSecondInstanceWhileTheFirstIsOpen) {
    const InstanceId id = start("k");
    for (int i = 0; i < 3; ++i) {
        wait();
        prune();
        ASSERT_EQ(start("k"), id);
    }
}

TEST_P(KeyLifetime, AKeyStaysForTheWindowAfterItsInstanceIsDeleted) {
    const InstanceId id = start("k");
    end(id);
    wait();
    prune();
    ASSERT_FALSE(has(id));
    EXPECT_EQ(start("k"), id);
    wait();
    prune();
    EXPECT_NE(start("k"), id);
}

TEST_P(KeyLifetime, AKeyOfAClearedInstanceStaysForTheWindow) {
    const InstanceId id = start("k");
    run(op::Clear{.instance = id});
    ASSERT_FALSE(has(id));
    prune();
    EXPECT_EQ(start("k"), id);
    wait();
    prune();
    EXPECT_NE(start("k"), id);
}

// Not only what made the instance: a repeated cancel of an open parent must not become a second
// one.
TEST_P(KeyLifetime, AKeyOfAChangeStaysWithItsInstance) {
    const InstanceId id = start("k");
    const auto paused = [&] {
        return std::get<op::Paused>(
                   run(op::Pause{.client_key = op::ClientKey{"p", sha256("same")}, .instance = id}))
            .version;
    };
    const Version first = paused();
    run(op::Resume{.instance = id});
    wait();
    prune();
    EXPECT_EQ(paused(), first);
}

INSTANTIATE_TEST_SUITE_P(Stores, KeyLifetime, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
