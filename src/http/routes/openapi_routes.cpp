// GET /openapi.json and /docs: the table of routes, for programs and for people
#include <boost/json.hpp>
#include <mutex>

#include "base/ids/digest.h"
#include "http/api.h"
#include "http/description/docs_page.h"
#include "http/description/openapi.h"
#include "http/input/etag.h"

namespace holdfast::http {
namespace {

// The page has no scripts, and nothing from elsewhere.
constexpr const char* docs_policy =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'";

// A text that is made when it is first asked for: all routes are there by then.
class LateText {
public:
    LateText(std::string type, std::function<std::string()> make)
        : type_(std::move(type)), make_(std::move(make)) {}

    Response response(const Request& request) {
        std::call_once(made_, [this] {
            text_ = make_();
            etag_ = '"' + to_hex(sha256(text_)).substr(0, 16) + '"';
        });
        Response response{.status = 304};
        response.headers.add("ETag", etag_);
        response.headers.add("Cache-Control", "no-cache");
        response.headers.add("Content-Security-Policy", docs_policy);
        response.headers.add("Referrer-Policy", "no-referrer");
        if (none_match_names(request.headers, etag_)) return response;
        response.status = 200;
        response.headers.add("Content-Type", type_);
        response.body = text_;
        return response;
    }

private:
    const std::string type_;
    const std::function<std::string()> make_;
    std::once_flag made_;
    std::string text_;
    std::string etag_;
};

Handler sends(std::string type, std::function<std::string()> make) {
    auto text = std::make_shared<LateText>(std::move(type), std::move(make));
    return [text](const Request& request, Respond respond) { respond(text->response(request)); };
}

Description docs_description(const char* id, const char* summary, const char* type) {
    return Description(id, anybody, summary)
        .any_parameters()
        .if_none_match()
        .answer_as(200, "The text.", type, {"ETag", "Content-Security-Policy"});
}

}  // namespace

void add_openapi_routes(Router& router) {
    router.add({Method::get, "/openapi.json", Access::page,
                Description("getOpenApi", anybody, "Describes every route, as OpenAPI 3.1.")
                    .any_parameters()
                    .if_none_match()
                    .answer(200, "This document.", "OpenApi", {"ETag"}),
                sends("application/json",
                      [&router] { return boost::json::serialize(openapi_of(router)); })});
    router.add(
        {Method::get, "/docs", Access::page,
         docs_description("getDocs", "Shows this document as a page.", "text/html; charset=utf-8"),
         sends("text/html; charset=utf-8", [&router] { return docs_page(openapi_of(router)); })});
    router.add({Method::get, "/docs/style.css", Access::page,
                docs_description("getDocsStyle", "The style of the page.", "text/css"),
                sends("text/css", [] { return std::string(docs_style()); })});
}

}  // namespace holdfast::http
