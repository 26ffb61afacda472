#include "http/wire/response_text.h"

#include <algorithm>
#include <string_view>

#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

std::string_view reason_of(int status) {
    switch (status) {
        case 200: return "OK";
        case 201: return "Created";
        case 202: return "Accepted";
        case 204: return "No Content";
        case 304: return "Not Modified";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 410: return "Gone";
        case 412: return "Precondition Failed";
        case 413: return "Content Too Large";
        case 414: return "URI Too Long";
        case 415: return "Unsupported Media Type";
        case 417: return "Expectation Failed";
        case 421: return "Misdirected Request";
        case 422: return "Unprocessable Content";
        case 428: return "Precondition Required";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 501: return "Not Implemented";
        case 503: return "Service Unavailable";
        case 505: return "HTTP Version Not Supported";
        default: return "";
    }
}

bool is_servers_own(std::string_view name) {
    constexpr std::string_view own[] = {"Content-Length", "Transfer-Encoding", "Connection",
                                        "Server", "X-Content-Type-Options"};
    return std::ranges::any_of(own, [name](auto mine) { return same_ignoring_case(mine, name); });
}

// A value may contain a client's text; removing control characters prevents header injection.
void append_field(std::string& text, std::string_view name, std::string_view value) {
    text.append(name).append(": ");
    for (const char c : value) text += is_control(c) ? ' ' : c;
    text.append("\r\n");
}

// These have neither a body nor a length (RFC 9110 section 8.6).
bool is_bodiless(int status) { return status == 204 || status == 304; }

}  // namespace

bool has_body(const Response& response, Method method) {
    return method != Method::head && !is_bodiless(response.status);
}

void write_head(std::string& text, const Response& response, Persistence persistence) {
    text.assign("HTTP/1.1 ").append(std::to_string(response.status)).append(" ");
    text.append(reason_of(response.status)).append("\r\n");
    for (const auto& [name, value] : response.headers.fields())
        if (is_token(name) && !is_servers_own(name)) append_field(text, name, value);
    if (!response.headers.find("Cache-Control")) text.append("Cache-Control: no-store\r\n");
    if (!is_bodiless(response.status) && !response.source)
        append_field(text, "Content-Length", std::to_string(response.body.size()));
    text.append("Server: holdfast\r\nX-Content-Type-Options: nosniff\r\n");
    text.append(persistence == Persistence::close ? "Connection: close\r\n\r\n"
                                                  : "Connection: keep-alive\r\n\r\n");
}

}  // namespace holdfast::http
