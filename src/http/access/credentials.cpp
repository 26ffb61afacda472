#include "http/access/credentials.h"

#include <openssl/crypto.h>

#include "base/assert.h"
#include "http/responses/problem.h"
#include "http/wire/ascii.h"

namespace holdfast::http {
namespace {

// The bearer token; absent: no or another scheme, or several Authorization headers.
std::optional<std::string_view> bearer_of(const Headers& headers) {
    const auto value = headers.find("Authorization");
    if (!value || headers.count("Authorization") != 1) return std::nullopt;
    const std::size_t space = value->find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    if (!same_ignoring_case(value->substr(0, space), "Bearer")) return std::nullopt;
    return trimmed(value->substr(space));
}

Response unauthorized() {
    Response response =
        problem(401, "unauthorized", "Unauthorized",
                "send an API key, a sign-in token or the server's token as 'Authorization: Bearer "
                "<key>'; it is missing, wrong, expired or revoked");
    response.headers.add("WWW-Authenticate", "Bearer");
    return response;
}

std::optional<Digest> digest_of(const std::optional<std::string>& token) {
    if (!token) return std::nullopt;
    HF_ASSERT(!token->empty(), "S1: a configured token is not empty");
    return sha256(*token);
}

}  // namespace

Credentials::Credentials(const CredentialOptions& options)
    : is_local_(options.is_local),
      token_(digest_of(options.token)),
      keys_(options.keys),
      issuer_(options.issuer) {}

bool Credentials::are_needed() const {
    return token_ || issuer_ || !is_local_ || (keys_ && keys_->any());
}

std::expected<Identity, Response> Credentials::identify(const Request& head) const {
    if (!are_needed()) return Identity{.credential = "local", .caller = {}, .roles = {Role::admin}};
    const auto presented = bearer_of(head.headers);
    if (!presented) return std::unexpected(unauthorized());
    // Digests have equal lengths, so the constant-time comparison leaks nothing.
    const Digest digest = sha256(*presented);
    if (token_ &&
        CRYPTO_memcmp(digest.bytes.data(), token_->bytes.data(), digest.bytes.size()) == 0)
        return Identity{.kind = CredentialKind::token_file,
                        .credential = "token-file",
                        .caller = {},
                        .roles = {Role::admin}};
    if (issuer_ && looks_like_jwt(*presented)) {
        auto identity = issuer_->identify(*presented);
        if (!identity) return std::unexpected(unauthorized());
        return *std::move(identity);
    }
    const auto key = keys_ ? keys_->find(*presented) : nullptr;
    if (!key) return std::unexpected(unauthorized());
    return Identity{.kind = CredentialKind::api_key,
                    .credential = key->id,
                    .caller = {.tenant = key->tenant,
                               .user = key->user,
                               .groups = key->groups,
                               .roles = key->roles,
                               .by = {}},
                    .roles = key->role_set(),
                    .definitions = key->definitions};
}

bool Credentials::may_learn_of(const Request& head) const {
    const auto presented = bearer_of(head.headers);
    return keys_ && presented && !key_id_in(*presented).empty() &&
           keys_->age() != KeyRing::Age::fresh;
}

bool Credentials::knows_keys(const Identity& identity) const {
    if (identity.credential.empty()) return false;
    if (!keys_ || identity.kind == CredentialKind::token_file ||
        identity.kind == CredentialKind::token)
        return true;
    const KeyRing::Age age = keys_->age();
    if (age == KeyRing::Age::aging) keys_->refresh_soon();
    return age != KeyRing::Age::stale;
}

void Credentials::learn_keys(Respond respond, std::move_only_function<void(Respond)> go_on) const {
    // Shared: the request must be answered even if the full queue rejects the work.
    auto later = std::make_shared<Respond>(std::move(respond));
    const bool taken = keys_->refresh_then(
        [later, go_on = std::move(go_on)](const Result<void>& refreshed) mutable {
            if (!refreshed) return (*later)(problem(refreshed.error()));
            go_on(std::move(*later));
        });
    if (!taken)
        (*later)(problem(
            Error{ErrorCode::overloaded, "the server's read queue is full; retry shortly", {}}));
}

}  // namespace holdfast::http
