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
    // When to run next, after a run that ended now. Absent: after the next relevant commit.
    std::optional<Steady::time_point> plan(const Result<RetentionReport>& report,
                                           const Pruner& retention);
    // Sleeps until then; without a time, until the usual pause after the next relevant commit.
    void sleep(std::optional<Steady::time_point> until, std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool all_touches_ = false;      // every touch is relevant: open instances may become stale
    bool changes_pending_ = false;  // a relevant commit since the last run
    std::optional<Steady::time_point> last_ended_;  // as far as this process knows
    std::optional<Steady::time_point> last_touched_;
    std::jthread thread_;
};

}  // namespace holdfast
