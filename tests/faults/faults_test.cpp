// Each kind of fault, a few times; `./dev campaign faults` repeats them more often.
#include "faults/faults.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "faults/stream.h"

namespace holdfast::testing {
namespace {

void expect_passed(const FaultReport& report) {
    std::printf("%s\n", report.figures().c_str());
    EXPECT_TRUE(report.passed()) << report.complaints();
}

TEST(Faults, KillsOnSqliteLoseNothing) { expect_passed(kill_on_sqlite({.faults = 5})); }

TEST(Faults, NodesThatAreKilledOrStoppedLoseNothing) { expect_passed(lose_nodes({.faults = 3})); }

TEST(Faults, CutCommitsAreSettled) { expect_passed(cut_commits({.faults = 12})); }

TEST(Faults, PostgresRestartsAreSurvivedUnattended) {
    expect_passed(restart_database({.faults = 3}));
}

TEST(Faults, DroppedNotificationsCostAHeartbeat) {
    expect_passed(drop_notifications({.faults = 10}));
}

TEST(Faults, WorkThatEndsTheProcessBecomesADeadLetter) { expect_passed(run_poison({})); }

TEST(Faults, ClockJumpsFireNoTimerEarlyAndLoseNone) { expect_passed(jump_clock({.faults = 3})); }

TEST(Outages, OneNodeDown) { expect_passed(run_outage(Outage::one_node_down, {.faults = 1})); }

TEST(Outages, AllNodesDown) { expect_passed(run_outage(Outage::all_nodes_down, {.faults = 1})); }

TEST(Outages, DatabaseDown) { expect_passed(run_outage(Outage::database_down, {.faults = 1})); }

TEST(Outages, NodesAndDatabaseDownWhileTimersComeDue) {
    expect_passed(run_outage(Outage::nodes_and_database_down, {.faults = 1}));
}

TEST(StreamFaults, EveryReaderHasTheHistoryOnceAfterKills) {
    const StreamReport report = follow_through_kills(
        {.readers = 8, .writers = 2, .kills = 3, .idle = std::chrono::seconds(2)});
    std::printf("%s\n", report.figures().c_str());
    EXPECT_TRUE(report.is_clean()) << report.figures();
}

class Idle : public ::testing::TestWithParam<const char*> {};

TEST_P(Idle, SendsOnlyHeartbeatsToTheStore) {
    expect_passed(run_idle({.store = GetParam(), .time = std::chrono::seconds(60)}));
}

INSTANTIATE_TEST_SUITE_P(OnEveryStore, Idle, ::testing::Values("sqlite", "postgres"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace holdfast::testing
