// Responses for the outcomes of sending an event.
#pragma once

#include "http/wire/message.h"
#include "operations/events/cancel_event.h"
#include "operations/events/send_event.h"

namespace holdfast::http {

// The accepted outcomes carry a Location header: the event's fate.
Response respond_to(const op::Delivered& delivered);
Response respond_to(const op::Queued& queued);
Response respond_to(const op::Scheduled& scheduled);
Response respond_to(const op::FannedOut& sent);

Response respond_to(const op::Terminated& terminated);
Response respond_to(const op::NotExactlyOne& sent);
Response respond_to(const op::TooManyQueued& full);
Response respond_to(const op::IdTaken& taken);

Response respond_to(const op::EventCancelled& cancelled);
Response respond_to(const op::NotScheduled& settled);

Response no_such_event(std::string_view detail);

}  // namespace holdfast::http
