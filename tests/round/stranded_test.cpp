// Instances whose program no node has: they get an incident in time and go on by themselves.
#include "pump/signals/stranded.h"

#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class StrandedFlows : public ::testing::TestWithParam<const char*> {
protected:
    StrandedFlows() : world(GetParam()), metrics(world.registry) {
        world.define_program("checkout");
        world.self.programs.clear();  // this node cannot run it
        checkout = world.start("checkout", "{}").id;
    }

    std::optional<std::chrono::microseconds> look(StrandedSearch& search) {
        const auto next = search.look();
        EXPECT_TRUE(next) << next.error().message;
        return next.value_or(std::nullopt);
    }
    // A microsecond must have gone by on the store's clock, which a fast store outruns.
    void look_until_reported(StrandedSearch& quick) {
        for (int i = 0; i < 10'000 && !world.read(checkout).incident; ++i) look(quick);
    }
    StrandedSearch search(std::chrono::microseconds after) {
        return StrandedSearch({.store = *world.store,
                               .ids = world.ids,
                               .metrics = metrics,
                               .report =
                                   [this](std::vector<op::ReportStranded> operations) {
                                       reports += operations.size();
                                       return world.coordinator->run_all(std::move(operations));
                                   }},
                              after);
    }
    // A node that has the program claims the continuation.
    Lease bring_program() {
        const NodeId node = world.ids.next<NodeId>();
        EXPECT_TRUE(world.store->join({node, "with", 1h, {"checkout"}}));
        const auto claimed = world.store->claim({.node = node, .programs = {"checkout"}})->signals;
        EXPECT_EQ(claimed.size(), 1u);
        return {node, claimed.at(0).epoch};
    }
    op::Run place(const Lease& lease) {
        const Instance instance = world.read(checkout);
        return {instance.run, instance.index, lease};
    }

    World world;
    PumpMetrics metrics;
    InstanceId checkout;
    std::size_t reports = 0;
};

INSTANTIATE_TEST_SUITE_P(Stores, StrandedFlows, all_stores(), store_name);

TEST_P(StrandedFlows, AreAnIncidentOnlyAfterTheTime) {
    StrandedSearch patient = search(1h);
    const auto next = look(patient);
    ASSERT_TRUE(next) << "it looks again in time";
    EXPECT_LE(*next, 1h);
    EXPECT_FALSE(world.read(checkout).incident);
    EXPECT_EQ(metrics.stranded.Value(), 0);

    StrandedSearch quick = search(1us);
    look_until_reported(quick);
    EXPECT_TRUE(look(quick));
    const Instance stranded = world.read(checkout);
    EXPECT_TRUE(stranded.incident);
    EXPECT_EQ(stranded.last_error, "missing_program");
    EXPECT_EQ(stranded.status, Status::running);
    EXPECT_FALSE(stranded.buried);
    EXPECT_EQ(world.history(checkout).back().type, HistoryType::incident_raised);
    EXPECT_EQ(metrics.stranded.Value(), 1);

    const std::size_t before = reports;
    look(quick);
    EXPECT_EQ(reports, before) << "it is reported once";
}

TEST_P(StrandedFlows, GoOnWhenANodeBringsTheProgram) {
    StrandedSearch quick = search(1us);
    look_until_reported(quick);
    ASSERT_TRUE(world.read(checkout).incident);
    const Lease lease = bring_program();
    EXPECT_FALSE(look(quick)) << "nothing is missing: it sleeps";
    EXPECT_EQ(metrics.stranded.Value(), 0);
    EXPECT_TRUE(std::holds_alternative<op::Asleep>(
        world.run(op::Suspend{.cause = world.cause(),
                              .instance = checkout,
                              .run = place(lease),
                              .wait = {.names = {EventKey("paid")}}})));
    EXPECT_FALSE(world.read(checkout).incident);
    EXPECT_FALSE(world.read(checkout).last_error);
}

TEST_P(StrandedFlows, ThatWereClaimedMeanwhileAreNotReported) {
    const auto found = world.store->ask(FindStranded{})->items;
    ASSERT_EQ(found.size(), 1u);
    const op::ReportStranded late{
        .cause = world.cause(), .instance = checkout, .signal = found[0].signal, .detail = "late"};
    bring_program();
    EXPECT_TRUE(std::holds_alternative<op::NotStranded>(world.run(late)));
    EXPECT_FALSE(world.read(checkout).incident);
}

}  // namespace
}  // namespace holdfast::testing
