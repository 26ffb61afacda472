// Ends a wait: what ended it is taken from where it was, and the program reacts, in one commit
// (001.7).
#pragma once

#include <variant>

#include "model/history.h"
#include "operations/events/react.h"
#include "store/view.h"

namespace holdfast::op {

// A wait of this instance ended.
struct Reached {
    InstanceId instance;
    std::uint64_t index = 0;  // at which the instance waited
};

// The instance has this wait, or is about to.
Reached deliver_event(View& view, const InstanceId& to, const Waiting& waiting, const Event& event,
                      const Cause& cause);
Reached deliver_job_end(View& view, const InstanceId& to, const Waiting& waiting,
                        const SignalId& job, const Document& result, const Cause& cause);
Reached deliver_timer(View& view, const InstanceId& to, const Waiting& waiting, const Cause& cause);
// The pause before another attempt is over, because somebody says so.
Reached end_backoff(View& view, const InstanceId& to, const Waiting& waiting, const Cause& cause);
// `awaited` has ended, or was cleared.
Reached deliver_completion(View& view, const InstanceId& to, const Waiting& waiting,
                           const InstanceId& awaited, const Cause& cause);

// Ends the waits for the end of an instance. Absent: there are many, they are told by signals.
void deliver_completions(View& view, const std::optional<std::vector<WaitRow>>& waiters,
                         const InstanceId& awaited, const Cause& cause);
// The event ends every current wait for its name, oldest first. Does not queue the event. Absent:
// there are many, or it is large; each gets it by a signal.
std::optional<std::vector<Reached>> deliver_to_all(View& view, const Event& event,
                                                   const Cause& cause);

// Names the reads that a wait needs before it may be registered.
void read_wait(ReadSet& reads, const InstanceId& id, const std::string& tenant, const Wait& wait);
// Delivers the first condition of a wait that is met already, in the order of 001.3; false: none
// is.
bool take_pending(View& view, const InstanceId& id, const Waiting& waiting, const Cause& cause);
// The same for those waits of an instance that have begun, and for the waits that the reactions
// begin.
void deliver_pending(View& view, const InstanceId& id, std::vector<TokenId> tokens,
                     const Cause& cause);
// For waits that were not registered for a time or may have missed something: they are registered
// (again), and conditions that are met by now are delivered. Whether any was.
bool catch_up(View& view, const InstanceId& id, const Cause& cause);

}  // namespace holdfast::op
