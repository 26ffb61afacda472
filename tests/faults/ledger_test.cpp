// The comparison of the fault tests detects every kind of violation.
#include "faults/ledger.h"

#include <gtest/gtest.h>

#include <functional>

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

// One relay of a wait for an event, a timer, a step, an edit and its end: acknowledged and stored.
class LedgerCheck : public ::testing::Test {
protected:
    LedgerCheck() {
        ledger_.relays = {{.key = "one", .id = "id", .timers = {{2, 10ms}}}};
        call(Action::start, "one");
        call(Action::wait, "0");
        call(Action::send, "event");
        call(Action::step, "1", 4);
        call(Action::wait, "2");
        call(Action::edit, "edit", 7);
        call(Action::complete, "", 8);
        RelayFacts facts{.ids = {"id"}, .status = "succeeded"};
        const Moment noon{1'000s};
        facts.rows = {{.version = 1, .type = HistoryType::started},
                      {.version = 2, .type = HistoryType::suspended, .index = 0},
                      {.version = 3, .type = HistoryType::delivered, .index = 0, .key = "event"},
                      {.version = 4, .type = HistoryType::step_recorded, .index = 1},
                      {.version = 5, .type = HistoryType::suspended, .index = 2, .at = noon},
                      {.version = 6,
                       .type = HistoryType::delivered,
                       .index = 2,
                       .at = noon + 10ms,
                       .due = noon + 10ms},
                      {.version = 7, .type = HistoryType::state_changed, .key = "edit"},
                      {.version = 8, .type = HistoryType::succeeded}};
        facts_ = {facts};
    }

    void call(Action action, const std::string& key, std::optional<Version> version = {},
              Told told = Told::done) {
        ledger_.calls.push_back({0, action, key, told, version});
    }
    Call& call_of(Action action) {
        return *std::ranges::find(ledger_.calls, action, &Call::action);
    }
    std::vector<RowFact>& rows() { return facts_[0].rows; }
    void erase(HistoryType type) {
        std::erase_if(rows(), [&](const RowFact& row) { return row.type == type; });
    }
    Findings checked() const { return check(ledger_, facts_); }

    Ledger ledger_;
    std::vector<RelayFacts> facts_;
};

TEST_F(LedgerCheck, FindsNothingIfAllIsAsAcknowledged) {
    const Findings findings = checked();
    EXPECT_EQ(findings.violations(), 0u) << findings.complaints();
    EXPECT_EQ(findings.acknowledged, 7u);
}

TEST_F(LedgerCheck, ShowsAnAcknowledgedActionThatIsNotStored) {
    for (const HistoryType type : {HistoryType::step_recorded, HistoryType::state_changed}) {
        const auto whole = facts_;
        erase(type);
        EXPECT_EQ(checked().lost.size(), 1u) << name_of(type);
        facts_ = whole;
    }
}

TEST_F(LedgerCheck, ShowsAnAcknowledgedEventThatWasNeverDelivered) {
    std::erase_if(rows(), [](const RowFact& row) { return row.key == "event"; });
    EXPECT_EQ(checked().lost.size(), 1u);
}

TEST_F(LedgerCheck, ShowsAnAcknowledgedStartThatIsNotStored) {
    facts_ = {{}};
    EXPECT_GE(checked().lost.size(), 1u);
}

TEST_F(LedgerCheck, ShowsAnAcknowledgedEndThatIsNotStored) {
    erase(HistoryType::succeeded);
    facts_[0].status = "running";
    EXPECT_EQ(checked().lost.size(), 1u);
}

TEST_F(LedgerCheck, ShowsAnActionUnderAnotherVersionThanAcknowledged) {
    call_of(Action::step).version = 9;
    EXPECT_EQ(checked().lost.size(), 1u);
}

TEST_F(LedgerCheck, ShowsAnActionThatIsStoredTwice) {
    for (std::size_t i = 0; i < rows().size(); ++i) {
        const auto whole = facts_;
        rows().push_back(rows()[i]);
        EXPECT_GE(checked().doubled.size(), 1u) << i;
        facts_ = whole;
    }
    facts_[0].ids.push_back("another");
    EXPECT_EQ(checked().doubled.size(), 1u);
}

TEST_F(LedgerCheck, ShowsARelayThatNeverEnded) {
    ledger_.calls.pop_back();
    erase(HistoryType::succeeded);
    facts_[0].status = "suspended";
    EXPECT_EQ(checked().stuck.size(), 1u);
    EXPECT_EQ(checked().violations(), 1u);
}

TEST_F(LedgerCheck, ShowsARefusedActionThatIsStored) {
    call_of(Action::edit).told = Told::refused;
    EXPECT_EQ(checked().otherwise.size(), 1u);
}

TEST_F(LedgerCheck, AcceptsEitherOutcomeOfAnUnansweredAction) {
    call_of(Action::edit).told = Told::unknown;
    EXPECT_EQ(checked().violations(), 0u);
    EXPECT_EQ(checked().unknown, 1u);
    erase(HistoryType::state_changed);
    EXPECT_EQ(checked().violations(), 0u);
}

TEST_F(LedgerCheck, ShowsAnActionThatWasNeverRequested) {
    rows().push_back({.version = 9, .type = HistoryType::step_recorded, .index = 7});
    EXPECT_EQ(checked().otherwise.size(), 1u);
}

TEST_F(LedgerCheck, AcceptsStepsThatAProgramRecordsItself) {
    ledger_.relays[0].by_nodes = true;
    std::erase_if(ledger_.calls, [](const Call& call) {
        return call.action != Action::start && call.action != Action::send &&
               call.action != Action::edit;
    });
    EXPECT_EQ(checked().violations(), 0u) << checked().complaints();
    rows().push_back(rows()[3]);
    EXPECT_EQ(checked().doubled.size(), 1u);
    erase(HistoryType::succeeded);
    EXPECT_EQ(checked().stuck.size(), 1u);
}

TEST_F(LedgerCheck, ShowsATimerThatFiredEarlyOrWasArmedTooShort) {
    rows()[5].at -= 1ms;
    EXPECT_EQ(checked().otherwise.size(), 1u);
    rows()[5].at += 1ms;
    *rows()[5].due -= 1ms;
    EXPECT_EQ(checked().otherwise.size(), 1u);
}

TEST_F(LedgerCheck, IncludesFindingsOfTheHistoryAuditAndTheDrivers) {
    facts_[0].wrong.push_back("a gap");
    ledger_.unexpected.push_back("404");
    EXPECT_EQ(checked().broken.size(), 1u);
    EXPECT_EQ(checked().otherwise.size(), 1u);
}

}  // namespace
}  // namespace holdfast::testing
