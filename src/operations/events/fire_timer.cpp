#include "operations/events/fire_timer.h"

#include "operations/events/deliver.h"
#include "program/traits.h"

namespace holdfast::op {
namespace {

// A process that left what was queued for it to this round. Its tokens that rest wait for the next.
void look_again(View& view, const InstanceId& id, const Cause& cause) {
    std::vector<TokenId> tokens;
    for (const Waiting& waiting : registered_waits(*view.find(id)))
        if (waiting.owner) tokens.push_back(waiting.token);
    deliver_pending(view, id, std::move(tokens), cause);
}

}  // namespace

void reads(const FireTimer& op, ReadSet& reads) { reads.instance(op.instance, Depth::row); }

FireTimer::Outcome decide(const FireTimer& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return StaleTimer{};
    const auto waits = registered_waits(*instance);
    const Waiting* waiting = find_wait(waits, op.token);
    if (!waiting || !waiting->wait.until || *waiting->wait.until > view.now()) return StaleTimer{};
    const Moment due = *waiting->wait.until;
    const bool looks_again = !waiting->owner && traits_of(*instance).moves_alone;
    const auto reached = deliver_timer(view, op.instance, *waiting, op.cause);
    if (looks_again) look_again(view, op.instance, op.cause);
    return Fired{reached.index, due, view.now()};
}

}  // namespace holdfast::op
