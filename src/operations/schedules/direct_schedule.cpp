#include "operations/schedules/direct_schedule.h"

#include <boost/json.hpp>

#include "operations/events/react.h"
#include "operations/lifecycle/incident.h"
#include "operations/schedules/asked.h"
#include "program/kinds.h"

namespace holdfast::op {
namespace {

bool is_resume(const DirectSchedule& op) {
    const boost::json::value request = op.request.value();
    const boost::json::value* what = request.as_object().if_contains("do");
    return what && *what == "resume";
}

// From here on it takes deliveries again; what it waits for is registered by its reaction.
void end_pause(const DirectSchedule& op, View& view) {
    Instance& instance = view.edit(op.instance);
    instance.paused = false;
    view.accept(
        instance,
        {.type = HistoryType::resumed, .payload = reason_payload(op.reason), .cause = op.cause});
}

}  // namespace

void reads(const DirectSchedule& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::document);
}

DirectSchedule::Outcome decide(const DirectSchedule& op, View& view) {
    const Instance* found = view.find(op.instance);
    const Definition* definition = found ? view.definition(*found) : nullptr;
    if (!definition || !is_for_schedules(*definition)) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (op.expected && *op.expected != found->version)
        return refuse_stale(view, *found, *op.expected, op.cause);
    if (is_resume(op)) {
        if (!found->paused) return ScheduleDirected{*found};
        end_pause(op, view);
    }
    if (auto why =
            react_unless_refused(view, op.instance, asked_by(op.request, op.cause), op.cause))
        return ScheduleRefused{*std::move(why)};
    return ScheduleDirected{*view.find(op.instance)};
}

}  // namespace holdfast::op
