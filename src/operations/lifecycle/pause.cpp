#include "operations/lifecycle/pause.h"

#include <boost/json.hpp>

#include "model/codec/codec.h"

namespace holdfast::op {

namespace bj = boost::json;

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
    view.accept(instance, {.type = HistoryType::paused, .payload = "null", .cause = op.cause});
    return Paused{instance.version};
}

bj::object to_json(const Pause& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"clientKey", to_json(op.client_key)},
            {"instance", to_string(op.instance)},
            {"expected", op.expected ? bj::value(*op.expected) : bj::value(nullptr)}};
}

bj::object to_json(const Paused& outcome) {
    return named("paused", {{"version", outcome.version}});
}

Result<Paused> paused_from_json(const bj::value& value) {
    return Paused{value.at("version").to_number<Version>()};
}

}  // namespace holdfast::op
