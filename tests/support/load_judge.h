// Compares the answers that writers got with the stored data after a kill or a stop.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "support/edit_load.h"
#include "support/history_audit.h"

namespace holdfast::testing {

// Whether an edit without an answer may be stored.
enum class Unanswered { may_be_there, must_be_absent };

struct Verdict {
    std::size_t acknowledged_edits = 0;
    std::size_t acknowledged_starts = 0;
    std::size_t unknown = 0;             // no answer
    std::size_t unknown_done = 0;        // of these, stored edits
    std::vector<std::string> lost;       // acknowledged and not stored
    std::vector<std::string> half;       // state, metadata, version, history, hash disagree
    std::vector<std::string> otherwise;  // refused but stored, stored twice, another answer, ...

    std::size_t violations() const { return lost.size() + half.size() + otherwise.size(); }
    Verdict& operator+=(const Verdict& more);
};

// Keeps every attempt: a commit that was in progress when its server died may appear later.
class LoadJudge {
public:
    explicit LoadJudge(const std::vector<std::string>& instances);

    // No other client may edit meanwhile. Repeats every start of the log with its Idempotency-Key.
    Verdict judge(ServerClient& client, const LoadLog& log, Unanswered unanswered);

private:
    void read_rows(ServerClient& client, Unanswered unanswered, Verdict& verdict);
    void judge_row(std::size_t instance, const HistoryRow& row, Unanswered unanswered,
                   Verdict& verdict);
    void judge_start(ServerClient& client, const StartAttempt& attempt, Unanswered unanswered,
                     Verdict& verdict);

    std::vector<HistoryAudit> audits_;
    std::map<std::string, EditAttempt> attempts_;  // by correlation
    std::map<std::string, Version> done_;          // correlation of every row that was read
};

}  // namespace holdfast::testing
