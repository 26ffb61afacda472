// Does the open bulk jobs, a batch of each in turn: under a host lock, so that one node does them;
// each target once, however often a node is killed meanwhile.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/ids/id_source.h"
#include "pump/bulk/bulk_job.h"
#include "round/coordinator.h"
#include "store/store.h"

namespace holdfast {

// Belongs to one thread.
class BulkRunner {
public:
    using ReadQuery =
        std::function<Result<InstanceQuery>(const std::map<std::string, std::string>& filters)>;
    struct Parts {
        Store& store;
        Coordinator& coordinator;
        IdSource& ids;
        std::string node;
        ReadQuery read_query;
        // How long another node waits for this one after its last batch.
        std::chrono::microseconds lock_time = std::chrono::seconds(10);
    };

    explicit BulkRunner(Parts parts) : parts_(std::move(parts)) {}

    enum class Next {
        idle,   // no job is open
        more,   // there is more to do
        other,  // another node does them
    };
    // At most one batch of each open job.
    Result<Next> run();

private:
    struct Found {
        Instance instance;  // of the job
        BulkJob job;
    };

    Result<void> run_one(const InstanceId& id);
    Result<void> advance(Found& found);
    Result<void> read_batch(Found& found, const InstanceQuery& query);
    Result<void> do_batch(Found& found);
    Result<void> count(Found& found, InstanceQuery query);
    // False: somebody else wrote it meanwhile, or it was stopped.
    Result<bool> save(Found& found);
    Result<void> finish(const Found& found);
    Result<void> give_up(const Instance& instance, const std::string& why);

    Parts parts_;
};

// Absent: it would be migrated. An error: it cannot be asked now.
Result<std::optional<std::string>> why_refused(const Result<op::Migrate::Outcome>& outcome);

// What a job would do to a workflow, or did. Absent: it is done, else why not.
using BulkVerdicts = std::vector<std::optional<std::string>>;
// Each id gets the operation, under ids and keys that derive from the job's. An error: some could
// not be asked now, all are to be asked again.
Result<BulkVerdicts> apply_bulk(Store& store, Coordinator& coordinator, const BulkJob& job,
                                const Instance& of, const std::vector<InstanceId>& ids);

}  // namespace holdfast
