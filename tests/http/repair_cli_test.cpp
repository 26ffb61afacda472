// Commands that repair: migrate, retry, bulk.
#include "command_line.h"

namespace holdfast::cli {
namespace {

std::string status_of_job(const std::string& id) {
    const Ran shown = run({"bulk", "show", id, "-o", "json"});
    return shown.code ? "" : std::string(bj::parse(shown.out).at("status").as_string());
}

TEST_F(CommandLine, AWorkflowIsMigrated) {
    ASSERT_EQ(run({"define", "moved"}).code, 0);
    const Ran began = run({"start", "moved", "-o", "json"});
    ASSERT_EQ(began.code, 0) << began.err;
    const std::string id(bj::parse(began.out).at("id").as_string());
    ASSERT_EQ(run({"define", "moved", "--index", "n"}).code, 0);
    const Ran told = run({"migrate", id, "--to", "2", "--dry-run"});
    EXPECT_EQ(told.out, "can migrate " + id + " from version 1 to 2\n") << told.err;
    const Ran done = run({"workflows", "migrate", id, "--to", "2", "--reason", "new rules"});
    EXPECT_EQ(done.out, "migrated " + id + " from version 1 to 2\n") << done.err;
    EXPECT_EQ(run({"migrate", id, "--to", "9"}).code, 1);
    EXPECT_EQ(run({"migrate", id, "--to", "9", "--dry-run"}).code, 1);
    EXPECT_EQ(run({"migrate", id, "--to", "2", "--map", "a"}).code, 2);
}

TEST_F(CommandLine, ManyWorkflowsAreChangedByOneCommand) {
    const bj::object one = started({"--business-key", "bulk-1"});
    const std::string id(one.at("id").as_string());
    const std::vector<std::string> where{"--where", "businessKey=bulk-1"};
    const Ran plan = run({"bulk", "pause", where[0], where[1], "--dry-run"});
    EXPECT_EQ(plan.out, "would change 1 workflows\n  " + id + "\n") << plan.err;
    const Ran begun =
        run({"bulk", "pause", where[0], where[1], "--reason", "a storm", "-o", "json"});
    ASSERT_EQ(begun.code, 0) << begun.err;
    const std::string job(bj::parse(begun.out).at("id").as_string());
    for (int i = 0; i < 200 && status_of_job(job) != "done"; ++i) {
    }
    const Ran shown = run({"bulk", "show", job});
    EXPECT_NE(shown.out.find("done  pause  1 done, 0 refused of 1"), std::string::npos)
        << shown.out;
    EXPECT_NE(run({"bulk", "list"}).out.find(job), std::string::npos);
    EXPECT_NE(run({"show", id}).out.find("paused"), std::string::npos);
    EXPECT_NE(run({"bulk", "stop", job}).out.find("done"), std::string::npos);
    EXPECT_EQ(run({"retry", id}).code, 3) << "there is nothing to retry";
    EXPECT_EQ(run({"bulk", "migrate", where[0], where[1]}).code, 2) << "--to is missing";
}

}  // namespace
}  // namespace holdfast::cli
