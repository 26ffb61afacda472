#include "http/router.h"

#include <algorithm>

#include "base/assert.h"
#include "http/access/credentials.h"
#include "http/access/held_to.h"
#include "http/caller.h"
#include "http/input/check_request.h"
#include "http/responses/problem.h"

namespace holdfast::http {
namespace {

bool is_param(std::string_view segment) {
    return segment.size() > 2 && segment.starts_with('{') && segment.ends_with('}');
}

std::vector<std::string> segments_of(std::string_view pattern) {
    HF_ASSERT(pattern.starts_with('/'), "a route's pattern begins with '/'");
    std::vector<std::string> segments;
    if (pattern == "/") return segments;
    while (!pattern.empty()) {
        pattern.remove_prefix(1);
        const std::size_t end = std::min(pattern.find('/'), pattern.size());
        HF_ASSERT(end > 0, "a route's pattern has no empty segment");
        segments.emplace_back(pattern.substr(0, end));
        pattern.remove_prefix(end);
    }
    return segments;
}

bool matches(const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
    return std::ranges::equal(pattern, path,
                              [](const std::string& wanted, const std::string& given) {
                                  return is_param(wanted) || wanted == given;
                              });
}

// Patterns of the same shape match the same paths.
bool same_shape(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::ranges::equal(a, b, [](const std::string& x, const std::string& y) {
        return is_param(x) ? is_param(y) : x == y;
    });
}

bool closer(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::ranges::lexicographical_compare(
        a, b,
        [](const std::string& x, const std::string& y) { return !is_param(x) && is_param(y); });
}

bool may_have(const Route& route) {
    switch (route.access) {
        case Access::open:
            return route.pattern == "/healthz" || route.pattern == "/readyz" ||
                   route.pattern == "/api/v1/sign-in";
        case Access::page: return route.method == Method::get && !route.pattern.starts_with("/api");
        case Access::guarded: return true;
    }
    return false;
}

// The method under which the route for `method` is registered.
Method declared(Method method) { return method == Method::head ? Method::get : method; }

}  // namespace

Router::Router(Gate gate) : gate_(std::move(gate)) {}

void Router::add(Route route) {
    HF_ASSERT(may_have(route),
              "S1: only the two health probes, sign-in and the page's files are open");
    HF_ASSERT(route.access != Access::guarded || !route.description.rule.roles.empty(),
              "S5: a guarded route says which roles may use it");
    HF_ASSERT(route.method != Method::head && route.method != Method::other,
              "a route is registered for GET, POST, PUT, PATCH or DELETE");
    Entry entry{.route = std::move(route), .segments = {}};
    entry.segments = segments_of(entry.route.pattern);
    for (const Entry& known : entries_)
        HF_ASSERT(
            known.route.method != entry.route.method || !same_shape(known.segments, entry.segments),
            "a method and path pattern has one handler");
    const auto place = std::ranges::find_if(
        entries_, [&](const Entry& known) { return closer(entry.segments, known.segments); });
    entries_.insert(place, std::move(entry));
}

const Router::Entry* Router::find(const Request& request) const {
    const Method wanted = declared(request.method);
    const auto found = std::ranges::find_if(entries_, [&](const Entry& entry) {
        return entry.route.method == wanted && matches(entry.segments, request.path);
    });
    return found == entries_.end() ? nullptr : &*found;
}

std::optional<Response> Router::admit(Request& head) const {
    const Entry* found = find(head);
    if (auto refused = refusal(head, found)) return refused;
    head.route = &found->route;
    head.body_size = found->route.body_size;
    for (std::size_t i = 0; i < found->segments.size(); ++i) {
        const std::string_view segment = found->segments[i];
        if (is_param(segment))
            head.params.emplace_back(segment.substr(1, segment.size() - 2), head.path[i]);
    }
    // Of an open route, or of a key that handle() asks the store for.
    if (head.identity.credential.empty()) return std::nullopt;
    if (auto refused = refusal_by_rule(found->route.description.rule, head)) {
        head.caller = head.identity.caller;
        refused_(head, *refused);
        return refused;
    }
    auto caller = caller_of(head.identity, head.headers);
    if (!caller) return std::move(caller).error();
    head.caller = *std::move(caller);
    return std::nullopt;
}

std::optional<Response> Router::refusal(Request& request, const Entry* found) const {
    if (auto wrong_host = gate_.check_host(request.headers)) return wrong_host;
    if (auto foreign = Gate::check_site(request)) return foreign;
    if (!found || found->route.access == Access::guarded) {
        const bool is_known = request.route != nullptr;  // handle() has asked the store
        auto identity = gate_.identify(request);
        if (identity)
            request.identity = *std::move(identity);
        else if (is_known || !found || !gate_.credentials().may_learn_of(request))
            return std::move(identity).error();
    }
    if (auto forged = Gate::check_cookie(request)) return forged;
    if (!found) return no_such_route(request);
    return std::nullopt;
}

Response Router::no_such_route(const Request& request) const {
    std::string allowed;
    for (const Entry& entry : entries_) {
        if (!matches(entry.segments, request.path)) continue;
        if (!allowed.empty()) allowed += ", ";
        allowed += name_of(entry.route.method);
        if (entry.route.method == Method::get) allowed += ", HEAD";
    }
    if (allowed.empty())
        return problem(404, "no-such-route", "No such route",
                       "no such route; the API is under /api/v1");
    Response response =
        problem(405, "method-not-allowed", "Method not allowed", "this path supports: " + allowed);
    response.headers.add("Allow", std::move(allowed));
    return response;
}

void Router::handle(Request request, Respond respond) const {
    if (!request.route)
        if (auto refused = admit(request)) return respond(std::move(*refused));
    if (request.route->access != Access::guarded ||
        gate_.credentials().knows_keys(request.identity))
        return run(std::move(request), std::move(respond));
    // What this node knows of the keys is too old: the request waits until the store was asked.
    gate_.credentials().learn_keys(std::move(respond),
                                   [this, request = std::move(request)](Respond later) mutable {
                                       request.params.clear();
                                       if (auto refused = admit(request))
                                           return later(std::move(*refused));
                                       run(std::move(request), std::move(later));
                                   });
}

void Router::run(Request request, Respond respond) const {
    const Route& route = *request.route;
    HF_ASSERT(route.access != Access::guarded || !request.identity.credential.empty(),
              "S1: a guarded route knows whose request it answers");
    if (auto unfit = refusal_of(route.description, request)) return respond(std::move(*unfit));
    route.handler(std::move(request), std::move(respond));
}

std::vector<RouteSummary> Router::routes() const {
    std::vector<RouteSummary> summaries;
    for (const auto& [route, segments] : entries_)
        summaries.push_back({route.method, route.pattern, route.access});
    return summaries;
}

std::vector<const Route*> Router::table() const {
    std::vector<const Route*> table;
    for (const Entry& entry : entries_) table.push_back(&entry.route);
    return table;
}

}  // namespace holdfast::http
