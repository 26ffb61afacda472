// What reaches many instances goes to each by a signal of its own, written by one statement and
// delivered by the pump: no round acts on more than most_receivers of them (001.5).
#pragma once

#include <string>

#include "model/event.h"
#include "model/signal.h"
#include "store/view.h"

namespace holdfast::op {

// The event goes to every wait that is registered on its channel, except those of one instance.
void send_by_signals(View& view, const Event& event, const Cause& cause,
                     const std::optional<InstanceId>& except = {});
// The instance has ended: whoever waits for it is told.
void tell_end_by_signals(View& view, const InstanceId& ended, const Cause& cause);
// The open children of the instance are cancelled.
void cancel_children_by_signals(View& view, const InstanceId& parent, const std::string& reason,
                                const Cause& cause);

// Whether the signal carries an event to one of many.
bool is_fanned_out(const Envelope& envelope);

// An event that came by such a signal.
struct FannedOutEvent {
    Event event;
    std::optional<InstanceId> except;
};
// Absent: the signal carries something else. corrupt: it carries none that is complete.
std::optional<Result<FannedOutEvent>> fanned_out_event_in(const View& view,
                                                          const Envelope& envelope);
// Why the signal cancels its instance. Absent: it does not.
std::optional<std::string> cancel_reason_in(const Envelope& envelope);

}  // namespace holdfast::op
