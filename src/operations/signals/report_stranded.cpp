#include "operations/signals/report_stranded.h"

#include "operations/lifecycle/incident.h"

namespace holdfast::op {

void reads(const ReportStranded& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.continuation(op.instance);
}

ReportStranded::Outcome decide(const ReportStranded& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found || !needs_continuation(*found) || found->incident || is_quarantined(view, *found))
        return NotStranded{};
    const KnownSignal* continuation = view.signals().continuation(op.instance);
    if (!continuation || continuation->lease_valid || continuation->queued->id != op.signal)
        return NotStranded{};
    raise_incident(view, op.instance, std::string(missing_program), op.detail, op.cause);
    return StrandedReported{view.find(op.instance)->version};
}

void settle_stranded(View& view, const InstanceId& id, const Run& run) {
    const Instance* found = view.find(id);
    if (!run.lease || !found || !found->incident || found->last_error != missing_program) return;
    Instance& instance = view.edit(id);
    instance.incident = false;
    instance.last_error.reset();
}

}  // namespace holdfast::op
