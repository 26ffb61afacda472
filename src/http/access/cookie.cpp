#include "http/access/cookie.h"

#include <algorithm>
#include <vector>

#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

// Browsers send the cookies of a host to each of its ports: the name has the one of this server.
std::string plain_name(const Headers& headers) {
    const std::string_view host = headers.find("Host").value_or("");
    const std::size_t colon = host.rfind(':');
    const std::string_view port =
        colon == std::string_view::npos ? std::string_view() : host.substr(colon + 1);
    const bool has_port = !port.empty() && std::ranges::all_of(port, is_digit);
    return has_port ? "holdfast_" + std::string(port) : "holdfast";
}

// A browser takes a cookie of that name only over TLS and from this host itself.
std::string secure_name(const Headers& headers) { return "__Host-" + plain_name(headers); }

// Of all with that name. More than one: somebody has put one there beside ours.
std::size_t count_named(std::string_view cookies, std::string_view name, std::string_view& value) {
    std::size_t count = 0;
    while (!cookies.empty()) {
        const std::size_t end = std::min(cookies.find(';'), cookies.size());
        const std::string_view pair = trimmed(cookies.substr(0, end));
        cookies.remove_prefix(std::min(end + 1, cookies.size()));
        if (!pair.starts_with(name) || pair.substr(name.size(), 1) != "=") continue;
        value = pair.substr(name.size() + 1);
        ++count;
    }
    return count;
}

// Whether the page was loaded over TLS. Who may be a proxy that does not say leaves it to the
// browser.
bool is_secure(const Headers& headers, Scheme scheme) {
    if (scheme != Scheme::unknown) return scheme == Scheme::https;
    return headers.find("Origin").value_or("").starts_with("https://");
}

// Under https a cookie of the plain name may come from anybody on the way of a page in the clear.
std::vector<std::string> names_under(Scheme scheme, const Headers& headers) {
    if (scheme == Scheme::https) return {secure_name(headers)};
    if (scheme == Scheme::http) return {plain_name(headers)};
    return {secure_name(headers), plain_name(headers)};
}

std::string cookie_of(const Headers& headers, Scheme scheme, std::string_view value, long seconds) {
    const bool secure = is_secure(headers, scheme);
    std::string text = secure ? secure_name(headers) : plain_name(headers);
    text.append("=").append(value).append("; Path=/; Max-Age=").append(std::to_string(seconds));
    text += "; HttpOnly; SameSite=Strict";
    if (secure) text += "; Secure";
    return text;
}

}  // namespace

std::optional<std::string_view> session_in(const Headers& headers, Scheme scheme) {
    const auto cookies = headers.find("Cookie");
    if (!cookies || headers.count("Cookie") != 1) return std::nullopt;
    std::string_view value;
    for (const std::string& name : names_under(scheme, headers)) {
        const std::size_t count = count_named(*cookies, name, value);
        if (count == 1) return value;
        if (count > 1) return std::nullopt;
    }
    return std::nullopt;
}

std::string session_cookie(const Headers& headers, Scheme scheme, std::string_view session,
                           std::chrono::seconds length) {
    return cookie_of(headers, scheme, session, length.count());
}

std::string no_session_cookie(const Headers& headers, Scheme scheme) {
    return cookie_of(headers, scheme, "", 0);
}

}  // namespace holdfast::http
