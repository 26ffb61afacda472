// Operations on workflows for Node and testing::World. Throws on failure, because its callers are
// user code.
#pragma once

#include "base/ids/id_source.h"
#include "holdfast/workflows.h"
#include "node/future_value.h"
#include "node/runner.h"
#include "node/schedule_api.h"
#include "round/coordinator.h"
#include "store/tenant_reads.h"

namespace holdfast {

// How a workflow ended.
struct Ending {
    Status status = Status::succeeded;
    std::optional<Document> result;
};

class WorkflowApi {
public:
    struct Parts {
        Store& store;
        Coordinator& coordinator;
        IdSource& ids;
        const Runner& runner;
        // Called until the outcome is available. Empty: other threads run the operations.
        std::function<void()> drive;
        std::size_t event_queue = 10'000;
        std::size_t event_queue_bytes = std::size_t{64} << 20;
    };

    explicit WorkflowApi(Parts parts) : parts_(std::move(parts)) {}

    WorkflowApi(const WorkflowApi&) = delete;
    WorkflowApi& operator=(const WorkflowApi&) = delete;

    Schedules& schedules() { return schedules_; }
    // Defines all registered flows.
    void define();
    // Returns the keys of the definitions.
    std::vector<std::string> deploy(const std::string& xml);
    std::string start(const std::string& flow, const Json& arguments, const StartOptions& options);
    // The same without waiting for the commit, which gives the id.
    void start(const std::string& flow, const Json& arguments, const StartOptions& options,
               std::shared_ptr<flow::FutureValue> started);
    Sent send(const std::string* id, const std::string& event, const Json& value);
    void send(const std::string& id, const std::string& event, const Json& value,
              std::shared_ptr<flow::FutureValue> sent);
    std::string send_later(const std::string* id, const When& when, const std::string& event,
                           const Json& value);
    bool cancel_event(const std::string& event);
    std::size_t cancel_timers(const std::string& id);
    bool cancel(const std::string& id, const std::string& reason);
    std::string status(const std::string& id);
    Json state(const std::string& id);
    std::string flow(const std::string& id);
    std::vector<HistoryEntry> history(const std::string& id);
    std::vector<OpenTask> open_tasks(const std::string& id);
    void complete_task(const std::string& task, const Actor& actor, const Json& outputs);
    void fail_task(const std::string& task, const Actor& actor, const Json& error);
    // Absent: it is open. Throws WorkflowStopped.
    std::optional<Ending> ending(const std::string& id);

private:
    friend ScheduleApi;

    template <class Op>
    typename Op::Outcome run(Op op);
    // Who calls: the program itself or, for a task, the user that it names.
    static Caller caller(const Actor& actor = {}) {
        return {.user = actor.user, .groups = actor.roles, .roles = {}};
    }
    Cause cause(const Actor& actor = {}) {
        return {.operation = parts_.ids.next<OperationId>(), .caller = caller(actor)};
    }
    TenantReads reads() { return {parts_.store, caller()}; }
    Instance find(const std::string& id, Depth depth);
    op::Start starting(const std::string& flow, const Json& arguments, const StartOptions& options);
    op::SendEvent sending(const std::string* id, const std::string& event, const Json& value);
    // Returns the task, held by the actor.
    HumanTask claim(const std::string& task, const Actor& actor);

    Parts parts_;
    ScheduleApi schedules_{*this};
};

// Throws WorkflowFailed if it failed or was cancelled.
Json result_of(const std::string& id, const Ending& ending);

// Throws Misuse if it is not an id.
InstanceId read_workflow_id(const std::string& id);

}  // namespace holdfast
