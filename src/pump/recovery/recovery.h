// After a start: recovers every suspended instance once, by ordinary guarded operations. Safe to
// repeat, to run on two nodes at once, and to interrupt (001.15).
#pragma once

#include <functional>

#include "base/ids/id_source.h"
#include "operations/lifecycle/recover.h"
#include "store/reads.h"

namespace holdfast {

struct RecoveryReport {
    std::size_t looked_at = 0;
    std::size_t woken = 0;     // a condition that they waited for was met
    std::size_t repaired = 0;  // had a winner but still waited
};

class Recovery {
public:
    using Outcomes = std::vector<Result<op::Recover::Outcome>>;
    // Runs the operations and returns their outcomes, in order, once all are answered.
    using Run = std::function<Outcomes(std::vector<op::Recover>)>;

    Recovery(Reads& store, IdSource& ids, Run run);

    // Stops early, with a report of what it did, when `stop` returns true. After a failure another
    // call continues with the page that failed.
    Result<RecoveryReport> recover(const std::function<bool()>& stop);

private:
    Result<void> recover(const InstancePage& page);
    void count(const InstanceId& id, const Result<op::Recover::Outcome>& outcome);

    Reads& store_;
    IdSource& ids_;
    Run run_;
    InstanceQuery query_;  // the next page
    RecoveryReport report_;
};

}  // namespace holdfast
