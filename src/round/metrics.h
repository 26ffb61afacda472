// The coordinator's metrics, under stable names.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <map>
#include <string>
#include <string_view>

#include "model/conflict.h"

namespace holdfast {

class CoordinatorMetrics {
public:
    explicit CoordinatorMetrics(prometheus::Registry& registry);

    prometheus::Counter& conflict(Resolution resolution);
    prometheus::Counter& operation(std::string_view name);

private:
    prometheus::Family<prometheus::Counter>& conflicts_;
    prometheus::Family<prometheus::Counter>& operations_;
    std::map<Resolution, prometheus::Counter*> conflict_counters_;
    std::map<std::string, prometheus::Counter*, std::less<>> operation_counters_;

public:
    prometheus::Counter& commits;
    prometheus::Counter& rows;
    prometheus::Counter& loads;
    prometheus::Histogram& operations_per_commit;
    prometheus::Histogram& commit_seconds;
    prometheus::Gauge& queue_depth;
};

}  // namespace holdfast
