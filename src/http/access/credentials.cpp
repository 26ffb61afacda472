#include "http/access/credentials.h"

#include <openssl/crypto.h>

#include "base/assert.h"
#include "http/access/cookie.h"
#include "http/access/site.h"
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
                "<key>'; it is missing, wrong, expired or revoked. In a browser, sign in");
    response.headers.add("WWW-Authenticate", "Bearer");
    return response;
}

Response too_many_failures(std::chrono::seconds wait) {
    const std::string seconds = std::to_string(wait.count());
    Response response = problem(429, "too-many-failures", "Too many failures",
                                "too many wrong credentials came from your address; wait " +
                                    seconds + " s before you send another one");
    response.headers.add("Retry-After", seconds);
    return response;
}

// Digests have equal lengths, so the constant-time comparison leaks nothing.
bool is_same(const Digest& a, const Digest& b) {
    return CRYPTO_memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0;
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
      issuer_(options.issuer),
      failures_(options.failures),
      demo_(digest_of(options.demo)) {}

bool Credentials::are_needed() const {
    return token_ || issuer_ || !is_local_ || (keys_ && keys_->any());
}

// A browser says for which page it asks: such a request is never the local admin's by itself.
std::expected<Identity, Response> Credentials::identify(const Request& head) const {
    if (!are_needed() && !names_site(head.headers))
        return Identity{
            .credential = std::string(local_credential), .caller = {}, .roles = {Role::admin}};
    if (const auto presented = bearer_of(head.headers))
        return identify(*presented, head.sender.address);
    if (head.headers.count("Authorization") == 0)
        if (const auto session = session_in(head.headers, head.sender.scheme))
            return identify_session(*session);
    return std::unexpected(unauthorized());
}

std::expected<Identity, Response> Credentials::identify(std::string_view presented,
                                                        const std::string& address) const {
    const Digest digest = sha256(presented);
    if (auto found = find(presented, digest)) return *std::move(found);
    // What can be guessed is not looked at while the address has to wait.
    const auto wait = failures_ ? failures_->wait(address) : std::chrono::seconds(0);
    if (wait.count() > 0) return std::unexpected(too_many_failures(wait));
    if (is_token(digest))
        return Identity{.kind = CredentialKind::token_file,
                        .credential = std::string(token_file_credential),
                        .caller = {},
                        .roles = {Role::admin}};
    note_failure(address);
    return std::unexpected(unauthorized());
}

bool Credentials::has_to_wait(const std::string& address) const {
    return failures_ && failures_->wait(address).count() > 0;
}

void Credentials::note_failure(const std::string& address) const {
    if (failures_) failures_->add(address);
}

// What nobody can guess.
std::optional<Identity> Credentials::find(std::string_view presented, const Digest& digest) const {
    if (issuer_ && looks_like_jwt(presented)) return issuer_->identify(presented);
    if (demo_ && is_same(digest, *demo_))
        return Identity{.kind = CredentialKind::token,
                        .credential = "demo",
                        .caller = {},
                        .roles = {Role::operator_, Role::worker}};
    const auto key = keys_ ? keys_->find(presented) : nullptr;
    if (!key) return std::nullopt;
    return identity_of(*key);
}

bool Credentials::is_token(const Digest& digest) const {
    return token_ && is_same(digest, *token_);
}

std::expected<Identity, Response> Credentials::identify_session(std::string_view session) const {
    const auto key = keys_ ? keys_->find(session, KeyKind::session, token_) : nullptr;
    if (!key || (key->parent == local_credential && are_needed()))
        return std::unexpected(unauthorized());
    return identity_of(*key);
}

Identity Credentials::identity_of(const ApiKey& key) {
    const bool is_key = key.kind == KeyKind::key;
    Identity identity{.kind = is_key ? CredentialKind::api_key : CredentialKind::session,
                      .credential = key.id,
                      .caller = {.tenant = key.tenant},
                      .roles = key.role_set(),
                      .definitions = key.definitions,
                      .parent = key.parent};
    // Those without a name are nobody in particular.
    if (key.parent == local_credential || key.parent == token_file_credential) return identity;
    identity.caller.user = key.user;
    identity.caller.groups = key.groups;
    identity.caller.roles = key.roles;
    return identity;
}

bool Credentials::may_learn_of(const Request& head) const {
    if (!keys_ || keys_->age() == KeyRing::Age::fresh) return false;
    if (const auto presented = bearer_of(head.headers)) return !key_id_in(*presented).empty();
    const auto session = session_in(head.headers, head.sender.scheme);
    return session && !key_id_in(*session, KeyKind::session).empty();
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
