// /api/v1/keys: API keys; GET /api/v1/me: who the request comes from
#include <boost/json.hpp>
#include <charconv>

#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "http/input/task_input.h"
#include "http/responses/me.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_keys = 10'000;
constexpr std::size_t most_key_definitions = 64;
constexpr std::chrono::days keep_ended{30};
constexpr TimeRange overlap_time{std::chrono::microseconds{0}, std::chrono::days{30}};

bj::array array_of(const std::vector<std::string>& texts) {
    return bj::array(texts.begin(), texts.end());
}

bj::object key_json(const ApiKey& key, Moment now) {
    return {{"id", key.id},
            {"kind", name_of(key.kind)},
            {"name", key.name},
            {"user", key.user},
            {"groups", array_of(key.groups)},
            {"roles", array_of(key.roles)},
            {"definitions", array_of(key.definitions)},
            {"createdAt", to_iso8601(key.created_at)},
            {"createdBy", user_json(key.created_by)},
            {"expiresAt", to_json(key.expires_at)},
            {"revokedAt", to_json(key.revoked_at)},
            {"lastUsedAt", to_json(key.last_used_at)},
            {"replaces", user_json(key.replaces)},
            {"parent", user_json(key.parent)},
            {"valid", !key.has_ended(now)}};
}

Response new_key_response(const ApiKey& key, const std::string& text) {
    bj::object body = key_json(key, key.created_at);
    body["key"] = text;
    Response response = json_response(201, body);
    response.headers.add("Location", "/api/v1/keys/" + key.id);
    return response;
}

Response no_such_key() {
    return problem(404, "no-such-key", "Not found",
                   "there is no valid key with this id; GET /api/v1/keys lists them");
}

Result<std::vector<std::string>> read_roles(const bj::object& body) {
    HF_TRY(auto names, read_names(body, "roles"));
    for (const std::string& name : names)
        if (!parse_role(name))
            return refuse("'" + name +
                          "' is no role; there are viewer, participant, worker, operator, admin");
    if (names.empty())
        return refuse(
            "'roles' is required: a list of viewer, participant, worker, operator or admin");
    return names;
}

// Everything but its id, its secret and its times.
struct WantedKey {
    ApiKey key;
    std::optional<std::chrono::microseconds> expires_in;
};

Result<WantedKey> read_key(const Request& request) {
    HF_TRY(const auto body,
           read_object(request, {"name", "user", "groups", "roles", "definitions", "expiresIn"}));
    WantedKey wanted;
    ApiKey& key = wanted.key;
    key.tenant = request.caller.tenant;
    key.created_by = request.caller.user;
    HF_TRY(auto name, read_text(body, "name"));
    HF_TRY(key.name, read_label(name.value_or(""), "'name'"));
    HF_TRY(auto user, read_who(body, "user"));
    key.user = std::move(user).value_or(key.name);
    HF_TRY(key.groups, read_names(body, "groups"));
    HF_TRY(key.roles, read_roles(body));
    HF_TRY(key.definitions, read_names(body, "definitions"));
    for (const std::string& definition : key.definitions)
        HF_CHECK(read_name(definition, "a definition key"));
    if (key.definitions.size() > most_key_definitions)
        return refuse("'definitions' must be a list of at most 64 definition keys");
    if (!key.definitions.empty() && key.role_set().has(Role::admin))
        return refuse("an admin reaches every definition: leave out 'definitions'");
    HF_TRY(auto expires_in, read_text(body, "expiresIn"));
    if (expires_in) {
        HF_TRY(wanted.expires_in, read_duration(*expires_in, "'expiresIn'"));
    }
    return wanted;
}

// The first key closes the server to everybody without one.
Result<void> check_first(const Api& api, const Request& request, const ApiKey& key) {
    if (request.identity.kind != CredentialKind::local || key.role_set().has(Role::admin))
        return {};
    if (api.keys.any()) return {};
    return refuse(
        "the first key must have the role admin: from then on every request needs a key, and only "
        "an admin can make more");
}

// Writes the change and makes this node know it.
Result<bool> change_keys(Api& api, const KeyChange& change) {
    HF_TRY(const bool changed, api.store.change_keys(change));
    HF_CHECK(api.keys.refresh());
    return changed;
}

Result<Response> create_key(Api& api, WantedKey wanted) {
    if (api.keys.count(KeyKind::key) >= most_keys)
        return fail(ErrorCode::overloaded,
                    "there are 10,000 keys; revoke some, they are deleted after 30 days");
    HF_TRY(const Moment now, api.store.ask(FindTime{}));
    IssuedKey made = make_key();
    ApiKey& key = wanted.key;
    key.id = made.id;
    key.secret = made.secret;
    key.created_at = now;
    if (wanted.expires_in) key.expires_at = now + *wanted.expires_in;
    HF_TRY(const bool added, change_keys(api, {.add = key, .forget_before = now - keep_ended}));
    HF_ASSERT(added, "nothing else was changed");
    return new_key_response(key, made.text);
}

void post_key(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto wanted, read_key(request));
        HF_CHECK(check_first(api, request, wanted.key));
        read_on_worker(api, std::move(later), [&api, wanted = std::move(wanted)]() mutable {
            auto response = create_key(api, std::move(wanted));
            return response ? *std::move(response) : problem(response.error());
        });
        return {};
    });
}

