// The judge of the crash tests detects the faults that it exists for.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "support/kill_campaign.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

// A short load on SQLite, its log, and a server to compare it with.
class JudgedLoad : public ::testing::Test {
protected:
    JudgedLoad() {
        load_.resume(server_.url());
        EXPECT_TRUE(load_.wait_for_acknowledged(60, std::chrono::seconds(30)));
        load_.pause();
        log_ = load_.take_log();
    }

    Verdict judge(Unanswered unanswered = Unanswered::may_be_there) {
        ServerClient client(server_.url());
        return LoadJudge(load_.instances()).judge(client, log_, unanswered);
    }
    EditAttempt& first_done() {
        return *std::ranges::find(log_.edits, Told::done, &EditAttempt::told);
    }
    // Runs SQL on the database while no server has it open.
    void tamper(const std::string& sql) {
        ASSERT_EQ(server_.terminate(), 0);
        place_.execute(sql);
        server_.restart();
    }

    StorePlace place_{"sqlite"};
    ServerProcess server_{place_.url()};
    EditLoad load_{{.writers = 4, .seed = 5}, server_.url()};
    LoadLog log_;
};

TEST_F(JudgedLoad, IsFineWhenNothingHappened) {
    const Verdict verdict = judge();
    EXPECT_EQ(verdict.violations(), 0u);
    EXPECT_GE(verdict.acknowledged_edits + verdict.acknowledged_starts, 60u);
}

TEST_F(JudgedLoad, ShowsAnAcknowledgedEditThatIsNotThere) {
    EditAttempt invented = first_done();
    invented.correlation = "nobody-1";
    log_.edits.push_back(invented);
    EXPECT_EQ(judge().lost.size(), 1u);
}

TEST_F(JudgedLoad, ShowsAnAcknowledgedStartThatIsNotThere) {
    log_.starts.push_back({.key = "nobody-2", .state = boost::json::object{}, .told = Told::done});
    EXPECT_EQ(judge().lost.size(), 1u);
}

TEST_F(JudgedLoad, ShowsARefusedEditThatIsThere) {
    first_done().told = Told::refused;
    EXPECT_EQ(judge().otherwise.size(), 1u);
}

TEST_F(JudgedLoad, ShowsAnUnansweredEditOnlyWhereAllAreAnswered) {
    first_done().told = Told::unknown;
    EXPECT_EQ(judge(Unanswered::may_be_there).violations(), 0u);
    EXPECT_EQ(judge(Unanswered::must_be_absent).otherwise.size(), 1u);
}

TEST_F(JudgedLoad, ShowsAnEditThatWroteSomethingElse) {
    first_done().state = R"({"n":-1})";
    EXPECT_EQ(judge().half.size(), 1u);
}

TEST_F(JudgedLoad, ShowsHistoryThatWasCutOff) {
    tamper(
        "delete from history where position = (select max(position) from history where version > "
        "1)");
    EXPECT_GT(judge().violations(), 0u);
}

TEST_F(JudgedLoad, ShowsHistoryThatWasChanged) {
    tamper("update history set correlation = 'other' where position = 3");
    EXPECT_GT(judge().half.size(), 0u);
}

TEST_F(JudgedLoad, ShowsAStateThatFailsItsChecksum) {
    tamper("update documents set state = '{\"n\":-1}' where instance = 1");
    EXPECT_GT(judge().half.size(), 0u);
}

}  // namespace
}  // namespace holdfast::testing
