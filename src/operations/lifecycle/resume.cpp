#include "operations/lifecycle/resume.h"

#include "operations/events/deliver.h"
#include "operations/events/react.h"
#include "operations/lifecycle/incident.h"
#include "operations/limits/turns.h"

namespace holdfast::op {

void reads(const Resume& op, ReadSet& reads) { reads.instance(op.instance, Depth::document); }

Resume::Outcome decide(const Resume& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (op.expected && *op.expected != found->version)
        return refuse_stale(view, *found, *op.expected, op.cause);
    if (!found->paused) return Resumed{found->version};

    Instance& instance = view.edit(op.instance);
    instance.paused = false;
    view.accept(
        instance,
        {.type = HistoryType::resumed, .payload = reason_payload(op.reason), .cause = op.cause});
    catch_up(view, op.instance, op.cause);
    ask_for_turn(view, op.instance, op.cause);
    tell_of_edit(view, op.instance, op.cause);
    return Resumed{view.find(op.instance)->version};
}

}  // namespace holdfast::op
