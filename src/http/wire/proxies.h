// The proxies whose word is taken for where a request comes from.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/wire/connection_quota.h"
#include "http/wire/message.h"

namespace holdfast::http {

// 16 bytes; those of version 4 as ::ffff:a.b.c.d, so that both forms of one address are equal.
using IpBytes = std::array<unsigned char, 16>;

// A value; safe from any thread.
class Proxies {
public:
    // Each is an address or a block of addresses ("10.0.0.0/8"); otherwise invalid_argument.
    static Result<Proxies> parse(const std::vector<std::string>& texts);

    bool empty() const { return blocks_.empty(); }
    bool include(std::string_view address) const;
    // Of a request that came over a connection with this peer, `scheme` being that of the
    // connection. What was forwarded counts only if the peer is one of these.
    Sender sender_of(const Peer& peer, Scheme scheme, const Headers& headers) const;

private:
    struct Block {
        IpBytes network;
        unsigned prefix = 128;  // bits
    };
    static std::optional<Block> parse_block(std::string_view text);

    std::vector<Block> blocks_;
};

}  // namespace holdfast::http
