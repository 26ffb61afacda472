// Sessions of browsers, and the links that begin them. Both are rows beside the API keys, so that
// they hold on every node and after a restart, and end on all of them.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "http/access/credentials.h"
#include "http/access/key_ring.h"
#include "store/store.h"

namespace holdfast::http {

// Safe from any thread. Everything blocks.
class Sessions {
public:
    // Of all users; and of one credential and user: the oldest one ends when there are more.
    static constexpr std::size_t most = 10'000;
    static constexpr std::size_t most_of_one = 32;
    static constexpr std::chrono::minutes link_time{10};

    Sessions(Store& store, KeyRing& keys, const Credentials& credentials)
        : store_(store), keys_(keys), credentials_(credentials) {}

    struct Begun {
        std::string text;  // for the cookie
        Identity identity;
        std::chrono::seconds length;
    };
    // 401: it is no valid key or token; 429: the address has sent too many.
    std::expected<Begun, Response> sign_in(std::string_view key, const std::string& address);
    // 401: the link is unknown, used or too old.
    std::expected<Begun, Response> redeem(std::string_view link, const std::string& address);

    struct Link {
        std::string text;
        Moment expires_at;
    };
    // Opens one session for whom the identity is. invalid_argument: a token of an identity
    // provider, which must be presented itself.
    Result<Link> make_link(const Identity& identity);
    // False: it has ended before.
    Result<bool> end(const Identity& session);

private:
    Result<Begun> begin(ApiKey session, std::optional<EndKey> first);
    // What sessions and links for this identity have in common.
    ApiKey key_for(const Identity& identity, KeyKind kind, Moment now) const;
    Result<void> learn(const std::string& address);

    Store& store_;
    KeyRing& keys_;
    const Credentials& credentials_;
};

}  // namespace holdfast::http
