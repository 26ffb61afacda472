#include "node/request_metrics.h"

#include <chrono>

#include "base/log.h"

namespace holdfast {

RequestMetrics::RequestMetrics(prometheus::Registry& registry)
    : seconds_(prometheus::BuildHistogram()
                   .Name("holdfast_http_request_seconds")
                   .Help("From the whole request to its response, by route and method.")
                   .Register(registry)),
      responses_(prometheus::BuildCounter()
                     .Name("holdfast_http_responses_total")
                     .Help("Responses of routes, by route, method and status.")
                     .Register(registry)) {}

void RequestMetrics::know(const http::Router& router) {
    for (const http::Route* route : router.table()) {
        if (route->access == http::Access::page) continue;
        OfRoute& of = routes_[route];
        of.route = route->pattern;
        of.method = std::string(http::name_of(route->method));
        of.seconds = &seconds_.Add(
            {{"route", of.route}, {"method", of.method}},
            prometheus::Histogram::BucketBoundaries{0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60});
    }
}

http::Respond RequestMetrics::measure(const http::Request& request, http::Respond respond) {
    const auto found = routes_.find(request.route);
    if (found == routes_.end()) return respond;
    const auto began = std::chrono::steady_clock::now();
    auto gone = respond.gone();
    return http::Respond(
        [this, &of = found->second, began, respond = std::move(respond)](
            http::MakeResponse make, http::ResponseSize size) mutable {
            respond.later(
                [this, &of, began, make = std::move(make)]() mutable {
                    http::Response response = make();
                    const std::chrono::duration<double> took =
                        std::chrono::steady_clock::now() - began;
                    note(of, response.status, took.count());
                    return response;
                },
                size);
        },
        std::move(gone));
}

// Of a request that the client got wrong the client hears.
void RequestMetrics::note(OfRoute& of, int status, double seconds) {
    of.seconds->Observe(seconds);
    {
        const std::lock_guard lock(of.mutex);
        prometheus::Counter*& counter = of.responses[status];
        if (!counter)
            counter = &responses_.Add(
                {{"route", of.route}, {"method", of.method}, {"status", std::to_string(status)}});
        counter->Increment();
    }
    if (status < 400) return;
    const log::Fields fields{
        {"method", of.method}, {"route", of.route}, {"status", status}, {"seconds", seconds}};
    if (status >= 500)
        log::warn("http.request_failed", fields);
    else
        log::debug("http.request_refused", fields);
}

}  // namespace holdfast
