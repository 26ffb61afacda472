#include "http/page/page.h"

#include "base/assert.h"
#include "http/page/gunzip.h"
#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

// Nothing from elsewhere, nothing inline: a text of a workflow can never become a program.
constexpr std::string_view content_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

enum class Caching { ask_again, for_ever };

bool accepts_gzip(const Headers& headers) {
    std::string_view rest = headers.find("Accept-Encoding").value_or("");
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const std::string_view item = rest.substr(0, end);
        const std::size_t weight = std::min(item.find(';'), item.size());
        const bool refused = item.substr(weight).find("q=0") != std::string_view::npos &&
                             item.find("q=0.") == std::string_view::npos;
        if (!refused && same_ignoring_case(trimmed(item.substr(0, weight)), "gzip")) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

bool names(std::string_view tags, std::string_view etag) {
    return trimmed(tags) == "*" || tags.find(etag) != std::string_view::npos;
}

Response file_response(const PageFile& file, Caching caching, const Request& request) {
    Response response;
    response.headers.add("ETag", std::string(file.etag));
    response.headers.add("Vary", "Accept-Encoding");
    response.headers.add("Cache-Control", caching == Caching::for_ever
                                              ? "public, max-age=31536000, immutable"
                                              : "no-cache");
    response.headers.add("Content-Security-Policy", std::string(content_policy));
    response.headers.add("Referrer-Policy", "no-referrer");
    response.headers.add("Cross-Origin-Opener-Policy", "same-origin");
    if (names(request.headers.find("If-None-Match").value_or(""), file.etag)) {
        response.status = 304;
        return response;
    }
    response.headers.add("Content-Type", std::string(file.type));
    if (accepts_gzip(request.headers)) {
        response.headers.add("Content-Encoding", "gzip");
        response.body = file.bytes;
    } else {
        response.body = gunzip(file.bytes);
    }
    return response;
}

void add_file(Router& router, std::string_view pattern, const PageFile& file, Caching caching) {
    router.add({Method::get, std::string(pattern), Access::page, Description::of_page(),
                [file, caching](const Request& request, Respond respond) {
                    respond(file_response(file, caching, request));
                }});
}

}  // namespace

void add_page_routes(Router& router, const Page& page) {
    for (const std::string_view screen : page.screens)
        add_file(router, screen, page.index, Caching::ask_again);
    for (const PageFile& asset : page.assets)
        add_file(router, asset.path, asset,
                 asset.path.starts_with("/assets/") ? Caching::for_ever : Caching::ask_again);
}

}  // namespace holdfast::http
