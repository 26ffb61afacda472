// The pump's metrics, under stable names.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include "operations/signals/handle_signal.h"

namespace holdfast {

struct PumpMetrics {
    explicit PumpMetrics(prometheus::Registry& registry);

    void count(const op::HandleSignal::Outcome& outcome);
    void buried(DeadLetterReason reason);

    prometheus::Histogram& timer_lateness;
    prometheus::Counter& claims;
    prometheus::Counter& signals_claimed;
    prometheus::Family<prometheus::Counter>& signals_handled;
    prometheus::Family<prometheus::Counter>& signals_buried;
    prometheus::Counter& handler_failures;
    prometheus::Gauge& work_held;
    prometheus::Gauge& stranded;
    prometheus::Counter& lives_ended;
    prometheus::Counter& announcements_sent;
    prometheus::Counter& announcements_heard;
    prometheus::Counter& retention_deleted;
    prometheus::Counter& retention_cancelled;
    prometheus::Counter& retention_refused;
    prometheus::Gauge& retention_eligible;
};

}  // namespace holdfast
