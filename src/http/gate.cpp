#include "http/gate.h"

#include <algorithm>

#include "http/access/credentials.h"
#include "http/access/site.h"
#include "http/responses/problem.h"
#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

// The name in `name[:port]`; absent: it is not of that form.
std::optional<std::string_view> host_name_of(std::string_view host) {
    const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
    if (bracket == std::string_view::npos) return std::nullopt;
    const std::size_t colon = std::min(host.find(':', bracket), host.size());
    const std::string_view name = host.substr(0, colon);
    const std::string_view port = host.substr(std::min(colon + 1, host.size()));
    const bool good_port = port.size() <= 5 && std::ranges::all_of(port, is_digit);
    const bool named_port = colon == host.size() || !port.empty();
    if (name.empty() || !good_port || !named_port) return std::nullopt;
    return name;
}

// The content types that a page of any site may send without a preflight request.
bool is_form(std::string_view type) {
    constexpr std::string_view forms[] = {"application/x-www-form-urlencoded",
                                          "multipart/form-data", "text/plain"};
    const std::string_view name = trimmed(type.substr(0, type.find(';')));
    return std::ranges::any_of(
        forms, [&](std::string_view form) { return same_ignoring_case(name, form); });
}

bool is_read(Method method) {
    return method == Method::get || method == Method::head || method == Method::other;
}

Response cross_site() {
    return problem(403, "cross-site", "Cross-site request",
                   "this request comes from a page of another site; send it from a page of this "
                   "server, or with a key and without Origin and Sec-Fetch-Site");
}

}  // namespace

Gate::Gate(GateOptions options)
    : host_names_(std::move(options.host_names)), credentials_(std::move(options.credentials)) {
    any_host_ = options.reach == Reach::network && options.token && host_names_.empty();
    if (options.reach == Reach::loopback)
        host_names_.insert(host_names_.end(), {"localhost", "127.0.0.1", "[::1]"});
    if (!credentials_)
        credentials_ = std::make_shared<const Credentials>(CredentialOptions{
            .is_local = options.reach == Reach::loopback, .token = options.token});
}

bool Gate::allows(std::string_view host_name) const {
    return any_host_ || std::ranges::any_of(host_names_, [host_name](const std::string& ours) {
               return same_ignoring_case(ours, host_name);
           });
}

std::optional<Response> Gate::check_host(const Headers& headers) const {
    const auto host = headers.find("Host");
    if (!host || headers.count("Host") != 1)
        return problem(400, "bad-host", "Bad Host", "send exactly one Host header");
    const auto name = host_name_of(*host);
    if (!name) return problem(400, "bad-host", "Bad Host", "the Host header must be name[:port]");
    if (allows(*name)) return std::nullopt;
    return problem(
        421, "misdirected-host", "Misdirected host",
        "the Host header names a host that this server does not serve; to allow it, start the "
        "server with --host-name");
}

std::expected<Identity, Response> Gate::identify(const Request& head) const {
    return credentials_->identify(head);
}

std::optional<Response> Gate::check_cookie(const Request& head) {
    if (head.identity.kind != CredentialKind::session) return std::nullopt;
    const bool says_nothing = !is_read(head.method) && !names_site(head.headers);
    if (says_nothing || !is_from_this_site(head.headers, head.sender.scheme)) return cross_site();
    return std::nullopt;
}

std::optional<Response> Gate::check_site(const Request& head) {
    if (is_read(head.method)) return std::nullopt;
    if (!is_from_this_site(head.headers, head.sender.scheme)) return cross_site();
    // Browsers ask before they send any other method than POST to another site.
    const auto type = head.headers.find("Content-Type");
    if (head.method == Method::post && type && is_form(*type))
        return problem(415, "unsupported-media-type", "Unsupported media type",
                       "forms are not accepted; send the body as Content-Type: application/json");
    if (const auto encoding = head.headers.find("Content-Encoding");
        encoding && !same_ignoring_case(*encoding, "identity"))
        return problem(415, "unsupported-media-type", "Unsupported media type",
                       "Content-Encoding is not supported; send the body uncompressed");
    return std::nullopt;
}

}  // namespace holdfast::http
