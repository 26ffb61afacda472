#include "http/responses/event_responses.h"

#include <boost/json.hpp>

#include "http/responses/problem.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

std::string fate_path(const EventId& id) { return "/api/v1/event-fates/" + to_string(id); }

Response receipt(int status, const EventId& id, const bj::object& body) {
    Response response = json_response(status, body);
    response.headers.add("Location", fate_path(id));
    return response;
}

}  // namespace

Response respond_to(const op::Delivered& delivered) {
    return receipt(200, delivered.event,
                   {{"outcome", "delivered"},
                    {"id", to_string(delivered.event)},
                    {"workflow", to_string(delivered.to)},
                    {"index", delivered.index}});
}

Response respond_to(const op::Queued& queued) {
    return receipt(202, queued.event, {{"outcome", "queued"}, {"id", to_string(queued.event)}});
}

Response respond_to(const op::Scheduled& scheduled) {
    return receipt(202, scheduled.event,
                   {{"outcome", "scheduled"},
                    {"id", to_string(scheduled.event)},
                    {"dueAt", to_iso8601(scheduled.due)}});
}

Response respond_to(const op::FannedOut& sent) {
    bj::array workflows;
    for (const InstanceId& id : sent.to) workflows.emplace_back(to_string(id));
    return receipt(200, sent.event,
                   {{"outcome", "fannedOut"},
                    {"id", to_string(sent.event)},
                    {"workflows", std::move(workflows)},
                    {"onTheWay", sent.on_the_way}});
}

Response respond_to(const op::Terminated& terminated) {
    const std::string status(name_of(terminated.status));
    return problem(409, "ended", "The workflow has ended",
                   "the workflow is " + status +
                       " and accepts no more events; the event was not "
                       "queued",
                   {{"workflowStatus", status}});
}

Response respond_to(const op::NotExactlyOne& sent) {
    return problem(409, "not-exactly-one", "Not exactly one receiver",
                   sent.waits == 0 ? "nobody waits for this event; it was not queued"
                                   : "several wait for this event; it was not sent, name its "
                                     "correlation key or its workflow",
                   {{"waits", sent.waits}});
}

Response respond_to(const op::TooManyQueued& full) {
    const std::string unit(name_of(full.unit));
    Response response = problem(429, "too-many-events", "Too many events",
                                "the event queue of this target or name is full (limit " +
                                    std::to_string(full.limit) + " " + unit +
                                    "); the event was not queued, retry later",
                                {{"limit", full.limit}, {"unit", unit}});
    response.headers.add("Retry-After", "5");
    return response;
}

Response respond_to(const op::IdTaken& taken) {
    return problem(Error{ErrorCode::key_reused,
                         "this id or Idempotency-Key was used for an event with another name, "
                         "target or value; use a new one, or look up the first event at " +
                             fate_path(taken.event),
                         {{"event", to_string(taken.event)}}});
}

Response respond_to(const op::EventCancelled&) { return {.status = 204}; }

Response respond_to(const op::NotScheduled& settled) {
    return problem(409, "not-scheduled", "The event is not scheduled",
                   "only an event that was sent with 'at' or 'after' and is not due yet can be "
                   "cancelled; see " +
                       fate_path(settled.event));
}

Response no_such_event(std::string_view detail) {
    return problem(404, "no-such-event", "Not found", detail);
}

}  // namespace holdfast::http
