// take_overs() counts the steps that were in progress at the fault, and nothing else.
#include "faults/effects.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::steady_clock::time_point noon{1'000s};
constexpr NodeFault fault{.node = 1, .at = noon};

Effect began(const char* instance, pid_t node, std::chrono::milliseconds after) {
    return {EffectKind::began, instance, 0, 1, node, noon + after};
}
Effect recorded(const char* instance, pid_t node, std::chrono::milliseconds after) {
    return {EffectKind::recorded, instance, 0, 1, node, noon + after};
}

TEST(Effects, ReadBackAsTheyWereWritten) {
    const std::string path = std::filesystem::temp_directory_path() / "holdfast-effects-test";
    std::ofstream(path) << to_line(began("a", 1, 3ms)) << to_line(recorded("a", 1, 4ms)) << "b a";
    EXPECT_EQ(read_effects(path), (std::vector<Effect>{began("a", 1, 3ms), recorded("a", 1, 4ms)}));
    std::filesystem::remove(path);
}

TEST(Effects, AStepThatAnotherNodeBeginsAgainIsATakeOver) {
    EXPECT_EQ(take_overs({began("a", 1, -5ms), began("a", 2, 700ms)}, fault),
              std::vector<double>{700});
}

TEST(Effects, AStepThatWasNotInProgressIsNoTakeOver) {
    EXPECT_TRUE(
        take_overs({began("a", 1, -5ms), recorded("a", 1, -1ms), began("a", 2, 700ms)}, fault)
            .empty());
    EXPECT_TRUE(take_overs({began("a", 2, -5ms), began("a", 3, 700ms)}, fault).empty());
    EXPECT_TRUE(
        take_overs({began("a", 1, -5ms), recorded("a", 1, 1ms), began("a", 2, 700ms)}, fault)
            .empty());
}

TEST(Effects, InconsistenciesWithTheHistoryAreReported) {
    const std::vector<RelayFacts> facts = {
        {.ids = {"a"}, .rows = {{.version = 2, .type = HistoryType::step_recorded, .index = 0}}}};
    EXPECT_TRUE(
        inconsistencies({began("a", 1, 0ms), began("a", 2, 1ms), recorded("a", 2, 2ms)}, facts)
            .empty());
    EXPECT_EQ(inconsistencies({}, facts).size(), 1u);
    EXPECT_EQ(
        inconsistencies({began("a", 1, 0ms), recorded("a", 1, 1ms), recorded("a", 2, 2ms)}, facts)
            .size(),
        1u);
}

}  // namespace
}  // namespace holdfast::testing
