// Ends a wait: the winner, its value in the journal, the instance running again, all in one commit
// (001.7).
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

// A cancelled program is told so at the index where it is, and wakes to undo what it did.
void deliver_cancellation(View& view, const InstanceId& to, const std::string& reason,
                          const Cause& cause);
// The instance sleeps, or is about to, in `waiting`.
Woken deliver_event(View& view, const InstanceId& to, const Event& event, const Cause& cause);
Woken deliver_timer(View& view, const InstanceId& to, Moment due, const Cause& cause);
Woken deliver_completion(View& view, const InstanceId& to, const Instance& ended,
                         const Cause& cause);

// The event ends every wait for its name that stands, oldest first; all of them must have been
// read. Whether it also stays in the queue is for others to say.
std::vector<Woken> deliver_to_all(View& view, const Event& event, const Cause& cause);

// Names what a wait needs to see before it may sleep.
void read_wait(ReadSet& reads, const InstanceId& id, const Wait& wait);
// Whether all of that was read in this round.
bool was_read(const View& view, const InstanceId& id, const Wait& wait);
// Takes what is already there, in the settled order (001.3); absent: nothing is, the instance may
// sleep. The reads of the wait must have been named, else LoadMore names them.
std::expected<std::optional<Woken>, LoadMore> take_pending(View& view, const InstanceId& id,
                                                           const Waiting& waiting,
                                                           const Cause& cause);

boost::json::object to_json(const Woken& outcome);

}  // namespace holdfast::op
