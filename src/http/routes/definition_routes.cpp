// GET /api/v1/definitions, PUT and GET /api/v1/definitions/{key}, GET .../model and .../versions,
// POST .../disable and .../enable
#include <boost/json.hpp>
#include <charconv>

#include "base/json/canonical.h"
#include "http/api.h"
#include "http/input/check_request.h"
#include "http/input/cursor.h"
#include "http/input/input.h"
#include "model/codec/codec.h"
#include "program/kinds.h"

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

// Absent: it has none.
Result<std::optional<Limits>> read_limits_of(const bj::object& body) {
    const bj::value* member = body.if_contains("limits");
    if (!member || member->is_null()) return std::nullopt;
    if (!member->is_object())
        return fail(ErrorCode::invalid_argument,
                    "'limits' must be an object, for example {\"concurrency\": 5, \"rate\": "
                    "\"100/1m\", \"key\": \"businessKey\"}");
    HF_TRY(auto limits, read_limits(member->get_object()));
    if (!limits.is_set()) return std::nullopt;
    return limits;
}

// `runner`: who moves its workflows on. It is chosen with the first version.
Result<void> read_runner(const bj::object& body, const TenantReads& reads, op::Define& define) {
    HF_TRY(const auto runner, read_text(body, "runner"));
    if (!runner) return {};
    const auto chosen = runner_kind(*runner);
    if (!chosen) return fail(ErrorCode::invalid_argument, "'runner' must be outside or worker");
    HF_TRY(const auto newest, reads.ask(FindDefinition{{define.key, 0}}));
    if (newest && !chosen->is_of(*newest))
        return fail(ErrorCode::invalid_argument, "'runner' of the definition is " + newest->kind +
                                                     " and cannot be changed; use another key");
    if (newest) return {};
    define.kind = chosen->kind;
    define.program = chosen->program;
    return {};
}

Result<op::Define> read_define(const Request& request, Api& api) {
    op::Define define;
    HF_TRY(define.cause, read_cause(request, api.ids));
    HF_TRY(define.key, read_own_key(request.param("key"), "a definition key"));
    HF_TRY(auto body, read_object(request, {"schema", "indexes", "retention", "limits", "runner"}));
    HF_CHECK(read_runner(body, reads_of(api, request), define));
    HF_TRY(define.indexes, read_indexes(body));
    HF_TRY(define.retention, read_retention(body));
    HF_TRY(define.limits, read_limits_of(body));
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

void submit_definition(Api& api, const Request& request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        HF_TRY(auto define, read_define(request, api));
        api.coordinator.submit(std::move(define), [&api, later = std::move(later)](
                                                      Result<op::Define::Outcome> outcome) mutable {
            if (!outcome) return later(problem(outcome.error()));
            const auto& defined = std::get<op::Defined>(*outcome);
            if (!defined.definition->indexes.empty()) api.indexes_wanted();
            read_on_worker(api, std::move(later), [&api, defined] {
                const auto states = api.store.ask(ListIndexes{});
                if (!states) return problem(states.error());
                return json_response(defined.created ? 201 : 200,
                                     body_of(*defined.definition, *states));
            });
        });
        return {};
    });
}

// Compiling a schema takes up to seconds: not on the thread of all connections.
void put_definition(Api& api, Request request, Respond respond) {
    auto later = std::make_shared<Respond>(std::move(respond));
    const bool taken = api.coordinator.compute([&api, later, request = std::move(request)] {
        submit_definition(api, request, std::move(*later));
    });
    if (!taken)
        (*later)(problem(Error{
            ErrorCode::overloaded, "too many changes are being checked; try again shortly", {}}));
}

Result<std::uint32_t> read_version(std::string_view text) {
    std::uint32_t version = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
    if (error != std::errc() || end != text.data() + text.size() || version == 0)
        return fail(ErrorCode::invalid_argument,
                    "version must be a version of the definition: 1, 2, 3, ...");
    return version;
}

Response unknown_definition(const std::string& key) {
    return problem(
        404, "unknown-definition", "Not found",
        "there is no definition '" + key + "'; create it with PUT /api/v1/definitions/" + key);
}

