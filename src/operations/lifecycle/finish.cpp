#include "operations/lifecycle/finish.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"
#include "operations/lifecycle/ending.h"

namespace holdfast::op {

namespace bj = boost::json;

std::optional<EndRefusal> refuse_end(View& view, const InstanceId& id, const Run& run) {
    const Instance* found = view.find(id);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (!is_at(view, *found, run)) return overtaken(*found);
    return std::nullopt;
}

void reads(const Finish& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    read_end(reads, op.instance);
    read_fence(reads, op.instance, op.run);
}

Finish::Outcome decide(const Finish& op, View& view) {
    if (auto refused = refuse_end(view, op.instance, op.run))
        return refused_as<Finish::Outcome>(*std::move(refused));
    return Finished{
        end_instance(view, op.instance,
                     {.status = Status::succeeded,
                      .result = op.result,
                      .type = HistoryType::succeeded,
                      .payload = json::canonical(bj::object{{"result", op.result.value()}})},
                     op.cause)};
}

bj::object to_json(const Finish& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"run", to_json(op.run)},
            {"result", op.result.value()}};
}

bj::object to_json(const Finished& outcome) {
    return named("finished", {{"version", outcome.version}});
}

}  // namespace holdfast::op
