// The retention of definitions, on every store.
#include "support/pump_world.h"

namespace holdfast::testing {
namespace {

using std::chrono::days;

class Retentions : public ::testing::TestWithParam<const char*> {
protected:
    Retentions() : world(GetParam()) {}
    void define(const std::string& key, const Retention& retention) {
        world.run(op::Define{.cause = world.cause(), .key = key, .retention = retention});
    }
    World world;
};

TEST_P(Retentions, AreThoseOfTheNewestVersions) {
    define("plain", {});
    define("changed", {.keep_for = days(1)});
    define("changed", {.keep_for = days(2), .stale_after = days(3)});
    define("taken_back", {.keep_for = days(1)});
    define("taken_back", {});
    define("for_ever", {.keep_for = std::chrono::microseconds(0)});
    const auto found = world.store->ask(ListRetentions{});
    ASSERT_TRUE(found) << found.error().message;
    const std::map<std::string, Retention> expected{
        {"changed", {.keep_for = days(2), .stale_after = days(3)}},
        {"for_ever", {.keep_for = std::chrono::microseconds(0)}}};
    EXPECT_EQ(*found, expected);
}

INSTANTIATE_TEST_SUITE_P(Stores, Retentions, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
