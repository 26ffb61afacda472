#include "operations/state/quarantine.h"

namespace holdfast::op {

void reads(const Quarantine& op, ReadSet& reads) { reads.instance(op.instance, Depth::document); }

Quarantine::Outcome decide(const Quarantine& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    return Sound{};
}

}  // namespace holdfast::op