Response definition_response(Api& api, const TenantReads& reads, const DefinitionRef& ref) {
    const std::string& key = ref.key;
    const auto definition = reads.ask(FindDefinition{ref});
    if (!definition) return problem(definition.error());
    if (!*definition && ref.version != 0)
        return problem(404, "unknown-definition", "Not found",
                       "there is no version " + std::to_string(ref.version) +
                           " of the definition '" + key + "'");
    if (!*definition) return unknown_definition(key);
    const auto states = api.store.ask(ListIndexes{});
    if (!states) return problem(states.error());
    return json_response(200, body_of(**definition, *states));
}

void get_version(Api& api, Request request, Respond respond,
                 Response (*response)(Api&, const TenantReads&, const DefinitionRef&)) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        DefinitionRef ref;
        HF_TRY(ref.key, read_name(request.param("key"), "a definition key"));
        if (const auto version = find_number(request, "version"))
            ref.version = static_cast<std::uint32_t>(*version);
        read_on_worker(api, std::move(later),
                       [&api, reads = reads_of(api, request), response, ref = std::move(ref)] {
                           return response(api, reads, ref);
                       });
        return {};
    });
}

// The model that a version was deployed with.
Response model_response(Api&, const TenantReads& reads, const DefinitionRef& ref) {
    const auto definition = reads.ask(FindDefinition{ref});
    if (!definition) return problem(definition.error());
    if (!*definition || !(*definition)->source)
        return problem(404, "no-model", "Not found",
                       "there is no BPMN model of this version of '" + ref.key + "'");
    Response response{.status = 200, .headers = {}, .body = *(*definition)->source};
    response.headers.add("Content-Type", "application/xml");
    return response;
}

bj::array summaries(const std::vector<DefinitionSummary>& found, std::size_t limit) {
    bj::array items;
    for (const DefinitionSummary& one : found) {
        if (items.size() == limit) break;
        items.push_back(bj::object{{"key", one.ref.key},
                                   {"version", one.ref.version},
                                   {"kind", one.kind},
                                   {"disabled", one.disabled},
                                   {"createdAt", to_iso8601(one.created_at)}});
    }
    return items;
}

Response definitions_response(const TenantReads& reads, const DefinitionQuery& query,
                              const Identity& identity) {
    // One more than the page has, to know whether another page follows.
    auto found = reads.ask(DefinitionQuery{query.after, query.limit + 1});
    if (!found) return problem(found.error());
    std::optional<std::string> next;
    if (found->size() > query.limit) next = (*found)[query.limit - 1].ref.key;
    found->resize(std::min(found->size(), query.limit));
    std::erase_if(*found,
                  [&](const DefinitionSummary& one) { return !identity.reaches(one.ref.key); });
    bj::object body{{"items", summaries(*found, query.limit)}, {"nextCursor", nullptr}};
    if (next) body["nextCursor"] = make_cursor(*next, "");
    return json_response(200, body);
}

Response versions_response(const TenantReads& reads, const VersionQuery& query) {
    const auto found = reads.ask(VersionQuery{query.key, query.before, query.limit + 1});
    if (!found) return problem(found.error());
    if (found->empty() && query.before == 0) return unknown_definition(query.key);
    bj::object body{{"items", summaries(*found, query.limit)}, {"nextCursor", nullptr}};
    if (found->size() > query.limit)
        body["nextCursor"] =
            make_cursor(std::to_string((*found)[query.limit - 1].ref.version), query.key);
    return json_response(200, body);
}

void list_versions(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        VersionQuery query;
        HF_TRY(query.key, read_name(request.param("key"), "a definition key"));
        query.limit = number_of(request, "limit");
        if (const auto cursor = request.query_value("cursor")) {
            HF_TRY(const std::string before, read_cursor(*cursor, query.key));
            HF_TRY(query.before, read_version(before));
        }
        list_on_worker(api, std::move(later),
                       [reads = reads_of(api, request), query = std::move(query)](
                           const PageBudget&) { return versions_response(reads, query); });
        return {};
    });
}

Response switched_response(const op::SwitchDefinition::Outcome& outcome) {
    if (const auto* unknown = std::get_if<op::UnknownDefinition>(&outcome))
        return unknown_definition(unknown->key);
    const Definition& definition = *std::get<op::Defined>(outcome).definition;
    return json_response(200, bj::object{{"key", definition.ref.key},
                                         {"version", definition.ref.version},
                                         {"disabled", definition.disabled}});
}

