// Looks for continuations whose program no node and no worker has, and reports those that have
// waited too long: their instances get an incident. Its owner runs it: a StrandedThread or a test.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/ids/id_source.h"
#include "operations/signals/report_stranded.h"
#include "pump/metrics.h"
#include "store/store.h"

namespace holdfast {

// Belongs to one thread.
class StrandedSearch {
public:
    using Report = std::function<std::vector<Result<op::ReportStranded::Outcome>>(
        std::vector<op::ReportStranded>)>;
    struct Parts {
        Store& store;
        IdSource& ids;
        PumpMetrics& metrics;
        Report report;
    };

    // `after`: how long a program may be missing.
    StrandedSearch(Parts parts, std::chrono::microseconds after)
        : parts_(std::move(parts)), after_(after) {}

    // One pass over the queue. When to look again; absent: no program is missing.
    Result<std::optional<std::chrono::microseconds>> look();

private:
    struct Pass {
        std::map<std::string, Moment> missing_since;  // by program
        std::optional<Moment> next;                   // when the next one has waited long enough
        std::size_t count = 0;                        // of those that have
    };

    std::vector<op::ReportStranded> take(const StrandedPage& page, Pass& pass) const;

    const Parts parts_;
    const std::chrono::microseconds after_;
    std::map<std::string, Moment> missing_since_;  // as of the last pass
};

}  // namespace holdfast
