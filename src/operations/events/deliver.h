// Ends a wait: records the winner and its value in the journal and lets the instance run again, in
// one commit (001.7).
#pragma once

#include "model/history.h"
#include "store/view.h"

namespace holdfast::op {

// What ended a wait.
struct Woken {
    Winner winner;
    Document value;
    Moment at;
};

// Records the cancellation at the program's current index and wakes it to run its rollback.
void deliver_cancellation(View& view, const InstanceId& to, const std::string& reason,
                          const Cause& cause);
// The instance waits, or is about to.
Woken deliver_event(View& view, const InstanceId& to, const Event& event, const Cause& cause);
Woken deliver_timer(View& view, const InstanceId& to, Moment due, const Cause& cause);
Woken deliver_completion(View& view, const InstanceId& to, const Instance& ended,
                         const Cause& cause);
// The workflow that it waits for was deleted.
Woken deliver_cleared(View& view, const InstanceId& to, const InstanceId& cleared,
                      const Cause& cause);

// The event ends every current wait for its name, oldest first. Does not queue the event.
std::vector<Woken> deliver_to_all(View& view, const Event& event, const Cause& cause);

// Names the reads that a wait needs before it may be registered.
void read_wait(ReadSet& reads, const InstanceId& id, const Wait& wait);
// Delivers the first condition that is already met, in the order of 001.3; absent: none is, and
// the instance may wait.
std::optional<Woken> take_pending(View& view, const InstanceId& id, const Waiting& waiting,
                                  const Cause& cause);

boost::json::object to_json(const Woken& outcome);

}  // namespace holdfast::op
