// A server that is killed or stopped under load, on both stores.
#include <gtest/gtest.h>

#include "support/kill_campaign.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

class KilledServer : public ::testing::TestWithParam<const char*> {};

TEST_P(KilledServer, KeepsEveryAcknowledgedChangeAndNoHalfOne) {
    const CampaignReport report = run_kills({.store = GetParam(), .rounds = 10, .seed = 20});
    std::printf("%s: %s\n", GetParam(), report.figures().c_str());
    EXPECT_EQ(report.passed, 10);
    EXPECT_EQ(report.verdict.violations(), 0u) << report.complaints();
    EXPECT_GT(report.verdict.acknowledged_edits, 200u);
    EXPECT_GT(report.verdict.acknowledged_starts, 0u);
    EXPECT_GT(report.verdict.unknown, 0u) << "no kill hit a request in progress";
}

TEST_P(KilledServer, AnswersAcceptedRequestsWhenItIsTerminated) {
    const CampaignReport report = run_terminations({.store = GetParam(), .rounds = 3, .seed = 21});
    std::printf("%s: %s\n", GetParam(), report.figures().c_str());
    EXPECT_EQ(report.passed, 3);
    EXPECT_EQ(report.verdict.violations(), 0u) << report.complaints();
    EXPECT_GT(report.verdict.acknowledged_edits, 60u);
}

INSTANTIATE_TEST_SUITE_P(OnEveryStore, KilledServer, ::testing::Values("sqlite", "postgres"),
                         store_name);

}  // namespace
}  // namespace holdfast::testing
