#include "operations/lifecycle/fail.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/lifecycle/ending.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const Fail& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    read_end(reads, op.instance);
    read_fence(reads, op.instance, op.run);
}

Fail::Outcome decide(const Fail& op, View& view) {
    if (auto refused = refuse_end(view, op.instance, op.run))
        return refused_as<Fail::Outcome>(*std::move(refused));
    const bj::object error{{"code", op.code}, {"error", op.error.value()}};
    const Version version =
        end_instance(view, op.instance,
                     {.status = op.cancelled ? Status::cancelled : Status::failed,
                      .result = Document::of(error),
                      .type = op.cancelled ? HistoryType::cancelled : HistoryType::failed,
                      .payload = json::canonical(error)},
                     op.cause);
    view.edit(op.instance).last_error = op.code;
    return Failed{version};
}

}  // namespace holdfast::op
