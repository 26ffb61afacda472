// The command: schedules.
#include "command_line.h"

namespace holdfast::cli {
namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST_F(CommandLine, ASchedulesLifeByCommands) {
    ASSERT_EQ(run({"define", "report"}).code, 0);
    const Ran created = run({"schedules", "create", "nightly", "--cron", "0 2 * * *", "--zone",
                             "Europe/Berlin", "--start", "report", "--overlap", "queue"});
    ASSERT_EQ(created.code, 0) << created.err;
    EXPECT_TRUE(contains(created.out, "nightly  active  '0 2 * * *' Europe/Berlin  next 20"))
        << created.out;
    EXPECT_EQ(run({"schedules", "create", "nightly", "--every", "1h", "--start", "report"}).code,
              3);
    EXPECT_EQ(run({"schedules", "create", "nightly", "--every", "12h", "--start", "report",
                   "--overlap", "queue", "--replace"})
                  .code,
              0);
    EXPECT_TRUE(contains(run({"schedules", "list"}).out, "nightly  active  every 12h"));
    EXPECT_TRUE(contains(run({"schedules", "upcoming", "--count", "3"}).out, "  nightly\n"));
    EXPECT_TRUE(contains(run({"schedules", "trigger", "nightly"}).out, "triggered"));
    EXPECT_TRUE(contains(run({"schedules", "trigger", "nightly"}).out, "queued 1"));
    EXPECT_TRUE(contains(run({"schedules", "clear-queue", "nightly"}).out, "queued 0"));
    EXPECT_EQ(run({"schedules", "pause", "nightly", "--reason", "a storm"}).out,
              "paused nightly\n");
    EXPECT_TRUE(contains(run({"schedules", "show", "nightly"}).out, "nightly  paused"));
    EXPECT_EQ(run({"schedules", "resume", "nightly"}).out, "resumed nightly\n");
    EXPECT_EQ(run({"schedules", "remove", "nightly"}).out, "removed nightly\n");
    EXPECT_EQ(run({"schedules", "show", "nightly"}).code, 4);
}

TEST_F(CommandLine, AScheduleThatIsWrongIsRefusedWithItsMember) {
    const Ran zone = run({"schedules", "create", "bad", "--cron", "0 2 * * *", "--zone", "Mars",
                          "--start", "report"});
    EXPECT_EQ(zone.code, 1);
    EXPECT_TRUE(contains(zone.err, "timeZone")) << zone.err;
    EXPECT_TRUE(
        contains(run({"schedules", "create", "bad", "--every", "1s"}).err, "start or send"));
    EXPECT_EQ(run({"schedules", "backfill", "nobody", "--from", "2026-01-01T00:00:00Z", "--to",
                   "2026-01-02T00:00:00Z"})
                  .code,
              4);
}

TEST_F(CommandLine, AStartMayMindItsBusinessKey) {
    ASSERT_EQ(run({"define", "minded"}).code, 0);
    const std::vector<std::string> start{"start", "minded", "--business-key", "m-1", "--on-open"};
    const auto with = [&](const std::string& policy) {
        std::vector<std::string> words = start;
        words.push_back(policy);
        return run(words);
    };
    const Ran first = with("reject");
    ASSERT_TRUE(contains(first.out, "started ")) << first.err;
    EXPECT_EQ(with("reject").code, 3);
    EXPECT_TRUE(contains(with("existing").out, "found ")) << "the same";
    EXPECT_TRUE(contains(with("cancel").out, "started "));
    EXPECT_EQ(with("maybe").code, 1);
    EXPECT_EQ(run({"start", "minded", "--on-closed", "reject"}).code, 1) << "no business key";
}

TEST_F(CommandLine, AScheduleFiresAtItsTime) {
    ASSERT_EQ(run({"define", "ticked"}).code, 0);
    ASSERT_EQ(run({"schedules", "create", "ticking", "--every", "1s", "--start", "ticked",
                   "--overlap", "allow"})
                  .code,
              0);
    std::string listed;
    for (int i = 0; i < 2'000 && !contains(listed, "schedule=ticking"); ++i)
        listed = run({"list", "--definition", "ticked"}).out;
    EXPECT_TRUE(contains(listed, "schedule=ticking")) << listed;
    EXPECT_EQ(run({"schedules", "remove", "ticking"}).code, 0);
}

}  // namespace
}  // namespace holdfast::cli
