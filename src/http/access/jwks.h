// The public keys that sign-in tokens are signed with: a JSON Web Key Set (RFC 7517).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

struct evp_pkey_st;

namespace holdfast::http {

enum class JwtAlgorithm { rs256, es256, eddsa };

// The type of the key decides the algorithm, never the token.
struct VerifyingKey {
    std::string id;  // `kid`; empty: it has none
    JwtAlgorithm algorithm = JwtAlgorithm::rs256;
    std::shared_ptr<evp_pkey_st> key;

    // Whether this is the signature of these bytes.
    bool verifies(std::string_view bytes, std::string_view signature) const;
};

// Keys of other types, of other curves and for encryption are passed over. invalid_argument: it is
// no key set, has no usable key or too many, a key is broken or too short, or two have one id.
Result<std::vector<VerifyingKey>> read_jwks(std::string_view text);

}  // namespace holdfast::http
