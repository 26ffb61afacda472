// Reading events from requests: who gets them, under which id, with which options (001.8).
#pragma once

#include <string>

#include "base/result.h"
#include "http/wire/message.h"
#include "operations/events/send_event.h"
#include "store/query.h"

namespace holdfast {
class IdSource;
}

namespace holdfast::http {

// The target and the name stand in the path where the route has an {id} and a {name}; a name that
// does not fit into a path stands in the body.
Result<op::SendEvent> read_send(const Request& request, IdSource& ids);

// Not the nil UUID: no event has it.
Result<EventId> read_event_id(std::string_view text);

struct EventList {
    EventQuery query;
    std::string filters;  // what the cursor is bound to
};
Result<EventList> read_event_list(const Request& request);

}  // namespace holdfast::http
