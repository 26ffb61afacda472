// Logs and counts what becomes of workflows, as this node commits it: failed attempts, failed ends,
// incidents. Costs nothing where a commit has none of them.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/registry.h>

#include <map>
#include <mutex>
#include <set>
#include <string>

#include "round/commit_listener.h"

namespace holdfast {

class WorkflowLog final : public CommitListener {
public:
    explicit WorkflowLog(prometheus::Registry& registry);

    void committed(const Touched& touched) override;

private:
    struct OfDefinition {
        std::string label;
        prometheus::Counter* started = nullptr;
        std::map<Status, prometheus::Counter*> ended;
    };

    void look_at(const Instance& instance);
    void count_end(const Instance& instance);
    void note_attempt(const Instance& instance);
    void note_incident(const Instance& instance);
    // Its counters, looked up once; those of `other` once there are too many definitions.
    OfDefinition& of(const Instance& instance);

    std::mutex mutex_;
    prometheus::Family<prometheus::Counter>& started_;
    prometheus::Family<prometheus::Counter>& ended_;
    prometheus::Family<prometheus::Counter>& attempts_failed_;
    prometheus::Family<prometheus::Counter>& incidents_;
    std::map<std::string, OfDefinition, std::less<>> definitions_;
    std::set<InstanceId> with_incident_;  // that were told, so that each is told once
};

}  // namespace holdfast
