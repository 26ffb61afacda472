// POST /api/v1/workflows/{id}/events[/{name}] and /api/v1/events[/{name}],
// GET /api/v1/event-fates/{event} and /api/v1/pending-events,
// DELETE /api/v1/pending-events/{event}
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/cursor.h"
#include "http/input/event_input.h"
#include "http/input/input.h"
#include "http/responses/event_responses.h"
#include "http/responses/refusal_responses.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

void send_event(Api& api, Request request, Respond respond) {
    auto send = read_send(request, api.ids);
    if (send) send->queue_limit = api.queue_limit;
    if (send) send->queue_bytes = api.queue_bytes;
    submit(api, std::move(send), std::move(respond),
           [](const auto& one) { return respond_to(one); });
}

constexpr std::size_t most_deliveries_shown = 1'000;

// A kept event stays queued after a delivery; once it is no longer queued, one delivery is enough
// to report it as delivered.
EventFate fate_of(const KnownEvent& known, Moment now) {
    if (known.dead) return EventFate::dead;
    if (known.queued && is_held(*known.queued, now)) return EventFate::scheduled;
    if (known.queued && !is_expired(*known.queued, now)) return EventFate::queued;
    for (const FateRow& row : known.fates)
        if (row.fate == EventFate::delivered) return EventFate::delivered;
    return known.queued ? EventFate::expired : known.fates.front().fate;
}

// Members that are no longer stored after the event ended are null.
bj::object fate_json(const EventId& id, const KnownEvent& known, Moment now) {
    const Event* event = known.queued ? &*known.queued : known.dead ? &known.dead->event : nullptr;
    bj::object object{{"id", to_string(id)},
                      {"name", event ? event->name : known.fates.front().name},
                      {"fate", name_of(fate_of(known, now))}};
    for (const char* member : {"target", "acceptedAt", "expiresAt", "targetStatus", "endedAt"})
        object[member] = nullptr;
    if (event) {
        object["target"] = to_json(event->target);
        object["acceptedAt"] = to_iso8601(event->accepted_at);
        object["expiresAt"] = to_json(event->expires_at);
    }
    if (known.dead) {
        object["targetStatus"] = name_of(known.dead->target_status);
        object["endedAt"] = to_iso8601(known.dead->ended_at);
    }
    bj::array deliveries;
    std::size_t delivered = 0;
    for (const FateRow& row : known.fates) {
        if (row.instance && ++delivered > most_deliveries_shown) continue;
        if (row.instance)
            deliveries.push_back(bj::object{{"workflow", to_string(*row.instance)},
                                            {"index", row.index},
                                            {"at", to_iso8601(row.at)}});
        else
            object["endedAt"] = to_iso8601(row.at);
    }
    object["deliveries"] = std::move(deliveries);
    object["deliveryCount"] = delivered;
    return object;
}

void get_fate(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto id, read_event_id(request.param("event")));
        read_on_worker(api, std::move(later), [&api, reads = reads_of(api, request), id] {
            const auto known = reads.ask(FindEvent{id});
            if (!known) return problem(known.error());
            if (known->empty())
                return no_such_event(
                    "no event with this id was accepted, or its record was deleted by retention");
            return json_response(200, fate_json(id, *known, api.clock.now()));
        });
        return {};
    });
}

void list_pending(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto list, read_event_list(request));
        search_on_worker(api, std::move(later),
                         [&api, reads = reads_of(api, request),
                          list = std::move(list)](const PageBudget& budget) mutable {
                             list.query.budget = budget;
                             const auto page = reads.ask(PendingEventQuery{list.query});
                             if (!page) return problem(page.error());
                             const Moment now = api.clock.now();
                             bj::array items;
                             for (const Event& event : page->items) {
                                 bj::object item = to_json(event);
                                 item["expired"] = is_expired(event, now);
                                 item["scheduled"] = is_held(event, now);
                                 items.push_back(std::move(item));
                             }
                             bj::object body{{"items", std::move(items)}};
                             body["nextCursor"] = nullptr;
                             if (page->next)
                                 body["nextCursor"] =
                                     make_cursor(to_string(*page->next), list.filters);
                             return json_response(200, body);
                         });
        return {};
    });
}

Result<op::CancelEvent> read_cancel_event(const Request& request, IdSource& ids) {
    op::CancelEvent cancel;
    HF_TRY(cancel.event, read_event_id(request.param("event")));
    HF_TRY(cancel.cause, read_cause(request, ids));
    return cancel;
}

void cancel_event(Api& api, Request request, Respond respond) {
    submit(api, read_cancel_event(request, api.ids), std::move(respond), [](const auto& one) {
        if constexpr (std::is_same_v<decltype(one), const op::NotFound&>)
            return no_such_event("no event with this id was accepted");
        else
            return respond_to(one);
    });
}

}  // namespace

namespace {

Description send_event_description(const char* id, Rule rule, const char* summary,
                                   const char* schema, Presence body) {
    return Description(id, rule, summary)
        .path("name", "The name of the event.")
        .repeatable()
        .body(schema, body)
        .answer(200, "It is delivered.", "EventReceipt", {"Location"})
        .answer(202, "It is queued or scheduled.", "EventReceipt", {"Location"})
        .problems({"too-many-events", "quarantined"});
}

Description pending_list_description() {
    return Description("listPendingEvents", readers,
                       "Lists events that wait for a receiver or a time.")
        .query({"name", "The name of the event."})
        .query({"target", "The id of the workflow.", AnyText{"uuid"}})
        .page(50, 500)
        .answer(200, "A page of pending events.", "PendingEventPage");
}

}  // namespace

void add_event_routes(Router& router, Api& api) {
    add_route(router, api, Method::post, "/api/v1/workflows/{id}/events", send_event,
              send_event_description("sendEventTo", operators.within(Within::workflow),
                                     "Sends an event to a workflow, its name in the body.",
                                     "EventRequest", Presence::required)
                  .problems({"not-found", "ended"}));
    add_route(router, api, Method::post, "/api/v1/workflows/{id}/events/{name}", send_event,
              send_event_description("sendNamedEventTo", operators.within(Within::workflow),
                                     "Sends an event to a workflow.", "EventOptionsRequest",
                                     Presence::optional)
                  .problems({"not-found", "ended"}));
    add_route(router, api, Method::post, "/api/v1/events", send_event,
              send_event_description("sendEvent", operators,
                                     "Sends an event to who waits, its name in the body.",
                                     "EventRequest", Presence::required)
                  .problems({"not-exactly-one"}));
    add_route(
        router, api, Method::post, "/api/v1/events/{name}", send_event,
        send_event_description("sendNamedEvent", operators, "Sends an event to who waits for it.",
                               "EventOptionsRequest", Presence::optional)
            .problems({"not-exactly-one"}));
    add_route(router, api, Method::get, "/api/v1/event-fates/{event}", get_fate,
              Description("getEventFate", readers, "Shows what happened to an event.")
                  .answer(200, "Its fate.", "EventFate")
                  .problems({"no-such-event"}));
    add_route(router, api, Method::get, "/api/v1/pending-events", list_pending,
              pending_list_description());
    add_route(router, api, Method::del, "/api/v1/pending-events/{event}", cancel_event,
              Description("cancelEvent", operators, "Cancels an event that is not due yet.")
                  .audited()
                  .done("It is cancelled.")
                  .problems({"no-such-event", "not-scheduled"}));
}

}  // namespace holdfast::http