void switch_definition(Api& api, const Request& request, Respond respond, bool disabled) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        op::SwitchDefinition op{.disabled = disabled};
        HF_TRY(op.cause, read_cause(request, api.ids));
        HF_TRY(op.key, read_name(request.param("key"), "a definition key"));
        api.coordinator.submit(
            std::move(op),
            [later = std::move(later)](Result<op::SwitchDefinition::Outcome> outcome) mutable {
                later(outcome ? switched_response(*outcome) : problem(outcome.error()));
            });
        return {};
    });
}

void list_definitions(Api& api, Request request, Respond respond) {
    answer_early(std::move(respond), [&](Respond& later) -> Early {
        DefinitionQuery query;
        query.limit = number_of(request, "limit");
        if (const auto cursor = request.query_value("cursor")) {
            HF_TRY(query.after, read_cursor(*cursor, ""));
        }
        list_on_worker(
            api, std::move(later),
            [reads = reads_of(api, request), query = std::move(query), identity = request.identity](
                const PageBudget&) { return definitions_response(reads, query, identity); });
        return {};
    });
}

}  // namespace

namespace {

void get_definition(Api& api, Request request, Respond respond) {
    get_version(api, std::move(request), std::move(respond), definition_response);
}

void get_model(Api& api, Request request, Respond respond) {
    get_version(api, std::move(request), std::move(respond), model_response);
}

void disable_definition(Api& api, Request request, Respond respond) {
    switch_definition(api, request, std::move(respond), true);
}

void enable_definition(Api& api, Request request, Respond respond) {
    switch_definition(api, request, std::move(respond), false);
}

Parameter version_parameter() {
    return {"version", "The version; the newest if absent.",
            WholeNumber{1, std::numeric_limits<std::uint32_t>::max()},
            "a version of the definition: 1, 2, 3, ..."};
}

}  // namespace

void add_definition_routes(Router& router, Api& api) {
    const std::string base = "/api/v1/definitions";
    add_route(router, api, Method::get, base, list_definitions,
              Description("listDefinitions", readers.within(Within::handler),
                          "Lists the newest version of every definition.")
                  .page(50, 500)
                  .answer(200, "A page of definitions.", "DefinitionPage"));
    add_route(router, api, Method::put, base + "/{key}", put_definition,
              Description("putDefinition", operators.within(Within::definition),
                          "Defines a new version, unless nothing changes.")
                  .audited()
                  .body("DefineRequest")
                  .answer(201, "A new version.", "Definition")
                  .answer(200, "The newest version is the same.", "Definition"));
    add_route(router, api, Method::get, base + "/{key}", get_definition,
              Description("getDefinition", run_readers.within(Within::definition),
                          "Shows a version of a definition.")
                  .query(version_parameter())
                  .answer(200, "The definition.", "Definition")
                  .problems({"unknown-definition"}));
    add_route(router, api, Method::get, base + "/{key}/model", get_model,
              Description("getModel", readers.within(Within::definition),
                          "Shows the BPMN model of a version.")
                  .query(version_parameter())
                  .answer_as(200, "The model as it was deployed.", "application/xml")
                  .problems({"no-model"}));
    add_route(router, api, Method::get, base + "/{key}/versions", list_versions,
              Description("listVersions", readers.within(Within::definition),
                          "Lists the versions of a definition, newest first.")
                  .page(50, 500)
                  .answer(200, "A page of versions.", "VersionPage")
                  .problems({"unknown-definition"}));
    add_route(router, api, Method::post, base + "/{key}/disable", disable_definition,
              Description("disableDefinition", operators.within(Within::definition),
                          "Lets nobody start it; what runs goes on.")
                  .audited()
                  .answer(200, "It is disabled.", "SwitchedDefinition")
                  .problems({"unknown-definition"}));
    add_route(router, api, Method::post, base + "/{key}/enable", enable_definition,
              Description("enableDefinition", operators.within(Within::definition),
                          "Lets it be started again.")
                  .audited()
                  .answer(200, "It is enabled.", "SwitchedDefinition")
                  .problems({"unknown-definition"}));
}

}  // namespace holdfast::http
