// Schedules while their servers are killed: every due time fires once.
#include <gtest/gtest.h>

#include "support/private_postgres.h"
#include "support/schedule_fleet.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

TEST(KilledSchedule, FiresOnceForEveryDueTimeOnSqlite) {
    StorePlace place("sqlite");
    ServerProcess server(place.url());
    const ScheduleReport report = fire_through_kills({&server}, {.kills = 3});
    EXPECT_TRUE(report.is_clean()) << report.figures();
}

TEST(KilledSchedule, FiresOnceForEveryDueTimeOnThreeNodes) {
    PrivatePostgres database;
    const std::vector<std::string> short_lease{"--pump-lease-seconds", "2"};
    ServerProcess first(database.url(), short_lease);
    ServerProcess second(database.url(), short_lease);
    ServerProcess third(database.url(), short_lease);
    const ScheduleReport report = fire_through_kills({&first, &second, &third}, {.kills = 4});
    EXPECT_TRUE(report.is_clean()) << report.figures();
}

}  // namespace
}  // namespace holdfast::testing
