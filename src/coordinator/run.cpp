#include "coordinator/run.h"

#include "base/defect.h"
#include "coordinator/refusals.h"

namespace holdfast::op {

Overtaken overtaken(const Instance& instance) {
    return {{instance.run, instance.index}, instance.status};
}

void read_fence(ReadSet& reads, const InstanceId& id, const Run& run) {
    if (run.lease) reads.continuation(id);
}

bool is_fenced_off(const View& view, const Instance& instance, const Run& run) {
    if (!instance.program || !run.lease)
        return instance.program.has_value() != run.lease.has_value();
    const KnownSignal* continuation = view.signals().continuation(instance.id);
    if (!continuation || !continuation->lease_stands) return true;
    if (defect("lease_not_compared")) return false;
    return continuation->queued->leased_by != run.lease->node ||
           continuation->queued->epoch != run.lease->epoch;
}

bool is_at(const View& view, const Instance& instance, const Run& run) {
    return run.run == instance.run && run.index == instance.index && !instance.waiting &&
           !is_fenced_off(view, instance, run);
}

boost::json::object to_json(const Run& run) {
    boost::json::object object{{"run", run.run}, {"index", run.index}};
    if (run.lease) object["lease"] = to_json(*run.lease);
    return object;
}

boost::json::object to_json(const Lease& lease) {
    return {{"node", to_string(lease.node)}, {"epoch", lease.epoch}};
}

boost::json::object to_json(const Overtaken& outcome) {
    return named("overtaken", {{"run", outcome.current.run},
                               {"index", outcome.current.index},
                               {"status", name_of(outcome.status)}});
}

}  // namespace holdfast::op
