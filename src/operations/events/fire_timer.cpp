#include "operations/events/fire_timer.h"

#include "operations/events/deliver.h"

namespace holdfast::op {

void reads(const FireTimer& op, ReadSet& reads) { reads.instance(op.instance, Depth::row); }

FireTimer::Outcome decide(const FireTimer& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return StaleTimer{};
    const auto waits = registered_waits(*instance);
    const Waiting* waiting = find_wait(waits, op.token);
    if (!waiting || !waiting->wait.until || *waiting->wait.until > view.now()) return StaleTimer{};
    const Moment due = *waiting->wait.until;
    return Fired{deliver_timer(view, op.instance, *waiting, op.cause).index, due, view.now()};
}

}  // namespace holdfast::op
