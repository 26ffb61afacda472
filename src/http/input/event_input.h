// Reads events from requests: target, id and options (001.8).
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

// The target and the name come from the path if the route has an {id} and a {name}; otherwise the
// name comes from the body, which also allows names that do not fit into a path.
Result<op::SendEvent> read_send(const Request& request, IdSource& ids);

// Refuses the nil UUID, which no event has.
Result<EventId> read_event_id(std::string_view text);

struct EventList {
    EventQuery query;
    std::string filters;  // the cursor is bound to these
};
Result<EventList> read_event_list(const Request& request);

}  // namespace holdfast::http
