// Runs retention in the background: a while after the start, and then only while ended instances
// may be there. An idle node runs no statement because of it (004.5).
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
    // When to run next, after a run that ended now. Absent: when something has ended.
    std::optional<Steady::time_point> plan(const Result<RetentionReport>& report,
                                           const Pruner& retention);
    // Sleeps until then, or until something ends for the first time since `plan`.
    void sleep(std::optional<Steady::time_point> until, std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    bool all_touches_ = false;  // what is open may be stale one day
    bool changes_pending_ = false;         // something ended since the last run, or was touched
    std::optional<Steady::time_point> last_ended_;  // as far as this process knows
    std::optional<Steady::time_point> last_touched_;
    std::jthread thread_;
};

}  // namespace holdfast
