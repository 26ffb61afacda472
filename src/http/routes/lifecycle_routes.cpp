// POST /api/v1/workflows/{id}/pause, .../resume, .../retry and .../cancel-timers
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
    HF_TRY(const auto body, read_object(request, {"reason"}, EmptyBody::allowed));
    HF_TRY(const auto reason, read_line(body, "reason"));
    op.reason = reason.value_or("");
    HF_TRY(op.cause, read_cause(request, ids));
    HF_TRY(op.client_key, read_client_key(request));
    return op;
}

template <class Op>
void change(Api& api, Request request, Respond respond) {
    submit(api, read_change<Op>(request, api.ids), std::move(respond),
           [](const auto& one) { return respond_to(one); });
}

Response respond_to(const op::Retried& retried) {
    return versioned(200, retried.version, {{"version", retried.version}});
}

Response respond_to(const op::NothingToRetry& nothing) {
    return problem(409, "nothing-to-retry", "Nothing to retry", nothing.why,
                   {{"currentVersion", nothing.version}});
}

template <class Outcome, class Answer>
Response response_to(const Result<Outcome>& outcome, const Answer& answer) {
    return outcome ? std::visit(answer, *outcome) : problem(outcome.error());
}

// A run that was put aside goes on with its dead letter.
Response redrive(Api& api, const op::Retry& retry, const SignalId& letter) {
    const auto outcome =
        api.coordinator
            .submit(op::RedriveDeadLetter{
                .cause = retry.cause, .client_key = retry.client_key, .signal = letter})
            .get();
    const auto row = api.store.ask(FindInstance{retry.instance, Depth::row});
    const Version version = row && *row ? (*row)->instance.version : 0;
    return response_to(outcome, [&]<class One>(const One& one) {
        if constexpr (std::same_as<One, op::Redriven>)
            return respond_to(op::Retried{version});
        else
            return respond_to(one);
    });
}

Response retry_now(Api& api, const TenantReads& reads, const op::Retry& retry) {
    const auto row = reads.ask(FindInstance{retry.instance, Depth::row});
    if (!row) return problem(row.error());
    if (*row && (*row)->instance.buried) {
        const auto letters = reads.ask(DeadLetterQuery{.instance = retry.instance, .limit = 1});
        if (!letters) return problem(letters.error());
        if (!letters->items.empty()) return redrive(api, retry, letters->items.front().signal.id);
    }
    return response_to(api.coordinator.submit(retry).get(),
                       [](const auto& one) { return respond_to(one); });
}

Result<op::Retry> read_retry(const Request& request, IdSource& ids) {
    op::Retry retry;
    HF_TRY(retry.instance, read_instance_id(request));
    HF_TRY(const auto match, parse_if_match(request.headers, Presence::optional));
    if (match) retry.expected = match->version;
    HF_TRY(const auto body, read_object(request, {"reason"}, EmptyBody::allowed));
    HF_TRY(const auto reason, read_line(body, "reason"));
    retry.reason = reason.value_or("");
    HF_TRY(retry.cause, read_cause(request, ids));
    HF_TRY(retry.client_key, read_client_key(request));
    return retry;
}

void retry(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto op, read_retry(request, api.ids));
        read_on_worker(api, std::move(later),
                       [&api, reads = reads_of(api, request), op = std::move(op)] {
                           return retry_now(api, reads, op);
                       });
        return {};
    });
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
    return Description(id, operators.within(Within::workflow), summary)
        .if_match(Presence::required)
        .repeatable()
        .body("ReasonRequest", Presence::optional)
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
    add_route(
        router, api, Method::post, "/api/v1/workflows/{id}/retry", retry,
        Description("retryWorkflow", operators.within(Within::workflow),
                    "Tries again now what failed.")
            .if_match(Presence::optional)
            .repeatable()
            .body("ReasonRequest", Presence::optional)
            .answer(200, "The next attempt begins.", "RetriedWorkflow", {"ETag"})
            .problems({"not-found", "stale-version", "ended", "quarantined", "nothing-to-retry"}));
    add_route(router, api, Method::post, "/api/v1/workflows/{id}/cancel-timers", cancel_timers,
              Description("cancelTimers", operators.within(Within::workflow),
                          "Cancels the timers of a workflow.")
                  .body("NothingRequest", Presence::optional)
                  .answer(200, "They are cancelled.", "CancelledTimers", {"ETag"})
                  .problems({"not-found", "ended", "quarantined"}));
}

}  // namespace holdfast::http
