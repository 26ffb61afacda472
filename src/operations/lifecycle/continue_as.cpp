#include "operations/lifecycle/continue_as.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/signals/report_stranded.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const ContinueAs& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    read_fence(reads, op.instance, op.run);
}

ContinueAs::Outcome decide(const ContinueAs& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (!is_at(view, *found, op.run)) return overtaken(*found);
    settle_stranded(view, op.instance, op.run);

    view.clear_journal(op.instance);
    view.record(Step{.instance = op.instance,
                     .index = 0,
                     .name = "arguments",
                     .value = op.arguments,
                     .at = view.now()});
    Instance& instance = view.edit(op.instance);
    ++instance.run;
    instance.index = 1;
    instance.program = {};
    view.progress(op.instance);
    const bj::object payload{{"run", instance.run}, {"arguments", op.arguments.value()}};
    view.execute(
        instance,
        {.type = HistoryType::continued, .payload = json::canonical(payload), .cause = op.cause});
    return Continued{{instance.run, instance.index}, instance.version};
}

}  // namespace holdfast::op
