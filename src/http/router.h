// Finds the handler of a request and decides, on its head alone, whether it may come in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/gate.h"
#include "http/wire/message.h"

namespace holdfast::http {

struct Route {
    Method method = Method::get;
    std::string pattern;  // "/api/v1/workflows/{id}/state"; a {name} matches one segment
    Access access = Access::guarded;
    Handler handler;
};

// A route without its handler.
struct RouteSummary {
    Method method;
    std::string pattern;
    Access access;

    bool operator==(const RouteSummary&) const = default;
};

// Routes are added before the first request; after that it is safe from any thread.
class Router {
public:
    explicit Router(Gate gate);

    // A bug: two routes with one method and shape, or an open route other than /healthz and
    // /readyz.
    void add(Route route);

    // Refuses by head: a foreign Host (400, 421), then a missing token (401, for everything that is
    // not an open route, known or not), then an unknown path (404) or method (405). Absent:
    // `handle` may follow.
    std::optional<Response> admit(const Request& head) const;

    // Answers what `admit` refuses, else calls the handler with the params set. HEAD runs the GET
    // handler; whoever writes the response leaves its body out.
    void handle(Request request, Respond respond) const;

    std::vector<RouteSummary> routes() const;

private:
    struct Entry {
        Route route;
        std::vector<std::string> segments;  // "{id}" stays in braces
    };

    const Entry* find(const Request& request) const;
    std::optional<Response> refusal(const Request& request, const Entry* found) const;
    Response no_such_route(const Request& request) const;

    Gate gate_;
    std::vector<Entry>
        entries_;  // literal segments before {names}, so that the first match is the closest
};

}  // namespace holdfast::http
