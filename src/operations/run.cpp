#include "operations/run.h"

#include "base/defect.h"
#include "operations/refusals.h"

namespace holdfast::op {

Overtaken overtaken(const Instance& instance) {
    return {{instance.run, instance.index}, instance.status};
}

void read_fence(ReadSet& reads, const InstanceId& id, const Run& run) {
    if (run.lease) reads.continuation(id);
    if (run.assumed && run.index > 0) reads.step(id, run.index - 1);
}

namespace {

bool is_as_assumed(const View& view, const Instance& instance, const Run& run) {
    if (!run.assumed || run.index == 0) return !run.assumed;
    const Step* step = view.step(instance.id, run.index - 1);
    return step && step->input_hash == run.assumed;
}

}  // namespace

bool is_fenced_off(const View& view, const Instance& instance, const Run& run) {
    if (!instance.program || !run.lease)
        return instance.program.has_value() != run.lease.has_value();
    const KnownSignal* continuation = view.signals().continuation(instance.id);
    if (!continuation || !continuation->lease_valid) return true;
    if (defect("lease_not_compared")) return false;
    return continuation->queued->leased_by != run.lease->node ||
           continuation->queued->epoch != run.lease->epoch || !is_as_assumed(view, instance, run);
}

bool is_at(const View& view, const Instance& instance, const Run& run) {
    return run.run == instance.run && run.index == instance.index && !instance.waiting &&
           !is_fenced_off(view, instance, run);
}

boost::json::object to_json(const Run& run) {
    boost::json::object object{{"run", run.run}, {"index", run.index}};
    if (run.lease) object["lease"] = to_json(*run.lease);
    if (run.assumed) object["assumed"] = to_hex(*run.assumed);
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
