// Tells by the credential of a request whose it is.
#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "http/access/key_ring.h"
#include "http/access/token_issuer.h"
#include "http/wire/message.h"

namespace holdfast::http {

struct CredentialOptions {
    // Whether everybody who reaches the server is a local admin, as long as there is no credential.
    bool is_local = true;
    std::optional<std::string> token = {};  // of the token file; never empty
    KeyRing* keys = nullptr;                // null: there are no API keys
    TokenIssuer* issuer = nullptr;          // null: there are no sign-in tokens
};

// Safe from any thread.
class Credentials {
public:
    explicit Credentials(const CredentialOptions& options);

    // 401: the request carries no valid credential, and needs one.
    std::expected<Identity, Response> identify(const Request& head) const;
    // Whether the key of a refused request may be one that this node does not know of yet.
    bool may_learn_of(const Request& head) const;
    // Whether the keys are known well enough for a request of this identity; none: not yet known.
    bool knows_keys(const Identity& identity) const;
    // Asks the store for the keys, then goes on. 503: it cannot be asked.
    void learn_keys(Respond respond, std::move_only_function<void(Respond)> go_on) const;

private:
    bool are_needed() const;

    const bool is_local_;
    const std::optional<Digest> token_;
    KeyRing* const keys_;
    TokenIssuer* const issuer_;
};

}  // namespace holdfast::http
