// Time never goes back, even if the system clock does.
#include "base/time/clock.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using namespace std::chrono_literals;

constexpr Moment noon{1'000'000s};
constexpr ForwardTime::Steady start{50s};

TEST(ForwardTime, IsTheSystemTimeAsLongAsItAdvances) {
    ForwardTime time;
    EXPECT_EQ(time.at(noon, start), noon);
    EXPECT_EQ(time.at(noon + 1h, start + 1s), noon + 1h) << "also by a jump";
}

TEST(ForwardTime, AdvancesWhileTheSystemClockIsBehind) {
    ForwardTime time;
    time.at(noon, start);
    EXPECT_EQ(time.at(noon - 1h, start + 10ms), noon + 10ms);
    EXPECT_EQ(time.at(noon - 1h + 20ms, start + 30ms), noon + 30ms);
    EXPECT_EQ(time.at(noon + 40ms, start + 40ms), noon + 40ms) << "and is right again";
}

TEST(JumpWatch, DetectsAClockThatWasSetAndAMachineThatWasSuspended) {
    JumpWatch watch;
    EXPECT_FALSE(watch.has_jumped(noon, start));
    EXPECT_FALSE(watch.has_jumped(noon + 1s, start + 1s));
    EXPECT_TRUE(watch.has_jumped(noon + 1h, start + 2s));
    EXPECT_FALSE(watch.has_jumped(noon + 1h + 1s, start + 3s)) << "once a jump";
    EXPECT_TRUE(watch.has_jumped(noon, start + 4s));
}

TEST(JumpWatch, IgnoresSmallCorrections) {
    JumpWatch watch;
    watch.has_jumped(noon, start);
    for (int second = 1; second < 100; ++second)
        EXPECT_FALSE(watch.has_jumped(noon + second * 1'100ms, start + second * 1'000ms));
}

}  // namespace
}  // namespace holdfast
