// The thread that looks for stranded continuations: at the start, when a commit or another node
// left signals that nobody took, and again while a program is missing. Otherwise it sleeps.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "pump/signals/stranded.h"
#include "round/commit_listener.h"

namespace holdfast {

// Constructed before the coordinator, as its listener.
class StrandedThread final : public CommitListener {
public:
    ~StrandedThread() override { stop(); }

    // Looks at most once in a second, or in `after` if that is shorter.
    void start(StrandedSearch::Parts parts, std::chrono::microseconds after);
    void stop();

    void committed(const Touched& touched) override;
    // Something may be stranded.
    void look_soon();

private:
    using Steady = std::chrono::steady_clock;
    void run(StrandedSearch& search, std::stop_token stop);
    // Sleeps until it should look.
    void sleep(std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::chrono::microseconds after_{0};
    Steady::time_point looked_at_;
    std::optional<Steady::time_point> next_;  // absent: until something happens
    std::jthread thread_;
};

}  // namespace holdfast
