// The end of a job that a worker holds: what it did is told to the process, and the job is removed,
// in one commit (I9). A job whose activity has ended is only removed.
#pragma once

#include <variant>

#include "operations/signals/handle_signal.h"

namespace holdfast::op {

struct JobEnded {
    static constexpr std::string_view name = "jobEnded";

    bool taken = false;  // false: the process did not need it any more

    static void describe(auto& outcome, auto& with) { with("taken", outcome.taken); }
};

struct EndJob {
    static constexpr std::string_view name = "endJob";
    using Outcome = std::variant<JobEnded, LeaseLost>;

    Cause cause;
    InstanceId instance;
    SignalId signal;
    Lease lease;
    // {"variables": {...}}, {"error": code, "message": ...} or {"failed": message}
    Document result;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("signal", op.signal);
        with("lease", op.lease);
        with("result", op.result);
    }
};

void reads(const EndJob& op, ReadSet& reads);
EndJob::Outcome decide(const EndJob& op, View& view);

}  // namespace holdfast::op
