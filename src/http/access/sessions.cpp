#include "http/access/sessions.h"

#include "base/assert.h"
#include "http/responses/problem.h"

namespace holdfast::http {
namespace {

constexpr std::chrono::hours keep_ended{1};

std::string parent_of(const Identity& identity) {
    return identity.kind == CredentialKind::session ? identity.parent : identity.credential;
}

Response used_link() {
    Response response =
        problem(401, "unauthorized", "Unauthorized",
                "this sign-in link was used, is older than ten minutes, or never was one; make "
                "another with: holdfast sign-in");
    response.headers.add("WWW-Authenticate", "Bearer");
    return response;
}

// A text that the browser keeps, or the link has.
struct Made {
    ApiKey key;
    std::string text;
};

Made with_secret(ApiKey key, const std::optional<Digest>& token) {
    IssuedKey made = make_key(key.kind);
    key.id = made.id;
    key.secret = secret_of(made.text, key.parent, token);
    return {std::move(key), std::move(made.text)};
}

}  // namespace

// What another node has changed a moment ago counts here too. Who guesses does not make us ask.
Result<void> Sessions::learn(const std::string& address) {
    const bool is_known = keys_.age() == KeyRing::Age::fresh &&
                          (!store_.is_shared() || credentials_.has_to_wait(address));
    if (is_known) return {};
    return keys_.refresh();
}

ApiKey Sessions::key_for(const Identity& identity, KeyKind kind, Moment now) const {
    ApiKey key{.tenant = identity.caller.tenant,
               .name = std::string(name_of(kind)),
               .user = identity.caller.user,
               .groups = identity.caller.groups,
               .definitions = identity.definitions,
               .created_at = now,
               .created_by = identity.caller.user,
               .kind = kind,
               .parent = parent_of(identity)};
    for (const Role role : all_roles)
        if (identity.roles.has(role)) key.roles.emplace_back(holdfast::name_of(role));
    return key;
}

std::expected<Sessions::Begun, Response> Sessions::sign_in(std::string_view key,
                                                           const std::string& address) {
    if (const auto learned = learn(address); !learned)
        return std::unexpected(problem(learned.error()));
    auto identity = credentials_.identify(key, address);
    if (!identity) return std::unexpected(std::move(identity).error());
    const auto now = store_.ask(FindTime{});
    if (!now) return std::unexpected(problem(now.error()));
    ApiKey session = key_for(*identity, KeyKind::session, *now);
    const auto length = keys_.session_times().length;
    session.expires_at = std::min(identity->until.value_or(Moment::max()), *now + length);
    if (!identity->until) session.expires_at = *now + keys_.session_times().idle;
    auto begun = begin(std::move(session), std::nullopt);
    if (!begun) return std::unexpected(problem(begun.error()));
    return *std::move(begun);
}

std::expected<Sessions::Begun, Response> Sessions::redeem(std::string_view link,
                                                          const std::string& address) {
    if (const auto learned = learn(address); !learned)
        return std::unexpected(problem(learned.error()));
    const auto key = keys_.find(link, KeyKind::link, credentials_.token());
    if (!key || (key->parent == local_credential && credentials_.are_needed())) {
        credentials_.note_failure(address);
        return std::unexpected(used_link());
    }
    const auto now = store_.ask(FindTime{});
    if (!now) return std::unexpected(problem(now.error()));
    ApiKey session = *key;
    session.kind = KeyKind::session;
    session.name = name_of(KeyKind::session);
    session.created_at = *now;
    session.last_used_at.reset();
    session.expires_at = *now + keys_.session_times().idle;
    // One transaction: of two that have the same link, one begins a session.
    auto begun = begin(std::move(session), EndKey{key->id, key->tenant, *now, *now});
    if (begun) return *std::move(begun);
    if (begun.error().code == ErrorCode::not_found) return std::unexpected(used_link());
    return std::unexpected(problem(begun.error()));
}

// `first` ends in the same transaction; not_found: it has ended before.
Result<Sessions::Begun> Sessions::begin(ApiKey session, std::optional<EndKey> first) {
    if (keys_.count(KeyKind::session) >= most)
        return fail(ErrorCode::overloaded, "10,000 browsers are signed in; sign some out");
    const Moment now = session.created_at;
    const auto others = keys_.sessions_of(session.parent, session.user);
    if (others.size() >= most_of_one) {
        const EndKey oldest{others.front()->id, session.tenant, now, now};
        HF_CHECK(store_.change_keys({.end = oldest}));
    }
    auto [key, text] = with_secret(std::move(session), credentials_.token());
    HF_TRY(const bool begun,
           store_.change_keys(
               {.end = std::move(first), .add = key, .forget_before = now - keep_ended}));
    if (!begun) return fail(ErrorCode::not_found, "the link was used a moment ago");
    HF_CHECK(keys_.refresh());
    return Begun{.text = std::move(text),
                 .identity = Credentials::identity_of(key),
                 .length = keys_.session_times().length};
}

Result<Sessions::Link> Sessions::make_link(const Identity& identity) {
    if (parent_of(identity) == token_credential)
        return fail(ErrorCode::invalid_argument,
                    "a token of an identity provider makes no links: sign in with the token");
    HF_TRY(const Moment now, store_.ask(FindTime{}));
    ApiKey link = key_for(identity, KeyKind::link, now);
    link.expires_at = now + link_time;
    auto [key, text] = with_secret(std::move(link), credentials_.token());
    HF_CHECK(store_.change_keys({.add = key, .forget_before = now - keep_ended}));
    HF_CHECK(keys_.refresh());
    return Link{std::move(text), *key.expires_at};
}

Result<bool> Sessions::end(const Identity& session) {
    HF_TRY(const Moment now, store_.ask(FindTime{}));
    HF_TRY(
        const bool ended,
        store_.change_keys({.end = EndKey{session.credential, session.caller.tenant, now, now}}));
    HF_CHECK(keys_.refresh());
    return ended;
}

}  // namespace holdfast::http
