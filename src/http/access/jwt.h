// Sign-in tokens of an identity provider: JSON Web Tokens (RFC 7519), signed with RS256, ES256 or
// EdDSA.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time/moment.h"
#include "http/access/jwks.h"

namespace holdfast::http {

// Longer ones are refused before anything of them is read.
inline constexpr std::size_t longest_jwt = 8 * 1024;

struct JwtPolicy {
    std::string issuer;    // `iss` must be this
    std::string audience;  // `aud` must have this
    std::chrono::seconds skew{60};
    std::string user_claim = "sub";
    std::string groups_claim = "groups";
    std::string roles_claim = "roles";
};

struct JwtClaims {
    std::string user;
    std::vector<std::string> groups;
    std::vector<std::string> roles;  // as the provider names them
    Moment expires_at;               // with the skew

    bool operator==(const JwtClaims&) const = default;
};

// Whether it has the form of a token: three parts with points between them.
bool looks_like_jwt(std::string_view text);
// invalid_argument, for the log, never for the client: why it is refused.
Result<JwtClaims> read_jwt(std::string_view token, const std::vector<VerifyingKey>& keys,
                           const JwtPolicy& policy, Moment now);

}  // namespace holdfast::http
