#include "operations/state/read.h"

#include "model/codec/codec.h"

namespace holdfast::op {

void reads(const Read& op, ReadSet& reads) { reads.instance(op.instance, Depth::whole); }

Read::Outcome decide(const Read& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    is_quarantined(view, *instance);  // sets the flag, which the reader sees
    return Found{*instance};
}

boost::json::object to_json(const Read& op) {
    return {
        {"operation", op.name}, {"cause", to_json(op.cause)}, {"instance", to_string(op.instance)}};
}

boost::json::object to_json(const Found& outcome) {
    boost::json::object instance = to_json(outcome.instance);
    instance["children"] = to_json(outcome.instance.children);
    return named("found", {{"instance", std::move(instance)}});
}

}  // namespace holdfast::op
