// How long requests take and how they end, by route; a line for each that the server failed.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <map>
#include <mutex>
#include <string>

#include "http/router.h"

namespace holdfast {

// Safe from any thread; outlives the responses that it measures.
class RequestMetrics {
public:
    explicit RequestMetrics(prometheus::Registry& registry);

    // Once all routes are added.
    void know(const http::Router& router);
    // Observes the response on its way. Streams and long polls are observed when they begin to
    // answer.
    http::Respond measure(const http::Request& request, http::Respond respond);

private:
    struct OfRoute {
        std::string route;
        std::string method;
        prometheus::Histogram* seconds = nullptr;
        std::mutex mutex = {};
        std::map<int, prometheus::Counter*> responses = {};  // by status
    };
    void note(OfRoute& of, int status, double seconds);

    prometheus::Family<prometheus::Histogram>& seconds_;
    prometheus::Family<prometheus::Counter>& responses_;
    std::map<const http::Route*, OfRoute> routes_;
};

}  // namespace holdfast