Result<Response> rotate_key(Api& api, const Caller& caller, const std::string& id,
                            std::chrono::microseconds overlap) {
    HF_TRY(const Moment now, api.store.ask(FindTime{}));
    const auto old = api.keys.find_by_id(id);
    if (!old || old->kind != KeyKind::key || old->tenant != caller.tenant || old->has_ended(now))
        return no_such_key();
    IssuedKey made = make_key();
    ApiKey key = *old;
    key.id = made.id;
    key.secret = made.secret;
    key.created_at = now;
    key.created_by = caller.user;
    if (old->expires_at) key.expires_at = now + (*old->expires_at - old->created_at);
    key.last_used_at.reset();
    key.replaces = id;
    HF_TRY(const bool rotated,
           change_keys(api, {.end = EndKey{id, caller.tenant, now, now + overlap},
                             .add = key,
                             .forget_before = now - keep_ended}));
    return rotated ? new_key_response(key, made.text) : no_such_key();
}

void post_rotate(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(const auto body, read_object(request, {"overlap"}, EmptyBody::allowed));
        HF_TRY(const auto text, read_text(body, "overlap"));
        std::chrono::microseconds overlap{0};
        if (text) {
            HF_TRY(overlap, read_duration(*text, "'overlap'", overlap_time));
        }
        read_on_worker(api, std::move(later),
                       [&api, caller = request.caller, id = request.param("keyId"), overlap] {
                           auto response = rotate_key(api, caller, id, overlap);
                           return response ? *std::move(response) : problem(response.error());
                       });
        return {};
    });
}

Result<Response> revoke_key(Api& api, const Caller& caller, const std::string& id) {
    HF_TRY(const Moment now, api.store.ask(FindTime{}));
    HF_TRY(const bool revoked, change_keys(api, {.end = EndKey{id, caller.tenant, now, now}}));
    return revoked ? Response{.status = 204} : no_such_key();
}

void delete_key(Api& api, Request request, Respond respond) {
    read_on_worker(api, std::move(respond),
                   [&api, caller = request.caller, id = request.param("keyId")] {
                       auto response = revoke_key(api, caller, id);
                       return response ? *std::move(response) : problem(response.error());
                   });
}

KeyKind kind_of(const Request& request) {
    const bool sessions = request.query_value("kind") == "session";
    return sessions ? KeyKind::session : KeyKind::key;
}

Result<KeyQuery> read_key_list(const Request& request) {
    KeyQuery query{.limit = number_of(request, "limit"),
                   .tenant = request.caller.tenant,
                   .kind = kind_of(request)};
    const auto cursor = request.query_value("cursor");
    if (!cursor) return query;
    HF_TRY(const auto position, read_cursor(*cursor, name_of(*query.kind)));
    const char* end = position.data() + position.size();
    const auto [stop, error] = std::from_chars(position.data(), end, query.after);
    if (error != std::errc{} || stop != end || query.after > (std::uint64_t{1} << 62))
        return refuse("invalid cursor; repeat the query without it");
    return query;
}

// One more than the page has was asked for, to know whether another page follows.
Response keys_response(std::vector<ApiKey> keys, const KeyQuery& query, std::size_t limit,
                       Moment now) {
    bj::object body{{"items", bj::array()}, {"nextCursor", nullptr}};
    if (keys.size() > limit) {
        keys.resize(limit);
        body["nextCursor"] = make_cursor(std::to_string(keys.back().change), name_of(*query.kind));
    }
    for (const ApiKey& key : keys) body["items"].as_array().push_back(key_json(key, now));
    return json_response(200, body);
}

void list_keys(Api& api, Request request, Respond respond) {
    auto query = read_key_list(request);
    if (!query) return respond(problem(query.error()));
    list_on_worker(
        api, std::move(respond),
        [&api, reads = reads_of(api, request), query = *query](const PageBudget&) mutable {
            const std::size_t limit = query.limit++;
            auto keys = reads.ask(query);
            if (!keys) return problem(keys.error());
            return keys_response(*std::move(keys), query, limit, api.clock.now());
        });
}

void get_me(Api&, Request request, Respond respond) {
    respond(json_response(200, me_json(request.identity, request.caller)));
}

}  // namespace

void add_key_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/keys";
    add_route(router, api, Method::get, "/api/v1/me", get_me,
              Description("getMe", everyone.within(Within::nothing),
                          "Who the request comes from, and what it may do.")
                  .answer(200, "The credential.", "Me"));
    add_route(router, api, Method::get, base, list_keys,
              Description("listKeys", admins, "Lists API keys, without their secrets.")
                  .audited()
                  .query({"kind", "Keys of programs, or sessions of browsers.",
                          Choice{{"key", "session"}}})
                  .page(100, 500)
                  .answer(200, "A page of keys.", "ApiKeyPage"));
    add_route(router, api, Method::post, base, post_key,
              Description("createKey", admins, "Makes an API key and shows it once.")
                  .audited()
                  .body("CreateKeyRequest")
                  .answer(201, "The key.", "NewApiKey", {"Location"}));
    add_route(router, api, Method::post, base + "/{keyId}/rotate", post_rotate,
              Description("rotateKey", admins, "Makes a key that takes the place of another one.")
                  .audited()
                  .path("keyId", "The id of the old key.")
                  .body("RotateKeyRequest", Presence::optional)
                  .answer(201, "The new key.", "NewApiKey", {"Location"})
                  .problems({"no-such-key"}));
    add_route(router, api, Method::del, base + "/{keyId}", delete_key,
              Description("revokeKey", admins, "Ends a key at once, on all nodes within 5 s.")
                  .audited()
                  .path("keyId", "The id of the key.")
                  .done("It is revoked.")
                  .problems({"no-such-key"}));
}

}  // namespace holdfast::http
