// POST /api/v1/workflows/{id}/signals
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/event_input.h"
#include "http/input/input.h"
#include "http/responses/problem.h"
#include "http/responses/refusal_responses.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;
using http::respond_to;

Response signal_receipt(int status, std::string_view outcome, const SignalId& id) {
    return json_response(status, bj::object{{"outcome", outcome}, {"id", to_string(id)}});
}

Response respond_to(const op::Enqueued& queued) {
    return signal_receipt(202, "queued", queued.signal);
}

Response respond_to(const op::SignalRepeated& repeated) {
    return signal_receipt(200, "repeated", repeated.signal);
}

Response respond_to(const op::SignalTooLong& long_one) {
    return problem(413, "signal-too-long", "Signal too long",
                   "a signal is limited to " + std::to_string(long_one.limit) +
                       " bytes; send an event instead, or a reference to the data",
                   {{"limit", long_one.limit}});
}

// An event of that name, whose id is that of the signal.
Result<op::EnqueueSignal> read_signal(const Request& request, IdSource& ids) {
    op::EnqueueSignal signal;
    HF_TRY(signal.instance, read_instance_id(request));
    HF_TRY(auto body, read_object(request, {"id", "name", "value", "after"}));
    HF_TRY(auto given, read_text(body, "id"));
    auto event = ids.next<EventId>();
    if (given) {
        HF_TRY(event, read_event_id(*given));
    }
    signal.signal = {event.value};
    HF_TRY(auto text, read_text(body, "name"));
    HF_TRY(auto name, read_label(text.value_or(""), "'name'"));
    if (is_engine_name(name))
        return refuse("event names that begin with 'task/' or 'process/' belong to the engine");
    HF_TRY(auto after, read_text(body, "after"));
    if (after) {
        HF_TRY(signal.after, read_duration(*after, "'after'"));
    }
    signal.payload = Document::of(bj::object{
        {"event", to_string(event)}, {"name", name}, {"value", read_value(body, "value").value()}});
    HF_TRY(signal.cause, read_cause(request, ids));
    return signal;
}

void enqueue_signal(Api& api, Request request, Respond respond) {
    submit(api, read_signal(request, api.ids), std::move(respond),
           [](const auto& one) { return respond_to(one); });
}

}  // namespace

void add_signal_routes(Router& router, Api& api) {
    add_route(router, api, Method::post, "/api/v1/workflows/{id}/signals", enqueue_signal,
              Description("sendSignal", operators.within(Within::workflow),
                          "Puts an event for a workflow into the queue of signals.")
                  .body("SignalRequest")
                  .answer(202, "It is queued.", "SignalReceipt")
                  .answer(200, "It was queued before.", "SignalReceipt")
                  .problems({"not-found", "ended", "signal-too-long"}));
}

}  // namespace holdfast::http
