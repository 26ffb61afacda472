#include "operations/lifecycle/retry.h"

#include "operations/events/deliver.h"
#include "operations/lifecycle/incident.h"
#include "program/traits.h"

namespace holdfast::op {
namespace {

const Waiting* backoff_of(const Instance& instance) {
    for (const Waiting& waiting : instance.waits)
        if (waiting.wait.retry) return &waiting;
    return nullptr;
}

void note_retry(View& view, const Retry& op) {
    view.accept(
        view.edit(op.instance),
        {.type = HistoryType::retried, .payload = reason_payload(op.reason), .cause = op.cause});
}

// Absent: it is done.
std::optional<std::string> retry_process(View& view, const Retry& op) {
    const std::vector<Modification> steps{modification::Retry{}};
    Reaction reaction = view.program(*view.find(op.instance))
                            .react(*view.find(op.instance), stimulus::Modified{steps}, view.now());
    if (reaction.refused) return std::move(reaction.refused);
    reaction.history.insert(reaction.history.begin(),
                            {HistoryType::retried, reason_payload(op.reason)});
    apply_reaction(view, op.instance, std::move(reaction), op.cause);
    return std::nullopt;
}

std::optional<std::string> retry(View& view, const Retry& op) {
    const Instance& instance = *view.find(op.instance);
    if (instance.paused) return "it is paused: resume it";
    if (instance.buried) return "its run was put aside: redrive its dead letter";
    if (traits_of(instance).moves_alone) return retry_process(view, op);
    if (!backoff_of(instance)) return "no step is in a pause before another attempt";
    note_retry(view, op);
    end_backoff(view, op.instance, *backoff_of(*view.find(op.instance)), op.cause);
    return std::nullopt;
}

}  // namespace

void reads(const Retry& op, ReadSet& reads) { reads.instance(op.instance, Depth::whole); }

Retry::Outcome decide(const Retry& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    if (!is_open(instance->status)) return Ended{instance->status, instance->version};
    if (op.expected && *op.expected != instance->version)
        return refuse_stale(view, *instance, *op.expected, op.cause);
    if (auto why = retry(view, op)) return NothingToRetry{instance->version, *std::move(why)};
    return Retried{view.find(op.instance)->version};
}

}  // namespace holdfast::op
