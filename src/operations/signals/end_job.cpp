#include "operations/signals/end_job.h"

#include "model/job.h"
#include "operations/events/deliver.h"
#include "operations/lifecycle/ending.h"

namespace holdfast::op {
namespace {

// The wait of the job's activity. Null: it has ended.
const Waiting* wait_of(const Instance& instance, const JobSpec& job) {
    for (const Waiting& waiting : registered_waits(instance))
        if (waiting.owner == job.activity && kind_of(waiting) == WaitingKind::job) return &waiting;
    return nullptr;
}

}  // namespace

void reads(const EndJob& op, ReadSet& reads) {
    // Only processes have jobs, and they look at all of an instance; often a job is the last thing.
    reads.instance(op.instance, Depth::whole);
    reads.signal(op.signal);
    read_end(reads, op.instance);
}

EndJob::Outcome decide(const EndJob& op, View& view) {
    const auto row = leased_signal(view, op.signal, op.lease);
    if (!row) return LeaseLost{};
    const auto job = job_in(*row);
    const Instance* instance = view.find(op.instance);
    const Waiting* waiting = job && instance ? wait_of(*instance, *job) : nullptr;
    // A paused instance takes nothing: its job is done again when it is resumed.
    if (!waiting && instance && is_open(instance->status) && !takes_deliveries(*instance))
        return LeaseLost{};
    view.signals().drop(*row);  // nobody can send it again: the lease and the queue decide
    if (!waiting) return JobEnded{false};
    deliver_job_end(view, op.instance, *waiting, op.signal, op.result, op.cause);
    return JobEnded{true};
}

}  // namespace holdfast::op
