// The listen address of a server, and whether it is reachable from the network.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/gate.h"

namespace holdfast {

struct ListenAddress {
    std::string host;
    std::uint16_t port = 0;
    http::Reach reach = http::Reach::network;

    // `scheme`: http or https.
    std::string url(std::string_view scheme, std::uint16_t actual_port) const;
};

// "127.0.0.1:8080", "[::1]:8080", "localhost:8080"; otherwise invalid_argument.
Result<ListenAddress> parse_listen(const std::string& text);

}  // namespace holdfast
