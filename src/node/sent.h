// The outcome of sending an event, as user code sees it.
#pragma once

#include "holdfast/calls.h"
#include "node/thrown.h"
#include "operations/events/send_event.h"

namespace holdfast {

inline Sent sent_of(const op::SendEvent::Outcome& outcome) {
    return std::visit(Each{[](const op::Delivered&) { return Sent::delivered; },
                           [](const op::FannedOut&) { return Sent::delivered; },
                           [](const op::Queued&) { return Sent::queued; },
                           [](const op::Scheduled&) { return Sent::queued; },
                           [](const op::Terminated&) { return Sent::ended; },
                           [](const op::NotFound&) { return Sent::unknown; },
                           [](const auto&) { return Sent::refused; }},
                      outcome);
}

}  // namespace holdfast
