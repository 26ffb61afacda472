// GET /api/v1/workflows/{id}/result: a long poll for the result of a workflow
#include <boost/json.hpp>

#include "http/api.h"
#include "http/input/input.h"
#include "http/responses/refusal_responses.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

Response outcome_of(const Instance& instance) {
    bj::object body{{"id", to_string(instance.id)}, {"status", name_of(instance.status)}};
    body["result"] = instance.result ? instance.result->value() : bj::value(nullptr);
    return versioned(is_open(instance.status) ? 202 : 200, instance.version, body);
}

bool is_buried(const Instance& instance) { return is_open(instance.status) && instance.buried; }

Response stopped(const Instance& instance) {
    return problem(409, "stopped", "Stopped by a dead letter",
                   "the workflow does not go on: its continuation is a dead letter; repair the "
                   "cause and redrive it, or remove it",
                   {{"workflowStatus", name_of(instance.status)},
                    {"lastError", instance.last_error.value_or("unknown")}});
}

std::optional<Response> check_result(const TenantReads& reads, const InstanceId& id) {
    const auto found = reads.ask(FindInstance{id, Depth::row});
    if (!found) return problem(found.error());
    if (!*found) return respond_to(op::NotFound{});
    if (is_buried((*found)->instance)) return stopped((*found)->instance);
    if (is_open((*found)->instance.status)) return std::nullopt;
    return outcome_of((*found)->instance);
}

void get_result(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const InstanceId id, read_instance_id(request));
        std::chrono::microseconds time = std::chrono::seconds{30};
        if (const auto timeout = request.query_value("timeout")) {
            HF_TRY(time, read_duration(*timeout, "timeout", poll_time));
        }
        auto share = api.shares.take(request.identity, Share::poll);
        if (!share) {
            later(no_share(api.shares, Share::poll));
            return {};
        }
        api.polls.start(
            {.instance = id,
             .time = std::chrono::ceil<std::chrono::milliseconds>(time),
             .check = [reads = reads_of(api, request), id] { return check_result(reads, id); },
             .is_relevant =
                 [](const Instance* now) {
                     return !now || !is_open(now->status) || is_buried(*now);
                 },
             .on_timeout = json_response(
                 202, bj::object{{"id", to_string(id)}, {"status", "open"}, {"result", nullptr}}),
             .share = std::move(share)},
            std::move(later));
        return {};
    });
}

}  // namespace

void add_result_routes(Router& router, Api& api) {
    add_route(router, api, Method::get, "/api/v1/workflows/{id}/result", get_result,
              Description("getResult", run_readers.within(Within::workflow),
                          "Waits for the end of a workflow.")
                  .query({"timeout", "How long to wait, at most `60s`; `30s` if absent.",
                          AnyText{"duration"}})
                  .answer(200, "It has ended.", "Outcome", {"ETag"})
                  .answer(202, "It has not ended yet.", "Outcome")
                  .problems({"not-found", "stopped", "too-many-open"}));
}

}  // namespace holdfast::http
