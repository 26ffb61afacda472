#include "coordinator/cancel.h"

#include "base/json/canonical.h"
#include "model/codec.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const Cancel& op, ReadSet& reads) { reads.instance(op.instance, Depth::document); }

Cancel::Outcome decide(const Cancel& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (op.expected && *op.expected != found->version)
        return refuse_stale(view, *found, *op.expected, op.cause);

    Instance before = *found;
    Instance& instance = view.edit(op.instance);
    instance.status = Status::cancelled;
    instance.completed_at = view.now();
    view.accept(instance, {.type = HistoryType::cancelled,
                           .payload = json::canonical(bj::object{{"reason", op.reason}}),
                           .cause = op.cause});
    return Cancelled{std::move(before), instance.version};
}

bj::object to_json(const Cancel& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"expected", op.expected ? bj::value(*op.expected) : bj::value(nullptr)},
            {"reason", op.reason}};
}

bj::object to_json(const Cancelled& outcome) {
    return named("cancelled", {{"before", to_json(outcome.before)}, {"version", outcome.version}});
}

Result<Cancelled> cancelled_from_json(const bj::value& value) {
    auto before = instance_from_json(value.at("before"));
    if (!before) return std::unexpected(before.error());
    return Cancelled{*std::move(before), value.at("version").to_number<Version>()};
}

}  // namespace holdfast::op
