#include "operations/state/read.h"

namespace holdfast::op {

void reads(const Read& op, ReadSet& reads) { reads.instance(op.instance, Depth::whole); }

Read::Outcome decide(const Read& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    is_quarantined(view, *instance);  // sets the flag, which the reader sees
    return Found{*instance};
}

}  // namespace holdfast::op
