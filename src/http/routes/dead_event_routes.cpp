// /api/v1/dead-events: list, show, replay, remove
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
using http::respond_to;

Response respond_to(const op::NoDeadEvent&) {
    return no_such_event(
        "there is no dead event with this id; GET /api/v1/event-fates/{id} shows what happened to "
        "the event");
}

Response respond_to(const op::Removed&) { return {.status = 204}; }

constexpr auto answer_dead_event = [](const auto& one) { return respond_to(one); };

void list_dead(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto list, read_event_list(request));
        search_on_worker(api, std::move(later),
                         [reads = reads_of(api, request),
                          list = std::move(list)](const PageBudget& budget) mutable {
                             list.query.budget = budget;
                             const auto page = reads.ask(DeadEventQuery{list.query});
                             if (!page) return problem(page.error());
                             bj::array items;
                             for (const DeadEvent& dead : page->items)
                                 items.push_back(to_json(dead));
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

void get_dead(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto id, read_event_id(request.param("event")));
        read_on_worker(api, std::move(later), [reads = reads_of(api, request), id] {
            const auto known = reads.ask(FindEvent{id});
            if (!known) return problem(known.error());
            if (!known->dead) return respond_to(op::NoDeadEvent{});
            return json_response(200, to_json(*known->dead));
        });
        return {};
    });
}

Result<op::ReplayDeadEvent> read_replay(const Request& request, Api& api) {
    op::ReplayDeadEvent replay{.queue_limit = api.queue_limit, .queue_bytes = api.queue_bytes};
    HF_TRY(replay.event, read_event_id(request.param("event")));
    HF_TRY(auto body, read_object(request, {"workflow"}, EmptyBody::allowed));
    HF_TRY(auto workflow, read_text(body, "workflow"));
    if (workflow) {
        replay.target = parse_id<InstanceId>(*workflow);
        if (!replay.target)
            return fail(ErrorCode::invalid_argument, "'workflow' must be a workflow id (a UUID)");
    }
    HF_TRY(replay.client_key, read_client_key(request));
    HF_TRY(replay.cause, read_cause(request, api.ids));
    return replay;
}

void replay_dead(Api& api, Request request, Respond respond) {
    submit(api, read_replay(request, api), std::move(respond), answer_dead_event);
}

Result<op::RemoveDeadEvent> read_remove_dead_event(const Request& request, IdSource& ids) {
    op::RemoveDeadEvent remove;
    HF_TRY(remove.event, read_event_id(request.param("event")));
    HF_TRY(remove.cause, read_cause(request, ids));
    return remove;
}

void remove_dead(Api& api, Request request, Respond respond) {
    submit(api, read_remove_dead_event(request, api.ids), std::move(respond), answer_dead_event);
}

}  // namespace

void add_dead_event_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/dead-events";
    add_route(router, api, Method::get, base, list_dead,
              Description("listDeadEvents", readers, "Lists events whose target ended before.")
                  .audited()
                  .query({"name", "The name of the event."})
                  .query({"target", "The id of the workflow.", AnyText{"uuid"}})
                  .page(50, 500)
                  .answer(200, "A page of dead events.", "DeadEventPage"));
    add_route(router, api, Method::get, base + "/{event}", get_dead,
              Description("getDeadEvent", readers, "Shows a dead event.")
                  .audited()
                  .answer(200, "The event.", "DeadEvent")
                  .problems({"no-such-event"}));
    add_route(
        router, api, Method::post, base + "/{event}/replay", replay_dead,
        Description("replayDeadEvent", operators, "Sends a dead event again.")
            .audited()
            .repeatable()
            .body("ReplayRequest", Presence::optional)
            .answer(200, "It is delivered.", "EventReceipt", {"Location"})
            .answer(202, "It is queued.", "EventReceipt", {"Location"})
            .problems({"no-such-event", "not-found", "ended", "too-many-events", "quarantined"}));
    add_route(router, api, Method::del, base + "/{event}", remove_dead,
              Description("removeDeadEvent", operators, "Deletes a dead event.")
                  .audited()
                  .done("It is deleted.")
                  .problems({"no-such-event"}));
}

}  // namespace holdfast::http
