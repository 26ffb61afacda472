// PUT and GET /api/v1/definitions/{key}
#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "http/api.h"
#include "http/input/input.h"
#include "model/codec/codec.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_indexes = 16;

Result<std::vector<json::Path>> read_indexes(const bj::object& body) {
    std::vector<json::Path> paths;
    const bj::value* indexes = body.if_contains("indexes");
    if (!indexes || indexes->is_null()) return paths;
    if (!indexes->is_array() || indexes->as_array().size() > most_indexes)
        return fail(
            ErrorCode::invalid_argument,
            "'indexes' must be a list of at most 16 dotted paths, for example [\"currentStep\"]");
    for (const bj::value& item : indexes->as_array()) {
        if (!item.is_string())
            return fail(ErrorCode::invalid_argument, "an index path must be a string");
        HF_TRY(auto path, json::parse_path(item.as_string()));
        if (std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
    }
    return paths;
}

Result<std::optional<std::chrono::microseconds>> read_window(const bj::object& object,
                                                             const char* name) {
    HF_TRY(const auto text, read_text(object, name));
    if (!text) return std::nullopt;
    HF_TRY(const auto time, read_duration(*text, "'" + std::string(name) + "'"));
    return time;
}

// {"keepFor": "90d", "staleAfter": "52w"}: either may be absent.
Result<Retention> read_retention(const bj::object& body) {
    const bj::value* member = body.if_contains("retention");
    if (!member || member->is_null()) return Retention{};
    const bj::object* object = member->if_object();
    for (const auto& item : object ? *object : bj::object{})
        if (item.key() != "keepFor" && item.key() != "staleAfter") object = nullptr;
    if (!object)
        return fail(ErrorCode::invalid_argument,
                    "'retention' must be an object with keepFor, staleAfter or both, for example "
                    "{\"keepFor\": \"90d\", \"staleAfter\": \"52w\"}");
    Retention retention;
    HF_TRY(retention.keep_for, read_window(*object, "keepFor"));
    HF_TRY(retention.stale_after, read_window(*object, "staleAfter"));
    return retention;
}

Result<op::Define> read_define(const Request& request, IdSource& ids) {
    op::Define define;
    HF_TRY(define.cause, read_cause(request, ids));
    HF_TRY(define.key, read_name(request.param("key"), "a definition key"));
    HF_TRY(auto body, read_object(request, {"schema", "indexes", "retention"}));
    HF_TRY(define.indexes, read_indexes(body));
    HF_TRY(define.retention, read_retention(body));
    const bj::value* schema = body.if_contains("schema");
    if (!schema || schema->is_null()) return define;
    define.schema = json::canonical(*schema);
    HF_TRY(define.compiled, StateSchema::compile(*define.schema));
    return define;
}

// Shows for every index path whether its index is built.
bj::object body_of(const Definition& definition, const std::vector<IndexState>& states) {
    bj::array indexes;
    for (const json::Path& path : definition.indexes) {
        const auto state = std::ranges::find(states, path, &IndexState::path);
        indexes.push_back(bj::object{{"path", json::to_string(path)},
                                     {"ready", state != states.end() && state->ready}});
    }
    bj::object body = to_json(definition);
    body["indexes"] = std::move(indexes);
    return body;
}

void put_definition(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_CHECK(check_parameters(request, {}));
        HF_TRY(auto define, read_define(request, api.ids));
        api.coordinator.submit(std::move(define), [&api, later = std::move(later)](
                                                      Result<op::Define::Outcome> outcome) mutable {
            if (!outcome) return later(problem(outcome.error()));
            const auto& defined = std::get<op::Defined>(*outcome);
            if (!defined.definition->indexes.empty()) api.indexes_wanted();
            read_on_worker(api, std::move(later), [&api, defined] {
                const auto states = api.store.indexes();
                if (!states) return problem(states.error());
                return json_response(defined.created ? 201 : 200,
                                     body_of(*defined.definition, *states));
            });
        });
        return {};
    });
}

Response definition_response(Api& api, const std::string& key) {
    const auto definition = api.store.definition({key, 0});
    if (!definition) return problem(definition.error());
    if (!*definition)
        return problem(
            404, "unknown-definition", "Not found",
            "there is no definition '" + key + "'; create it with PUT /api/v1/definitions/" + key);
    const auto states = api.store.indexes();
    if (!states) return problem(states.error());
    return json_response(200, body_of(**definition, *states));
}

void get_definition(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_CHECK(check_parameters(request, {}));
        HF_TRY(auto key, read_name(request.param("key"), "a definition key"));
        read_on_worker(api, std::move(later),
                       [&api, key = std::move(key)] { return definition_response(api, key); });
        return {};
    });
}

}  // namespace

void add_definition_routes(Router& router, Api& api) {
    router.add({Method::put, "/api/v1/definitions/{key}", Access::guarded,
                [&api](Request request, Respond respond) {
                    put_definition(api, std::move(request), std::move(respond));
                }});
    router.add({Method::get, "/api/v1/definitions/{key}", Access::guarded,
                [&api](Request request, Respond respond) {
                    get_definition(api, std::move(request), std::move(respond));
                }});
}

}  // namespace holdfast::http
