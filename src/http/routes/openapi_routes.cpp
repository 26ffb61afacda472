// GET /openapi.json and /docs: the table of routes, for programs and for people
#include <boost/json.hpp>
#include <mutex>

#include "base/ids/digest.h"
#include "http/api.h"
#include "http/description/openapi.h"
#include "http/input/etag.h"

namespace holdfast::http {
namespace {

// Made when it is first asked for: all routes are there by then.
class Text {
public:
    Text(const Router& router, std::string type) : router_(router), type_(std::move(type)) {}

    Response response(const Request& request) {
        std::call_once(made_, [this] {
            text_ = boost::json::serialize(openapi_of(router_));
            etag_ = '"' + to_hex(sha256(text_)).substr(0, 16) + '"';
        });
        Response response{.status = 304};
        response.headers.add("ETag", etag_);
        response.headers.add("Cache-Control", "no-cache");
        if (none_match_names(request.headers, etag_)) return response;
        response.status = 200;
        response.headers.add("Content-Type", type_);
        response.body = text_;
        return response;
    }

private:
    const Router& router_;
    const std::string type_;
    std::once_flag made_;
    std::string text_;
    std::string etag_;
};

}  // namespace

void add_openapi_routes(Router& router) {
    auto text = std::make_shared<Text>(router, "application/json");
    Description description("getOpenApi", "Describes every route, as OpenAPI 3.1.");
    description.any_parameters().answer(200, "This document.", "OpenApi", {"ETag"}).if_none_match();
    router.add(
        {Method::get, "/openapi.json", Access::page, std::move(description),
         [text](const Request& request, Respond respond) { respond(text->response(request)); }});
}

}  // namespace holdfast::http
