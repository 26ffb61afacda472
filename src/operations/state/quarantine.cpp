#include "operations/state/quarantine.h"

#include "model/codec/codec.h"

namespace holdfast::op {

void reads(const Quarantine& op, ReadSet& reads) { reads.instance(op.instance, Depth::document); }

Quarantine::Outcome decide(const Quarantine& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    return Sound{};
}

boost::json::object to_json(const Quarantine& op) {
    return {
        {"operation", op.name}, {"cause", to_json(op.cause)}, {"instance", to_string(op.instance)}};
}

boost::json::object to_json(const Sound&) { return named("sound"); }

}  // namespace holdfast::op
