// /healthz, /readyz, /version, /metrics
#include <prometheus/gauge.h>
#include <prometheus/text_serializer.h>

#include <boost/json.hpp>

#include "base/build_version.h"
#include "http/api.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

void set_gauge(prometheus::Registry& metrics, const char* name, const char* help, double value) {
    prometheus::BuildGauge().Name(name).Help(help).Register(metrics).Add({}).Set(value);
}

double seconds_between(std::optional<Moment> from, Moment to) {
    return from && *from < to ? std::chrono::duration<double>(to - *from).count() : 0;
}

// Groups that are gone are 0 once more, not left as they were.
void set_open(prometheus::Registry& metrics, const std::vector<Backlog::Open>& open) {
    auto& family = prometheus::BuildGauge()
                       .Name("holdfast_open_workflows")
                       .Help(
                           "Open workflows in the store, by definition and status; of the newest "
                           "10,000, the 100 largest groups.")
                       .Register(metrics);
    for (const auto& one : family.Collect())
        for (const auto& metric : one.metric) {
            prometheus::Labels labels;
            for (const auto& label : metric.label) labels.emplace(label.name, label.value);
            family.Add(labels).Set(0);
        }
    for (const Backlog::Open& group : open)
        family.Add({{"definition", group.definition}, {"status", group.status}})
            .Set(static_cast<double>(group.count));
}

// What is in the store, whichever node put it there. One read a scrape.
void add_backlog(const Api& api) {
    const auto backlog = api.store.ask(CountBacklog{});
    set_gauge(api.metrics, "holdfast_store_up", "1 if the store could be read for this scrape.",
              backlog ? 1 : 0);
    if (!backlog) return;
    const auto count = [&](const char* name, const char* help, std::uint64_t value) {
        set_gauge(api.metrics, name, help, static_cast<double>(value));
    };
    set_open(api.metrics, backlog->open);
    count("holdfast_incidents", "Workflows with an incident in the store, up to 10,000.",
          backlog->incidents);
    count("holdfast_open_tasks", "Open tasks in the store, up to 10,000.", backlog->tasks);
    count("holdfast_dead_letters", "Dead letters in the store, up to 10,000.",
          backlog->dead_letters);
    count("holdfast_dead_events", "Dead events in the store, up to 10,000.", backlog->dead_events);
    count("holdfast_signals_queued", "Signals in the queue of the store, up to 10,000.",
          backlog->signals);
    count("holdfast_timers_armed", "Timers in the store, up to 10,000.", backlog->timers);
    set_gauge(api.metrics, "holdfast_signals_oldest_seconds",
              "How long the oldest free signal could have been claimed.",
              seconds_between(backlog->oldest_signal, backlog->now));
    set_gauge(api.metrics, "holdfast_timers_overdue_seconds",
              "How long the earliest timer is overdue.",
              seconds_between(backlog->next_timer, backlog->now));
}

Response metrics_text(const Api& api) {
    add_backlog(api);
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

// Of a metric without labels; 0: there is none.
double value_of(const prometheus::Registry& metrics, std::string_view name) {
    for (const auto& family : metrics.Collect())
        if (family.name == name && !family.metric.empty()) return family.metric.front().gauge.value;
    return 0;
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
    bj::object body{{"status", "ready"}};
    const auto stranded =
        static_cast<std::uint64_t>(value_of(api.metrics, "holdfast_stranded_workflows"));
    if (stranded > 0) body["strandedWorkflows"] = stranded;
    return json_response(200, body);
}

}  // namespace

void add_health_routes(Router& router, Api& api) {
    router.add({Method::get, "/healthz", Access::open,
                Description("getHealth", anybody, "Whether the process serves.")
                    .any_parameters()
                    .answer(200, "It does.", "Health"),
                [](Request, Respond respond) {
                    respond(json_response(200, bj::object{{"status", "alive"}}));
                }});
    router.add({Method::get, "/readyz", Access::open,
                Description("getReadiness", anybody, "Whether the store can be read and written.")
                    .any_parameters()
                    .answer(200, "It can.", "Health")
                    .problems({"overloaded", "store-unavailable", "shutting-down"}),
                [&api](Request, Respond respond) {
                    read_on_worker(api, std::move(respond), [&api] { return readiness(api); });
                }});
    router.add(
        {Method::get, "/version", Access::guarded,
         Description("getVersion", everyone.within(Within::nothing), "The version of the program.")
             .any_parameters()
             .answer(200, "The version.", "BuildVersion"),
         [](Request, Respond respond) {
             respond(
                 json_response(200, bj::object{{"name", "holdfast"}, {"version", build_version}}));
         }});
    router.add({Method::get, "/metrics", Access::guarded,
                Description("getMetrics", readers, "The metrics, as Prometheus reads them.")
                    .any_parameters()
                    .answer_as(200, "The metrics.", "text/plain; version=0.0.4"),
                [&api](Request, Respond respond) {
                    read_on_worker(api, std::move(respond), [&api] { return metrics_text(api); });
                }});
}

}  // namespace holdfast::http
