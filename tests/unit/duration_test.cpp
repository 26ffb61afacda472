// Parsing of durations.
#include "base/time/duration.h"

#include <gtest/gtest.h>

namespace holdfast {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

TEST(Duration, BothFormsAreRead) {
    const std::pair<const char*, microseconds> texts[] = {
        {"10s", 10s},        {"24h", 24h},       {"1h30m", 90min},
        {"500ms", 500ms},    {"2d", 48h},        {"1w1d", 192h},
        {"1.5h", 90min},     {"0.000001s", 1us}, {"0s", 0s},
        {"1h0m5s", 1h + 5s}, {"PT10S", 10s},     {"PT1H30M", 90min},
        {"P1D", 24h},        {"P1DT12H", 36h},   {"P2W", 336h},
        {"PT0.5S", 500ms},   {"PT36H", 36h},     {"P36525D", 36'525 * 24h}};
    for (const auto& [text, time] : texts) EXPECT_EQ(parse_duration(text), time) << text;
}

TEST(Duration, EverythingElseIsRefused) {
    for (const char* text : {"",
                             " ",
                             "10",
                             "s",
                             "m1s",
                             "-10s",
                             "+10s",
                             "10 s",
                             "10s ",
                             "1e3s",
                             "10x",
                             "10S",
                             "10sec",
                             "30m1h",
                             "1h1h",
                             "1..5s",
                             ".5s",
                             "5.s",
                             "0.0000001s",
                             "P",
                             "PT",
                             "P1DT",
                             "P1",
                             "PT1",
                             "P1Y",
                             "P1M",
                             "PT1D",
                             "P1H",
                             "-PT1S",
                             "P-1D",
                             "PT1H1D",
                             "PT5M3H",
                             "pt5s",
                             "P1D12H",
                             "PT5STT",
                             "1hT",
                             "99999999999999999999s",
                             "36526d",
                             "P36526D",
                             "9223372036854775807us",
                             "infinity",
                             "1h\n"})
        EXPECT_FALSE(parse_duration(text)) << text;
}

}  // namespace
}  // namespace holdfast
