// What sending an event came to, as responses.
#pragma once

#include "http/wire/message.h"
#include "operations/events/send_event.h"

namespace holdfast::http {

// Each with the address where the event's fate can be asked.
Response respond_to(const op::Delivered& delivered);
Response respond_to(const op::Queued& queued);
Response respond_to(const op::FannedOut& sent);

Response respond_to(const op::Terminated& terminated);
Response respond_to(const op::TooManyQueued& full);
Response respond_to(const op::IdTaken& taken);

Response no_such_event(std::string_view detail);

}  // namespace holdfast::http
