#include "operations/lifecycle/finish.h"

#include "operations/lifecycle/ending.h"
#include "operations/signals/report_stranded.h"

namespace holdfast::op {

std::optional<EndRefusal> refuse_end(View& view, const InstanceId& id, const Run& run) {
    const Instance* found = view.find(id);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (!is_at(view, *found, run)) return overtaken(*found);
    settle_stranded(view, id, run);
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
    return Finished{end_instance(view, op.instance,
                                 {.status = Status::succeeded,
                                  .result = op.result,
                                  .type = HistoryType::succeeded,
                                  .payload = "{\"result\":" + op.result.text() + "}"},
                                 op.cause)};
}

}  // namespace holdfast::op
