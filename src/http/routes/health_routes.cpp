// /healthz, /readyz, /version, /metrics
#include <prometheus/gauge.h>
#include <prometheus/text_serializer.h>

#include <boost/json.hpp>

#include "base/build_version.h"
#include "http/api.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

Response metrics_text(const Api& api) {
    prometheus::BuildGauge()
        .Name("holdfast_long_polls")
        .Help("Long polls that are open.")
        .Register(api.metrics)
        .Add({})
        .Set(static_cast<double>(api.polls.count()));
    prometheus::BuildGauge()
        .Name("holdfast_streams")
        .Help("Streams of changes that are open.")
        .Register(api.metrics)
        .Add({})
        .Set(static_cast<double>(api.streams.count()));
    Response response;
    response.headers.add("Content-Type", "text/plain; version=0.0.4");
    response.body = prometheus::TextSerializer().Serialize(api.metrics.Collect());
    return response;
}

// Ready: the store can be read and, as far as is known, written. After a failed write a mark is
// written, so that a server without traffic finds out that its store accepts writes again.
Response readiness(Api& api) {
    if (const auto reachable = api.store.ask(Ping{}); !reachable) return problem(reachable.error());
    if (api.coordinator.write_failure()) {
        const auto written = api.store.set_mark("readiness", api.clock.now());
        if (!written)
            return problem(Error{ErrorCode::unavailable,
                                 "the store accepts no writes: " + written.error().message,
                                 {}});
        api.coordinator.forget_write_failure();
    }
    return json_response(200, bj::object{{"status", "ready"}});
}

}  // namespace

void add_health_routes(Router& router, Api& api) {
    router.add({Method::get, "/healthz", Access::open,
                Description("getHealth", "Whether the process serves.")
                    .any_parameters()
                    .answer(200, "It does.", "Health"),
                [](Request, Respond respond) {
                    respond(json_response(200, bj::object{{"status", "alive"}}));
                }});
    router.add({Method::get, "/readyz", Access::open,
                Description("getReadiness", "Whether the store can be read and written.")
                    .any_parameters()
                    .answer(200, "It can.", "Health")
                    .problems({"overloaded", "store-unavailable", "shutting-down"}),
                [&api](Request, Respond respond) {
                    read_on_worker(api, std::move(respond), [&api] { return readiness(api); });
                }});
    router.add({Method::get, "/version", Access::guarded,
                Description("getVersion", "The version of the program.")
                    .any_parameters()
                    .answer(200, "The version.", "BuildVersion"),
                [](Request, Respond respond) {
                    respond(json_response(
                        200, bj::object{{"name", "holdfast"}, {"version", build_version}}));
                }});
    router.add({Method::get, "/metrics", Access::guarded,
                Description("getMetrics", "The metrics, as Prometheus reads them.")
                    .any_parameters()
                    .answer_as(200, "The metrics.", "text/plain; version=0.0.4"),
                [&api](Request, Respond respond) {
                    read_on_worker(api, std::move(respond), [&api] { return metrics_text(api); });
                }});
}

}  // namespace holdfast::http
