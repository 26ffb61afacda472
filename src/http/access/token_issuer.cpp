#include "http/access/token_issuer.h"

#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include "base/log.h"

namespace holdfast::http {
namespace {

std::unexpected<Error> refuse_file(const std::string& path, const std::string& why) {
    return fail(ErrorCode::invalid_argument, "--jwks-file " + path + " " + why);
}

}  // namespace

Result<std::unique_ptr<TokenIssuer>> TokenIssuer::open(IssuerOptions options, const Clock& clock) {
    std::unique_ptr<TokenIssuer> issuer(new TokenIssuer(std::move(options), clock));
    HF_CHECK(issuer->read());
    return issuer;
}

Result<FileStamp> TokenIssuer::stamp() const {
    const auto found = stamp_of(options_.jwks_file);
    if (!found) return refuse_file(options_.jwks_file, "cannot be read");
    if (found->mode & S_IWOTH)
        return refuse_file(
            options_.jwks_file,
            "can be written by every user of this machine; run: chmod o-w " + options_.jwks_file);
    return *found;
}

Result<void> TokenIssuer::read() {
    looked_at_ = Steady::now();
    HF_TRY(const FileStamp now, stamp());
    if (keys_ && now == stamp_) return {};
    stamp_ = now;
    std::ifstream file(options_.jwks_file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file) return refuse_file(options_.jwks_file, "cannot be read");
    auto keys = read_jwks(text);
    if (!keys) return refuse_file(options_.jwks_file, "is refused: " + keys.error().message);
    keys_ = std::make_shared<const std::vector<VerifyingKey>>(*std::move(keys));
    return {};
}

// While the file is broken, the keys before it stay.
VerifyingKeys TokenIssuer::current_keys() {
    const std::lock_guard lock(mutex_);
    if (Steady::now() - looked_at_ >= options_.look_every)
        if (const auto done = read(); !done)
            log::warn("jwks.not_read", {{"message", done.error().message}});
    return keys_;
}

std::optional<Identity> TokenIssuer::identify(std::string_view token) {
    const VerifyingKeys keys = current_keys();
    const Digest digest = sha256(token);
    const Moment now = clock_.now();
    if (auto known = verified_.find(digest, keys, now)) return known;
    auto identity = verify(token, keys, now);
    if (identity) verified_.add(digest, keys, *identity, now);
    return identity;
}

std::optional<Identity> TokenIssuer::verify(std::string_view token, const VerifyingKeys& keys,
                                            Moment now) const {
    const auto claims = read_jwt(token, *keys, options_.policy, now);
    if (!claims) {
        log::debug("token.refused", {{"message", claims.error().message}});
        return std::nullopt;
    }
    Identity identity{.kind = CredentialKind::token,
                      .credential = "token",
                      .caller = {.user = claims->user, .groups = claims->groups},
                      .until = claims->expires_at};
    for (const std::string& name : claims->roles)
        if (const auto role = parse_role(name)) {
            identity.roles.add(*role);
            identity.caller.roles.push_back(name);
        }
    return identity;
}

}  // namespace holdfast::http
