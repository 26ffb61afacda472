#include "http/access/jwt.h"

#include <algorithm>
#include <boost/json.hpp>
#include <optional>

#include "base/ids/byte_text.h"
#include "base/json/parse.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_texts = 100;  // groups, roles, audiences
constexpr std::size_t most_text_bytes = 256;
constexpr std::int64_t latest_time = std::int64_t{1} << 40;  // in seconds: in 36,812

std::unexpected<Error> refuse_token(const std::string& why) {
    return fail(ErrorCode::invalid_argument, "the token " + why);
}

struct JwtParts {
    std::string_view head;
    std::string_view claims;
    std::string_view signed_bytes;
    std::string_view signature;
};

std::optional<JwtParts> split(std::string_view token) {
    const std::size_t first = token.find('.');
    const std::size_t second = first == token.npos ? token.npos : token.find('.', first + 1);
    if (second == token.npos || token.find('.', second + 1) != token.npos) return std::nullopt;
    const JwtParts parts{.head = token.substr(0, first),
                         .claims = token.substr(first + 1, second - first - 1),
                         .signed_bytes = token.substr(0, second),
                         .signature = token.substr(second + 1)};
    if (parts.head.empty() || parts.claims.empty()) return std::nullopt;
    return parts;
}

Result<bj::object> read_part(std::string_view part) {
    const auto text = from_base64url(part);
    if (!text) return refuse_token("is not base64url");
    auto value = json::parse(*text, {.depth = 8, .nodes = 1'000});
    if (!value || !value->is_object()) return refuse_token("has a part that is no JSON object");
    return std::move(value->get_object());
}

std::optional<std::string_view> claim_text(const bj::object& object, std::string_view name) {
    const bj::value* member = object.if_contains(name);
    if (!member || !member->is_string()) return std::nullopt;
    return std::string_view(member->get_string());
}

std::optional<JwtAlgorithm> algorithm_of(std::string_view name) {
    if (name == "RS256") return JwtAlgorithm::rs256;
    if (name == "ES256") return JwtAlgorithm::es256;
    if (name == "EdDSA") return JwtAlgorithm::eddsa;
    return std::nullopt;
}

// The key that the token names. `kid` is compared and nothing else: no path, no address.
Result<const VerifyingKey*> key_for(const bj::object& head, const std::vector<VerifyingKey>& keys) {
    if (head.contains("crit")) return refuse_token("has extensions that must be understood");
    const auto algorithm = algorithm_of(claim_text(head, "alg").value_or(""));
    if (!algorithm) return refuse_token("is not signed with RS256, ES256 or EdDSA");
    const auto id = claim_text(head, "kid");
    if (!id && head.contains("kid")) return refuse_token("has a 'kid' that is no text");
    const VerifyingKey* found = nullptr;
    for (const VerifyingKey& key : keys) {
        if (key.algorithm != *algorithm || (id && key.id != *id)) continue;
        if (found) return refuse_token("names no key, and there are several of its kind");
        found = &key;
    }
    if (!found) return refuse_token("is signed with a key that is not in the key set");
    return found;
}

// In seconds, perhaps with a fraction. Absent: missing.
Result<std::optional<std::int64_t>> read_time(const bj::object& claims, std::string_view name) {
    const bj::value* member = claims.if_contains(name);
    if (!member) return std::nullopt;
    double seconds = -1;
    if (member->is_int64()) seconds = static_cast<double>(member->get_int64());
    if (member->is_double()) seconds = member->get_double();
    if (!(seconds >= 0 && seconds < static_cast<double>(latest_time)))
        return refuse_token("has a '" + std::string(name) + "' that is no time");
    return static_cast<std::int64_t>(seconds);
}

bool is_good_text(std::string_view text) {
    return !text.empty() && text.size() <= most_text_bytes && is_utf8(text) && !has_control(text);
}

// One text or a list of texts; empty: missing.
Result<std::vector<std::string>> read_texts(const bj::object& claims, std::string_view name) {
    std::vector<std::string> texts;
    const bj::value* member = claims.if_contains(name);
    if (!member || member->is_null()) return texts;
    const bj::array one{*member};
    const bj::array& list = member->is_array() ? member->get_array() : one;
    if (list.size() > most_texts)
        return refuse_token("has more than 100 texts in '" + std::string(name) + "'");
    for (const bj::value& text : list) {
        if (!text.is_string() || !is_good_text(text.get_string()))
            return refuse_token("has a '" + std::string(name) + "' that is no list of texts");
        texts.emplace_back(text.get_string());
    }
    return texts;
}

Result<Moment> check_times(const bj::object& claims, std::chrono::seconds skew, Moment now) {
    const auto at = [](std::int64_t seconds) { return Moment{std::chrono::seconds{seconds}}; };
    HF_TRY(const auto expires, read_time(claims, "exp"));
    HF_TRY(const auto not_before, read_time(claims, "nbf"));
    HF_TRY(const auto issued, read_time(claims, "iat"));
    if (!expires) return refuse_token("has no 'exp'");
    if (at(*expires) + skew <= now) return refuse_token("has expired");
    if (not_before && at(*not_before) - skew > now) return refuse_token("is not valid yet");
    if (issued && at(*issued) - skew > now) return refuse_token("was issued in the future");
    return at(*expires) + skew;
}

Result<void> check_origin(const bj::object& claims, const JwtPolicy& policy) {
    if (claim_text(claims, "iss").value_or("") != policy.issuer)
        return refuse_token("is of another issuer");
    HF_TRY(const auto audiences, read_texts(claims, "aud"));
    if (std::ranges::find(audiences, policy.audience) == audiences.end())
        return refuse_token("is for another audience");
    return {};
}

}  // namespace

bool looks_like_jwt(std::string_view text) { return std::ranges::count(text, '.') == 2; }

Result<JwtClaims> read_jwt(std::string_view token, const std::vector<VerifyingKey>& keys,
                           const JwtPolicy& policy, Moment now) {
    if (token.size() > longest_jwt) return refuse_token("has more than 8 KiB");
    const auto parts = split(token);
    if (!parts) return refuse_token("has not three parts");
    HF_TRY(const auto head, read_part(parts->head));
    HF_TRY(const VerifyingKey* key, key_for(head, keys));
    const auto signature = from_base64url(parts->signature);
    if (!signature || !key->verifies(parts->signed_bytes, *signature))
        return refuse_token("has a wrong signature");
    HF_TRY(const auto claims, read_part(parts->claims));
    HF_CHECK(check_origin(claims, policy));
    JwtClaims read;
    HF_TRY(read.expires_at, check_times(claims, policy.skew, now));
    const auto user = claim_text(claims, policy.user_claim);
    if (!user || !is_good_text(*user))
        return refuse_token("names no user in '" + policy.user_claim + "'");
    read.user = *user;
    HF_TRY(read.groups, read_texts(claims, policy.groups_claim));
    HF_TRY(read.roles, read_texts(claims, policy.roles_claim));
    return read;
}

}  // namespace holdfast::http
