// What the pump counts, under stable names.
#pragma once

#include <prometheus/histogram.h>
#include <prometheus/registry.h>

namespace holdfast {

struct PumpMetrics {
    explicit PumpMetrics(prometheus::Registry& registry)
        : timer_lateness(prometheus::BuildHistogram()
                             .Name("holdfast_timer_lateness_seconds")
                             .Help("How long after its due time a timer was delivered.")
                             .Register(registry)
                             .Add({}, prometheus::Histogram::BucketBoundaries{
                                          0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5,
                                          1, 2.5, 5, 10, 60, 600})) {}

    prometheus::Histogram& timer_lateness;
};

}  // namespace holdfast
