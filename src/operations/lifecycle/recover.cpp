#include "operations/lifecycle/recover.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/events/deliver.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

Repaired repair(View& view, const InstanceId& id, const Winner& winner, const Cause& cause) {
    Instance& instance = view.edit(id);
    instance.status = Status::running;
    instance.waits.clear();
    instance.index = winner.index + 1;
    view.execute(instance, {.type = HistoryType::delivered,
                            .payload = json::canonical(bj::object{{"index", winner.index},
                                                                  {"type", name_of(winner.type)},
                                                                  {"name", winner.name},
                                                                  {"repaired", true}}),
                            .cause = cause});
    return {winner.index};
}

}  // namespace

void reads(const Recover& op, ReadSet& reads) { reads.instance(op.instance, Depth::row); }

Recover::Outcome decide(const Recover& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (registered_waits(*found).empty()) return InOrder{};
    // The index at which it waits, and what it waits for, are known only now.
    ReadSet needed;
    needed.step(op.instance, found->index);
    for (const Waiting& waiting : found->waits)
        read_wait(needed, op.instance, found->tenant, waiting.wait);
    view.expect(needed);
    if (const Winner* winner = view.winner(op.instance, found->index))
        return repair(view, op.instance, *winner, op.cause);
    if (catch_up(view, op.instance, op.cause)) return CaughtUp{};
    return InOrder{};
}

}  // namespace holdfast::op
