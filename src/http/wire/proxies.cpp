#include "http/wire/proxies.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

constexpr unsigned mapped_bits = 96;  // of ::ffff:0:0/96

std::optional<IpBytes> parse_address(std::string_view text) {
    const std::string address(text);
    IpBytes bytes{};
    if (::inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1) return bytes;
    bytes[10] = bytes[11] = 0xff;
    if (::inet_pton(AF_INET, address.c_str(), bytes.data() + 12) == 1) return bytes;
    return std::nullopt;
}

bool is_version_4(const IpBytes& bytes) {
    return bytes[10] == 0xff && bytes[11] == 0xff &&
           std::all_of(bytes.begin(), bytes.begin() + 10, [](unsigned char byte) { return !byte; });
}

std::string text_of(const IpBytes& bytes) {
    char text[INET6_ADDRSTRLEN] = {};
    const bool four = is_version_4(bytes);
    ::inet_ntop(four ? AF_INET : AF_INET6, bytes.data() + (four ? 12 : 0), text, sizeof text);
    return text;
}

// Some proxies add the port: "192.0.2.1:4711", "[2001:db8::1]:4711".
std::string_view without_port(std::string_view entry) {
    if (entry.starts_with('[')) {
        const std::size_t end = entry.find(']');
        return end == std::string_view::npos ? entry : entry.substr(1, end - 1);
    }
    const std::size_t colon = entry.find(':');
    return colon == entry.rfind(':') ? entry.substr(0, colon) : entry;
}

// All fields of the name are one list.
std::vector<std::string_view> list_of(const Headers& headers, std::string_view name) {
    std::vector<std::string_view> entries;
    for (const auto& [field, value] : headers.fields()) {
        if (!same_ignoring_case(field, name)) continue;
        std::string_view rest = value;
        for (std::size_t comma = 0; comma != std::string_view::npos;) {
            comma = rest.find(',');
            entries.push_back(trimmed(rest.substr(0, comma)));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return entries;
}

Scheme scheme_of(const Headers& headers) {
    const auto said = list_of(headers, "X-Forwarded-Proto");
    if (said.empty()) return Scheme::unknown;
    if (same_ignoring_case(said.back(), "https")) return Scheme::https;
    return same_ignoring_case(said.back(), "http") ? Scheme::http : Scheme::unknown;
}

bool is_in(const IpBytes& address, const IpBytes& network, unsigned prefix) {
    const unsigned whole = prefix / 8;
    if (!std::equal(address.begin(), address.begin() + whole, network.begin())) return false;
    const unsigned left = prefix % 8;
    return left == 0 || ((address[whole] ^ network[whole]) >> (8 - left)) == 0;
}

}  // namespace

std::optional<Proxies::Block> Proxies::parse_block(std::string_view text) {
    const std::size_t slash = text.find('/');
    const auto address = parse_address(text.substr(0, slash));
    if (!address) return std::nullopt;
    if (slash == std::string_view::npos) return Block{.network = *address};
    const unsigned offset = is_version_4(*address) ? mapped_bits : 0;
    unsigned prefix = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + slash + 1, end, prefix);
    if (error != std::errc{} || stop != end || prefix > 128 - offset) return std::nullopt;
    return Block{.network = *address, .prefix = offset + prefix};
}

Result<Proxies> Proxies::parse(const std::vector<std::string>& texts) {
    Proxies proxies;
    for (const std::string& text : texts) {
        const auto block = parse_block(text);
        if (!block)
            return fail(ErrorCode::invalid_argument,
                        "'" + text +
                            "' is not the address of a proxy; use an IP address or a block such as "
                            "10.0.0.0/8");
        proxies.blocks_.push_back(*block);
    }
    return proxies;
}

bool Proxies::include(std::string_view address) const {
    const auto bytes = blocks_.empty() ? std::nullopt : parse_address(address);
    return bytes && std::ranges::any_of(blocks_, [&](const Block& block) {
               return is_in(*bytes, block.network, block.prefix);
           });
}

// Each proxy adds whom it got the request from at the end of the list. From there on back, the
// first that is no proxy of ours is the client; what stands before may be made up.
Sender Proxies::sender_of(const Peer& peer, Scheme scheme, const Headers& headers) const {
    Sender sender{.address = peer.address, .scheme = scheme};
    if (peer.origin != Origin::proxy) return sender;
    sender.scheme = scheme_of(headers);
    const auto hops = list_of(headers, "X-Forwarded-For");
    for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
        const auto address = parse_address(without_port(*hop));
        if (!address) break;
        sender.address = text_of(*address);
        if (!include(sender.address)) break;
    }
    return sender;
}

}  // namespace holdfast::http
