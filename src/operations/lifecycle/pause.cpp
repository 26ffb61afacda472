#include "operations/lifecycle/pause.h"

#include "operations/lifecycle/incident.h"

namespace holdfast::op {

void reads(const Pause& op, ReadSet& reads) { reads.instance(op.instance, Depth::document); }

Pause::Outcome decide(const Pause& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (op.expected && *op.expected != found->version)
        return refuse_stale(view, *found, *op.expected, op.cause);
    if (found->paused) return Paused{found->version};
    Instance& instance = view.edit(op.instance);
    instance.paused = true;  // this commit unregisters its waits
    view.accept(
        instance,
        {.type = HistoryType::paused, .payload = reason_payload(op.reason), .cause = op.cause});
    return Paused{instance.version};
}

}  // namespace holdfast::op
