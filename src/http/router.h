// Finds the handler of a request and decides from its head whether to admit it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/description/description.h"
#include "http/gate.h"
#include "http/wire/message.h"

namespace holdfast::http {

struct Route {
    Method method = Method::get;
    std::string pattern;  // "/api/v1/workflows/{id}/state"; a {name} matches one segment
    Access access = Access::guarded;
    Description description;  // has no default: a route without one does not compile
    Handler handler;
    BodySize body_size = BodySize::usual;  // that a POST or PATCH may have
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

    // A bug: two routes with one method and shape, an open route other than the probes and sign-in,
    // a file of the page under /api, or a guarded route that no role may use.
    void add(Route route);

    // Checks the head, in this order: wrong Host (400, 421); a change for a page of another site
    // (403), or as a form (415); missing credential (401, also for
    // unknown paths, but not for open routes); unknown path (404) or method (405); a role that may
    // not use the route, or a user that the credential may not act for (403). Absent: admitted.
    // An admitted head has its route, its params, its identity and its caller.
    std::optional<Response> admit(Request& head) const;

    // Calls the handler of an admitted request that fits the description of its route (400, 415).
    // One that was not admitted yet is admitted first.
    // HEAD runs the GET handler; the server drops the body when it writes the response.
    void handle(Request request, Respond respond) const;

    // `told` gets each request that a role of its credential does not allow (403), before the
    // response is sent; from any thread.
    void tell_refusals(std::function<void(const Request&, const Response&)> told) {
        refused_ = std::move(told);
    }

    std::vector<RouteSummary> routes() const;
    // With their descriptions; valid until another is added.
    std::vector<const Route*> table() const;

private:
    struct Entry {
        Route route;
        std::vector<std::string> segments;  // "{id}" stays in braces
    };

    const Entry* find(const Request& request) const;
    std::optional<Response> refusal(Request& request, const Entry* found) const;
    void run(Request request, Respond respond) const;
    Response no_such_route(const Request& request) const;

    Gate gate_;
    std::function<void(const Request&, const Response&)> refused_ = [](const Request&,
                                                                       const Response&) {};
    std::vector<Entry>
        entries_;  // literal segments before {names}: the first match is the most specific
};

}  // namespace holdfast::http
