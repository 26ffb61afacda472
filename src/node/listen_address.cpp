#include "node/listen_address.h"

#include <charconv>

namespace holdfast {

std::string ListenAddress::url(std::string_view scheme, std::uint16_t actual_port) const {
    const bool six = host.find(':') != std::string::npos;
    return std::string(scheme) + "://" + (six ? '[' + host + ']' : host) + ':' +
           std::to_string(actual_port);
}

Result<ListenAddress> parse_listen(const std::string& text) {
    const std::size_t colon = text.rfind(':');
    ListenAddress address;
    unsigned port = 0;
    if (colon != std::string::npos && colon > 0) {
        const char* end = text.data() + text.size();
        const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, port);
        if (error == std::errc{} && stop == end && port <= 65'535)
            address.host = text.substr(0, colon);
    }
    if (address.host.empty())
        return fail(
            ErrorCode::invalid_argument,
            "invalid listen address '" + text + "'; use HOST:PORT, for example 127.0.0.1:8080");
    if (address.host.front() == '[' && address.host.back() == ']')
        address.host = address.host.substr(1, address.host.size() - 2);
    if (address.host == "localhost") address.host = "127.0.0.1";
    address.port = static_cast<std::uint16_t>(port);
    if (address.host.starts_with("127.") || address.host == "::1")
        address.reach = http::Reach::loopback;
    return address;
}

}  // namespace holdfast
