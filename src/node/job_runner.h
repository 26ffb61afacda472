// Does the jobs that the pump claims, with the workers of this node.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/ids/id_source.h"
#include "holdfast/jobs.h"
#include "model/job.h"
#include "pump/signals/signal_handler.h"
#include "round/coordinator.h"
#include "store/store.h"

namespace holdfast {

class JobRunner final : public SignalHandler {
public:
    // Only before start. False: the type has a worker.
    bool add(const std::string& type, Worker worker);
    const std::map<std::string, Worker>& workers() const { return workers_; }

    struct Parts {
        Store& store;
        Coordinator& coordinator;
        IdSource& ids;
        // A job does not return, and: it returned. Empty: nobody counts them.
        std::function<void()> job_stuck = {};
        std::function<void()> stuck_job_returned = {};
    };
    void start(Parts parts) { parts_.emplace(std::move(parts)); }

    void handle(Work work, Done done) override;
    // Ends the attempts that have run longer: what they return is ignored.
    void give_up_hung(std::chrono::microseconds limit);

private:
    using Steady = std::chrono::steady_clock;
    struct Running {
        Work head;
        JobSpec spec;
        Done done;
        std::optional<Steady::time_point> began = {};  // while the worker runs
    };

    // Absent: it was given up.
    std::optional<Running> take(std::uint64_t number);
    // From now on a worker runs.
    void watch(std::uint64_t number);
    void give_up(Running job);
    // Null: it does not exist any more.
    Result<std::shared_ptr<const Instance>> instance_of(const Work& work);
    // What the process is told. An error: this attempt failed, and more are left.
    Result<Document> perform(const Work& work, const JobSpec& spec, std::uint64_t number);
    Result<Document> result_of(const Work& work, const JobSpec& spec, const Instance& instance);
    void end(Running job, Document result);

    std::map<std::string, Worker> workers_;
    std::optional<Parts> parts_;
    std::mutex mutex_;
    std::uint64_t last_ = 0;
    std::map<std::uint64_t, Running> running_;
};

}  // namespace holdfast
