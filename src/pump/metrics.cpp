#include "pump/metrics.h"

#include <string>

namespace holdfast {
namespace {

prometheus::Family<prometheus::Counter>& counters(prometheus::Registry& registry, const char* name,
                                                  const char* help) {
    return prometheus::BuildCounter().Name(name).Help(help).Register(registry);
}

prometheus::Counter& counter(prometheus::Registry& registry, const char* name, const char* help) {
    return counters(registry, name, help).Add({});
}

prometheus::Gauge& gauge(prometheus::Registry& registry, const char* name, const char* help) {
    return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

const char* outcome_name(const op::HandleSignal::Outcome& outcome) {
    if (std::holds_alternative<op::Handled>(outcome)) return "handled";
    if (std::holds_alternative<op::StaleSignal>(outcome)) return "stale";
    if (std::holds_alternative<op::LeaseLost>(outcome)) return "leaseLost";
    return "buried";
}

}  // namespace

PumpMetrics::PumpMetrics(prometheus::Registry& registry)
    : timer_lateness(
          prometheus::BuildHistogram()
              .Name("holdfast_timer_lateness_seconds")
              .Help("Delay between a timer's due time and its delivery.")
              .Register(registry)
              .Add({}, prometheus::Histogram::BucketBoundaries{0.001, 0.0025, 0.005, 0.01, 0.025,
                                                               0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
                                                               60, 600})),
      claims(counter(registry, "holdfast_signal_claims_total",
                     "Claims that this node sent to the store.")),
      signals_claimed(counter(registry, "holdfast_signals_claimed_total",
                              "Signals that claims leased to this node.")),
      signals_handled(counters(registry, "holdfast_signals_handled_total",
                               "Handled signals of the types that end a wait, by outcome.")),
      signals_buried(counters(registry, "holdfast_signals_buried_total",
                              "Dead letters that commits of this node wrote, by reason.")),
      handler_failures(
          counter(registry, "holdfast_handler_failures_total",
                  "Failed attempts of handlers; the signal is retried after a pause.")),
      work_held(gauge(registry, "holdfast_work_held",
                      "Signals for programs leased to this node, waiting or being handled.")),
      stranded(gauge(registry, "holdfast_stranded_workflows",
                     "Workflows whose program no node has, as of the last look.")),
      lives_ended(counter(registry, "holdfast_node_lives_ended_total",
                          "Times that this node lost or gave up its lease and joined again.")),
      announcements_sent(counter(registry, "holdfast_announcements_sent_total",
                                 "Announcements sent to other nodes.")),
      announcements_heard(counter(registry, "holdfast_announcements_heard_total",
                                  "Announcements received from other nodes.")),
      retention_deleted(counter(registry, "holdfast_retention_deleted_total",
                                "Ended instances that retention deleted.")),
      retention_cancelled(counter(registry, "holdfast_retention_cancelled_total",
                                  "Stale instances that retention cancelled.")),
      retention_refused(counter(registry, "holdfast_retention_refused_total",
                                "Runs of retention stopped because the store's clock jumped.")),
      retention_eligible(gauge(registry, "holdfast_retention_eligible",
                               "Ended instances past their window that the last run left.")) {}

void PumpMetrics::count(const op::HandleSignal::Outcome& outcome) {
    signals_handled.Add({{"outcome", outcome_name(outcome)}}).Increment();
}

void PumpMetrics::buried(DeadLetterReason reason) {
    signals_buried.Add({{"reason", std::string(name_of(reason))}}).Increment();
}

}  // namespace holdfast
