// The thread that does bulk jobs: wakes when a job starts here, and looks once after the start and
// when another node has gone. Without an open job it sleeps and runs no statement.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "pump/bulk/bulk_runner.h"
#include "round/commit_listener.h"

namespace holdfast {

// Constructed before the coordinator, as its listener.
class BulkThread final : public CommitListener {
public:
    ~BulkThread() override { stop(); }

    void start(BulkRunner::Parts parts);
    void stop();

    void committed(const Touched& touched) override;
    // There may be a job that nobody does any more.
    void look_soon();

private:
    using Steady = std::chrono::steady_clock;
    void run(BulkRunner& runner, std::stop_token stop);
    // Until it should look.
    void sleep(std::stop_token stop);
    void look_at(Steady::time_point then);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<Steady::time_point> next_;  // absent: until something happens
    std::jthread thread_;
};

}  // namespace holdfast
