// Runs retention in the background: shortly after the start, and then only while there may be
// something to delete or cancel. An idle node runs no statement for it (004.5).
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "pump/retention/retention.h"
#include "round/commit_listener.h"

namespace holdfast {

class RetentionThread final : public CommitListener {
public:
    using Steady = std::chrono::steady_clock;

    void start(Pruner& retention);
    void stop();

    void committed(const Touched& touched) override;

private:
    void run(Pruner& retention, std::stop_token stop);
    struct Plan {
        std::optional<Steady::time_point> next;  // absent: only after the next commit
        Steady::duration busy;  // this long after the next commit, if that is earlier
    };
    // When to run next, after a run that ended now.
    Plan plan(const Result<RetentionReport>& report, const Pruner& retention);
    void sleep(const Plan& plan, std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool changes_pending_ = false;  // a commit since the last run: it left rows that grow old
    std::optional<Steady::time_point> last_ended_;  // as far as this process knows
    std::optional<Steady::time_point> last_touched_;
    std::jthread thread_;
};

}  // namespace holdfast
