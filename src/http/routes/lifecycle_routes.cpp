// POST /api/v1/workflows/{id}/pause, .../resume and .../cancel-timers
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/etag.h"
#include "http/input/input.h"
#include "http/responses/refusal_responses.h"

namespace holdfast::http {
namespace {

using http::respond_to;

Response respond_to(const op::Paused& paused) {
    return versioned(200, paused.version, {{"version", paused.version}, {"paused", true}});
}

Response respond_to(const op::Resumed& resumed) {
    return versioned(200, resumed.version, {{"version", resumed.version}, {"paused", false}});
}

Response respond_to(const op::TimersCancelled& cancelled) {
    return versioned(200, cancelled.version,
                     {{"version", cancelled.version}, {"cancelled", cancelled.count}});
}

template <class Op>
Result<Op> read_change(const Request& request, IdSource& ids) {
    Op op;
    HF_TRY(op.instance, read_instance_id(request));
    HF_TRY(auto match, parse_if_match(request.headers, Presence::required));
    op.expected = match->version;
    HF_CHECK(read_object(request, {}, EmptyBody::allowed));
    HF_TRY(op.cause, read_cause(request, ids));
    HF_TRY(op.client_key, read_client_key(request));
    return op;
}

template <class Op>
void change(Api& api, Request request, Respond respond) {
    submit(api, read_change<Op>(request, api.ids), std::move(respond),
           [](const auto& one) { return respond_to(one); });
}

Result<op::CancelTimers> read_cancel_timers(const Request& request, IdSource& ids) {
    op::CancelTimers op;
    HF_TRY(op.instance, read_instance_id(request));
    HF_CHECK(read_object(request, {}, EmptyBody::allowed));
    HF_TRY(op.cause, read_cause(request, ids));
    return op;
}

void cancel_timers(Api& api, Request request, Respond respond) {
    submit(api, read_cancel_timers(request, api.ids), std::move(respond),
           [](const auto& one) { return respond_to(one); });
}

}  // namespace

namespace {

Description lifecycle_description(const char* id, const char* summary, const char* answer) {
    return Description(id, summary)
        .if_match(Presence::required)
        .repeatable()
        .body("NothingRequest", Presence::optional)
        .answer(200, answer, "PausedState", {"ETag"})
        .problems({"not-found", "stale-version", "ended", "quarantined"});
}

}  // namespace

void add_lifecycle_routes(Router& router, Api& api) {
    add_route(router, api, Method::post, "/api/v1/workflows/{id}/pause", change<op::Pause>,
              lifecycle_description("pauseWorkflow", "Pauses a workflow.", "It is paused."));
    add_route(
        router, api, Method::post, "/api/v1/workflows/{id}/resume", change<op::Resume>,
        lifecycle_description("resumeWorkflow", "Lets a paused workflow go on.", "It goes on."));
    add_route(router, api, Method::post, "/api/v1/workflows/{id}/cancel-timers", cancel_timers,
              Description("cancelTimers", "Cancels the timers of a workflow.")
                  .body("NothingRequest", Presence::optional)
                  .answer(200, "They are cancelled.", "CancelledTimers", {"ETag"})
                  .problems({"not-found", "ended", "quarantined"}));
}

}  // namespace holdfast::http
