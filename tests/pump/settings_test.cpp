// Settings of the pump: values out of range are refused by the name of their flag.
#include "pump/settings.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

std::string refusal(const PumpSettings& settings) {
    const auto checked = check(settings);
    return checked ? "" : checked.error().message;
}

TEST(PumpSettingsCheck, TakesTheDefaults) { EXPECT_EQ(refusal({}), ""); }

TEST(PumpSettingsCheck, NamesTheFlagThatIsOutOfRange) {
    EXPECT_EQ(refusal({.consumers = 0}), "--pump-consumers must be a number from 1 to 256");
    EXPECT_EQ(refusal({.receive_wait = std::chrono::seconds(0)}),
              "--pump-receive-wait-seconds must be a number from 1 to 3600");
    EXPECT_EQ(refusal({.max_concurrent_handlers = 0}),
              "--pump-max-concurrent-handlers must be a number from 1 to 100000");
    EXPECT_EQ(refusal({.max_poison_retries = 0}),
              "--pump-max-poison-retries must be a number from 1 to 1000");
    EXPECT_EQ(refusal({.lease = std::chrono::seconds(7'200)}),
              "--pump-lease-seconds must be a number from 1 to 3600");
}

TEST(PumpSettingsCheck, KnowsThePolicies) {
    EXPECT_EQ(parse_dead_letter_policy("move"), DeadLetterPolicy::move);
    EXPECT_EQ(parse_dead_letter_policy("hold"), DeadLetterPolicy::hold);
    EXPECT_FALSE(parse_dead_letter_policy("drop"));
}

TEST(PauseAfter, DoublesUpToAMinute) {
    const PumpSettings settings{.retry_pause = std::chrono::milliseconds(100)};
    EXPECT_EQ(pause_after(settings, 1), std::chrono::milliseconds(100));
    EXPECT_EQ(pause_after(settings, 2), std::chrono::milliseconds(200));
    EXPECT_EQ(pause_after(settings, 4), std::chrono::milliseconds(800));
    EXPECT_EQ(pause_after(settings, 1'000), std::chrono::minutes(1));
}

}  // namespace
}  // namespace holdfast
