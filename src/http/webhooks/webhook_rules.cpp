#include "http/webhooks/webhook_rules.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "base/assert.h"
#include "base/ids/digest.h"

namespace holdfast::http {
namespace {

struct Range {
    std::uint32_t first;
    unsigned bits;
};

// RFC 6890 and multicast.
constexpr Range special_ranges[] = {
    {0x00000000, 8},  {0x0a000000, 8},  {0x64400000, 10}, {0x7f000000, 8},  {0xa9fe0000, 16},
    {0xac100000, 12}, {0xc0000000, 24}, {0xc0000200, 24}, {0xc0586300, 24}, {0xc0a80000, 16},
    {0xc6120000, 15}, {0xc6336400, 24}, {0xcb007100, 24}, {0xe0000000, 4},  {0xf0000000, 4}};

bool is_public(std::uint32_t address) {
    return std::ranges::none_of(special_ranges, [&](const Range& range) {
        return (address >> (32 - range.bits)) == (range.first >> (32 - range.bits));
    });
}

std::uint32_t word_at(const std::array<std::uint8_t, 16>& bytes, std::size_t at) {
    return std::uint32_t{bytes[at]} << 24 | std::uint32_t{bytes[at + 1]} << 16 |
           std::uint32_t{bytes[at + 2]} << 8 | std::uint32_t{bytes[at + 3]};
}

// Only global unicast (2000::/3) is public, but for what the IETF keeps (2001::/23, with Teredo)
// and documentation. An address of IPv4 within is judged as what it is.
bool is_public(const std::array<std::uint8_t, 16>& bytes) {
    const std::uint32_t first = word_at(bytes, 0);
    const bool starts_zero = first == 0 && word_at(bytes, 4) == 0;
    if (starts_zero && word_at(bytes, 8) == 0x0000ffff) return is_public(word_at(bytes, 12));
    if (first == 0x0064ff9b && word_at(bytes, 4) == 0 && word_at(bytes, 8) == 0)
        return is_public(word_at(bytes, 12));
    if (first >> 16 == 0x2002) return is_public(word_at(bytes, 2));
    if (first >> 9 == 0x20010000 >> 9 || first == 0x20010db8 || first >> 12 == 0x3fff0)
        return false;
    return first >> 29 == 1;
}

// "*.example.org" allows every name below it.
bool allows(const std::string& pattern, const std::string& host) {
    if (!pattern.starts_with("*.")) return pattern == host;
    const std::string_view ending = std::string_view(pattern).substr(1);
    return host.size() > ending.size() && host.ends_with(ending);
}

using Addresses = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

}  // namespace

bool is_public(const sockaddr& address) {
    if (address.sa_family == AF_INET) {
        sockaddr_in four;
        std::memcpy(&four, &address, sizeof four);
        return is_public(ntohl(four.sin_addr.s_addr));
    }
    if (address.sa_family != AF_INET6) return false;
    sockaddr_in6 six;
    std::memcpy(&six, &address, sizeof six);
    std::array<std::uint8_t, 16> bytes;
    std::memcpy(bytes.data(), &six.sin6_addr, bytes.size());
    return is_public(bytes);
}

Result<void> check_host_pattern(std::string_view pattern) {
    const std::string_view host = pattern.starts_with("*.") ? pattern.substr(2) : pattern;
    const bool has_port = std::ranges::count(host, ':') == 1;
    if (is_host_name(host) && !has_port) return {};
    return fail(ErrorCode::invalid_argument,
                "--webhook-host '" + std::string(pattern) +
                    "' must be a host in lower case, without scheme and port, or *. and a domain");
}

Result<void> check_webhook(const WebhookRules& rules, const WebhookUrl& url) {
    if (rules.secret.empty())
        return fail(ErrorCode::invalid_argument,
                    "this server has no webhooks: start it with --webhook-secret-file");
    if (std::ranges::any_of(rules.hosts,
                            [&](const std::string& one) { return allows(one, url.host); }))
        return {};
    return fail(ErrorCode::invalid_argument, "webhooks may not post to '" + url.host +
                                                 "': start the server with --webhook-host " +
                                                 url.host + " to allow it");
}

Result<std::string> address_for(const WebhookRules& rules, const WebhookUrl& url) {
    HF_CHECK(check_webhook(rules, url));
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(url.host.c_str(), url.port.c_str(), &hints, &found))
        return fail(ErrorCode::unavailable,
                    "the host cannot be resolved: " + std::string(::gai_strerror(error)));
    const Addresses addresses(found, &::freeaddrinfo);
    for (const addrinfo* one = found; one; one = one->ai_next)
        if (!rules.allow_private && !is_public(*one->ai_addr))
            return fail(ErrorCode::invalid_argument,
                        "'" + url.host +
                            "' is an address of this machine or of a private network: start the "
                            "server with --webhook-allow-private to allow them");
    char text[NI_MAXHOST];
    if (!found || ::getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof text, nullptr, 0,
                                NI_NUMERICHOST) != 0)
        return fail(ErrorCode::unavailable, "the host has no address");
    return std::string(text);
}

std::string hmac_sha256(std::string_view key, std::string_view text) {
    Digest digest;
    unsigned size = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    const auto* made = ::HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes,
                              text.size(), digest.bytes.data(), &size);
    HF_ASSERT(made && size == digest.bytes.size(), "an HMAC of SHA-256 has 32 bytes");
    return to_hex(digest);
}

std::string webhook_key(const WebhookRules& rules, const InstanceId& webhook) {
    return hmac_sha256(rules.secret, "holdfast webhook " + to_string(webhook));
}

std::string signature_of(std::string_view key, std::int64_t unix_seconds, std::string_view body) {
    const std::string time = std::to_string(unix_seconds);
    return "t=" + time + ",v1=" + hmac_sha256(key, time + "." + std::string(body));
}

}  // namespace holdfast::http
