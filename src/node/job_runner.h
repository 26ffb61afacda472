// Does the jobs that the pump claims, with the workers of this node.
#pragma once

#include <map>
#include <string>

#include "base/ids/id_source.h"
#include "holdfast/jobs.h"
#include "model/job.h"
#include "pump/signals/signal_handler.h"
#include "round/coordinator.h"

namespace holdfast {

class JobRunner final : public SignalHandler {
public:
    // Only before start. False: the type has a worker.
    bool add(const std::string& type, Worker worker);
    const std::map<std::string, Worker>& workers() const { return workers_; }
    void start(Coordinator& coordinator, IdSource& ids);

    void handle(Work work, Done done) override;

private:
    Result<void> perform(const Work& work);
    // What the worker did, as the process is told. An error: this attempt failed, and more are
    // left.
    Result<Document> result_of(const Work& work, const JobSpec& spec, const Instance& instance);
    Result<void> end(const Work& work, Document result);

    std::map<std::string, Worker> workers_;
    Coordinator* coordinator_ = nullptr;
    IdSource* ids_ = nullptr;
};

}  // namespace holdfast
