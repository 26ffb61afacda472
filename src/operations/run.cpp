#include "operations/run.h"

#include "operations/refusals.h"
#include "program/traits.h"

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
    const Traits traits = traits_of(instance);
    if (traits.moves_alone || traits.needs_lease != run.lease.has_value()) return true;
    if (!run.lease) return false;
    const KnownSignal* continuation = view.signals().continuation(instance.id);
    if (!continuation || !continuation->lease_valid) return true;
    return continuation->queued->leased_by != run.lease->node ||
           continuation->queued->epoch != run.lease->epoch || !is_as_assumed(view, instance, run);
}

bool is_at(const View& view, const Instance& instance, const Run& run) {
    return run.run == instance.run && run.index == instance.index && instance.waits.empty() &&
           !is_fenced_off(view, instance, run);
}

}  // namespace holdfast::op
