#include "operations/lifecycle/recover.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "operations/events/suspend.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

Repaired repair(View& view, const InstanceId& id, const Winner& winner, const Cause& cause) {
    Instance& instance = view.edit(id);
    instance.status = Status::running;
    instance.waiting.reset();
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
    if (!is_registered(*found)) return InOrder{};
    // The index at which it waits, and what it waits for, are known only now.
    ReadSet needed;
    needed.step(op.instance, found->index);
    read_wait(needed, op.instance, found->waiting->wait);
    view.expect(needed);
    if (const Winner* winner = view.winner(op.instance, found->index))
        return repair(view, op.instance, *winner, op.cause);
    if (auto woken = take_pending(view, op.instance, Waiting(*found->waiting), op.cause))
        return *std::move(woken);
    return InOrder{};
}

bj::object to_json(const Recover& op) {
    return {
        {"operation", op.name}, {"cause", to_json(op.cause)}, {"instance", to_string(op.instance)}};
}

bj::object to_json(const InOrder&) { return named("inOrder"); }

bj::object to_json(const Repaired& outcome) {
    return named("repaired", {{"index", outcome.index}});
}

}  // namespace holdfast::op
