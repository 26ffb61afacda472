// Delayed events (001.22): one is held in the queue, and a scheduled signal takes
// it out when it is due.
#pragma once

#include "model/event.h"
#include "model/signal.h"
#include "store/view.h"

namespace holdfast::op {

// The signal that is due with the event. One that comes too late does nothing.
SignalRow signal_for(const Event& event, Moment now);
// The event that the signal is about. Absent: it is another signal.
std::optional<EventId> delayed_event_in(const Envelope& envelope);
// The event is due: it goes where it would have gone if it were sent now. Whether it ended a wait.
bool send_due(View& view, const EventId& id, const Cause& cause);

}  // namespace holdfast::op
