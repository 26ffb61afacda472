#include "operations/lifecycle/resume.h"

#include <boost/json.hpp>

#include "model/codec/codec.h"
#include "operations/events/suspend.h"

namespace holdfast::op {

namespace bj = boost::json;

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
    view.accept(instance, {.type = HistoryType::resumed, .payload = "null", .cause = op.cause});
    wait_on(view, op.instance, op.cause);
    return Resumed{instance.version};
}

bj::object to_json(const Resume& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"clientKey", to_json(op.client_key)},
            {"instance", to_string(op.instance)},
            {"expected", op.expected ? bj::value(*op.expected) : bj::value(nullptr)}};
}

bj::object to_json(const Resumed& outcome) {
    return named("resumed", {{"version", outcome.version}});
}

Result<Resumed> resumed_from_json(const bj::value& value) {
    return Resumed{value.at("version").to_number<Version>()};
}

}  // namespace holdfast::op
