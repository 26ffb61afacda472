#include "http/access/site.h"

#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

// The host and port of an origin, as a Host header has them; absent: `null`, no web origin, or one
// of another scheme: a page that was sent in the clear may be made by anybody on its way.
std::optional<std::string_view> host_of_origin(std::string_view origin, Scheme ours) {
    if (ours != Scheme::https && origin.starts_with("http://")) return origin.substr(7);
    if (ours != Scheme::http && origin.starts_with("https://")) return origin.substr(8);
    return std::nullopt;
}

}  // namespace

bool is_from_this_site(const Headers& headers, Scheme scheme) {
    if (headers.count("Origin") > 1 || headers.count("Sec-Fetch-Site") > 1) return false;
    const auto site = headers.find("Sec-Fetch-Site");
    if (site && *site != "same-origin" && *site != "none") return false;
    const auto origin = headers.find("Origin");
    if (!origin) return true;
    const auto host = host_of_origin(*origin, scheme);
    return host && same_ignoring_case(*host, headers.find("Host").value_or(""));
}

bool names_site(const Headers& headers) {
    return headers.count("Origin") > 0 || headers.count("Sec-Fetch-Site") > 0;
}

}  // namespace holdfast::http
