// POST /api/v1/sign-in, /sign-out, /sign-in-links: browsers that act for a credential
#include <boost/json.hpp>

#include "http/access/audit_log.h"
#include "http/access/cookie.h"
#include "http/access/sessions.h"
#include "http/api.h"
#include "http/input/input.h"
#include "http/responses/me.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_key_bytes = 8 * 1024;

// One of both.
struct Presented {
    std::optional<std::string> key;
    std::optional<std::string> link;
};

Result<Presented> read_presented(const Request& request) {
    HF_TRY(const auto body, read_object(request, {"key", "link"}));
    Presented presented;
    HF_TRY(presented.key, read_text(body, "key"));
    HF_TRY(presented.link, read_text(body, "link"));
    if (presented.key.has_value() == presented.link.has_value())
        return refuse(
            "send either 'key': an API key, a sign-in token or the server's token; or "
            "'link': what is behind '#sign-in=' in a sign-in link");
    if (presented.key.value_or("").size() > most_key_bytes)
        return refuse("'key' must have at most 8 KiB");
    return presented;
}

Response begun_response(const Sessions::Begun& begun, const Request& request) {
    Response response = json_response(200, me_json(begun.identity, begun.identity.caller));
    response.headers.add("Set-Cookie", session_cookie(request.headers, request.sender.scheme,
                                                      begun.text, begun.length));
    return response;
}

// Failures are in the audit by their addresses.
void sign_in(Api& api, Request request, const Presented& presented, Respond respond) {
    const std::string& address = request.sender.address;
    auto begun = presented.key ? api.sessions.sign_in(*presented.key, address)
                               : api.sessions.redeem(*presented.link, address);
    if (!begun) return respond(std::move(begun).error());
    request.identity = begun->identity;
    request.caller = begun->identity.caller;
    Respond recorded = api.audit.recording(request, std::move(respond));
    recorded(begun_response(*begun, request));
}

void post_sign_in(Api& api, Request request, Respond respond) {
    auto presented = read_presented(request);
    if (!presented) return respond(problem(presented.error()));
    auto later = std::make_shared<Respond>(std::move(respond));
    WorkerPool::WorkItem work = [&api, later, request = std::move(request),
                                 presented = *std::move(presented)]() mutable {
        sign_in(api, std::move(request), presented, std::move(*later));
    };
    if (!api.readers.post(work))
        (*later)(problem(
            Error{ErrorCode::overloaded, "the server's read queue is full; retry shortly", {}}));
}

Response end_session(Api& api, const Request& request) {
    const auto ended = api.sessions.end(request.identity);
    if (!ended) return problem(ended.error());
    Response response{.status = 204};
    response.headers.add("Set-Cookie", no_session_cookie(request.headers, request.sender.scheme));
    return response;
}

void post_sign_out(Api& api, Request request, Respond respond) {
    if (request.identity.kind != CredentialKind::session)
        return respond(problem(Error{ErrorCode::invalid_argument,
                                     "only browsers sign out; revoke a key with: holdfast keys "
                                     "revoke",
                                     {}}));
    read_on_worker(api, std::move(respond),
                   [&api, request = std::move(request)] { return end_session(api, request); });
}

Response link_response(const Result<Sessions::Link>& link) {
    if (!link) return problem(link.error());
    return json_response(201, bj::object{{"path", "/#sign-in=" + link->text},
                                         {"expiresAt", to_iso8601(link->expires_at)}});
}

void post_link(Api& api, Request request, Respond respond) {
    read_on_worker(api, std::move(respond), [&api, identity = std::move(request.identity)] {
        return link_response(api.sessions.make_link(identity));
    });
}

}  // namespace

void add_sign_in_routes(Router& router, Api& api) {
    router.add({Method::post, "/api/v1/sign-in", Access::open,
                Description("signIn", anybody,
                            "Begins the session of a browser, with a key or a sign-in link.")
                    .body("SignInRequest")
                    .answer(200, "Who has signed in.", "Me", {"Set-Cookie"})
                    .problems({"unauthorized", "too-many-failures", "overloaded",
                               "store-unavailable", "outcome-unknown", "audit-unavailable"}),
                [&api](Request request, Respond respond) {
                    post_sign_in(api, std::move(request), std::move(respond));
                },
                BodySize::small});
    add_route(router, api, Method::post, "/api/v1/sign-out", post_sign_out,
              Description("signOut", everyone.within(Within::nothing),
                          "Ends the session of the browser, on all nodes within 5 s.")
                  .audited()
                  .done("It has ended."));
    add_route(router, api, Method::post, "/api/v1/sign-in-links", post_link,
              Description("createSignInLink", everyone.within(Within::nothing),
                          "Makes a link that opens one session for the same user.")
                  .audited()
                  .answer(201, "The link, for ten minutes.", "SignInLink"));
}

}  // namespace holdfast::http
