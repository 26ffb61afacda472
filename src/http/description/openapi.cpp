#include "http/description/openapi.h"

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <set>

#include "base/assert.h"
#include "base/build_version.h"
#include "http/description/problems.h"
#include "http/description/schemas.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::string_view about =
    "Workflow instances that survive crashes: versioned JSON states that many people and programs "
    "change at once. Failures are RFC 9457 problems; `type` tells them apart. Every GET route also "
    "answers HEAD. A path that is not listed is 404 `no-such-route`, another method 405 "
    "`method-not-allowed`. A credential is needed as soon as the server has one, and by browsers "
    "always.";

constexpr std::pair<std::string_view, std::string_view> answer_headers[] = {
    {"ETag", "The version of what the answer shows, in quotes; send it as If-Match."},
    {"Location", "Where the result is."},
    {"Set-Cookie", "The session of the browser; scripts cannot read it."},
    {"Retry-After", "Seconds after which a repeat may succeed."},
    {"Allow", "The methods of the path."},
    {"WWW-Authenticate", "The scheme of the token."},
    {"Accept-Patch", "The content types that the route takes."},
    {"X-Accel-Buffering", "`no`: a proxy in between passes each event on at once."},
    {"Content-Security-Policy", "What the page may load: nothing from elsewhere."}};

bj::object ref(std::string_view kind, std::string_view name) {
    return {{"$ref", "#/components/" + std::string(kind) + "/" + std::string(name)}};
}

std::string lower(std::string_view name) {
    std::string text(name);
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
    return text;
}

// "workflows" of "/api/v1/workflows/{id}".
std::string tag_of(std::string_view pattern) {
    constexpr std::string_view api = "/api/v1/";
    if (!pattern.starts_with(api)) return "server";
    pattern.remove_prefix(api.size());
    return std::string(pattern.substr(0, pattern.find('/')));
}

std::vector<std::string> names_in(std::string_view pattern) {
    std::vector<std::string> names;
    for (std::size_t at = pattern.find('{'); at != std::string_view::npos;
         at = pattern.find('{', at + 1))
        names.emplace_back(pattern.substr(at + 1, pattern.find('}', at) - at - 1));
    return names;
}

bj::object schema_of(const AnyText& text) {
    bj::object schema{{"type", "string"}};
    if (!text.format.empty()) schema["format"] = text.format;
    return schema;
}

bj::object schema_of(const WholeNumber& number) {
    bj::object schema{{"type", "integer"}, {"minimum", number.least}, {"maximum", number.most}};
    if (number.standard) schema["default"] = *number.standard;
    return schema;
}

bj::object schema_of(const Choice& choice) {
    return {{"type", "string"}, {"enum", bj::array(choice.values.begin(), choice.values.end())}};
}

bj::object schema_of(const Flag&) { return {{"type", "boolean"}, {"default", false}}; }

bj::object parameter(std::string_view in, std::string_view name, std::string_view text,
                     Presence presence, bj::object schema) {
    return {{"name", name},
            {"in", in},
            {"required", presence == Presence::required},
            {"description", text},
            {"schema", std::move(schema)}};
}

bj::object path_parameter(const Route& route, const std::string& name) {
    const PathText meaning = path_text(route.description, name);
    HF_ASSERT(!meaning.text.empty(), "every {name} of a pattern is described");
    if (meaning.format == "uuid")
        return parameter("path", name, meaning.text, Presence::required, ref("schemas", "Uuid"));
    if (meaning.format == "uint64")
        return parameter("path", name, meaning.text, Presence::required,
                         {{"type", "integer"}, {"minimum", 0}});
    return parameter("path", name, meaning.text, Presence::required, {{"type", "string"}});
}

bj::array parameters_of(const Route& route) {
    bj::array list;
    for (const std::string& name : names_in(route.pattern))
        list.push_back(path_parameter(route, name));
    for (const Parameter& one : route.description.parameters)
        list.push_back(
            parameter("query", one.name, one.text, one.presence,
                      std::visit([](const auto& form) { return schema_of(form); }, one.form)));
    for (const RequestHeader& one : route.description.headers)
        list.push_back(parameter("header", one.name, one.text, one.presence, {{"type", "string"}}));
    if (route.access == Access::guarded) list.push_back(ref("parameters", "X-User-Id"));
    if (route.method != Method::get) list.push_back(ref("parameters", "X-Correlation-Id"));
    return list;
}

bj::object body_of(const Body& body) {
    bj::object content;
    for (const BodyForm& form : body.forms)
        content[form.type] = form.schema.empty()
                                 ? bj::object{{"schema", {{"type", "string"}}}}
                                 : bj::object{{"schema", ref("schemas", form.schema)}};
    return {{"required", body.presence == Presence::required}, {"content", std::move(content)}};
}

bj::object response_of(const Answer& answer) {
    bj::object response{{"description", answer.text}};
    bj::object headers;
    for (const std::string_view name : answer.headers) headers[name] = ref("headers", name);
    if (!headers.empty()) response["headers"] = std::move(headers);
    if (answer.type.empty()) return response;
    if (!answer.schema.empty())
        HF_ASSERT(find_schema(answer.schema), "an answer names a schema that exists");
    response["content"] = {{answer.type,
                            {{"schema", answer.schema.empty() ? bj::object{{"type", "string"}}
                                                              : ref("schemas", answer.schema)}}}};
    return response;
}

using Slugs = std::set<std::string_view>;

// The problems of a route, by status.
std::map<int, Slugs> problems_of(const Route& route) {
    std::map<int, Slugs> by_status;
    const auto add = [&](std::span<const std::string_view> slugs) {
        for (const std::string_view slug : slugs) {
            const ProblemType* type = find_problem(slug);
            HF_ASSERT(type, "a route names problems that exist");
            by_status[type->status].insert(type->slug);
        }
    };
    add(shared_problems(SharedBy::every_route));
    if (route.access == Access::guarded) add(shared_problems(SharedBy::guarded_routes));
    if (route.method != Method::get) add(shared_problems(SharedBy::changes));
    add(problems_within(route.description.rule.reach));
    add(route.description.slugs);
    return by_status;
}

std::string name_of(const Slugs& slugs) {
    std::string name;
    for (const std::string_view slug : slugs) name.append(name.empty() ? "" : ".").append(slug);
    return name;
}

bool carries(std::string_view slug, std::string_view header) {
    return (' ' + std::string(find_problem(slug)->headers) + ' ')
               .find(' ' + std::string(header) + ' ') != std::string::npos;
}

bj::object problem_response(const Slugs& slugs) {
    std::string text;
    bj::array schemas;
    for (const std::string_view slug : slugs) {
        text.append(text.empty() ? "`" : " `").append(slug).append("`: ");
        text.append(find_problem(slug)->when);
        schemas.push_back(ref("schemas", "problem-" + std::string(slug)));
    }
    bj::object response{{"description", text}};
    bj::object headers;
    for (const auto& [name, meaning] : answer_headers) {
        const auto count = std::ranges::count_if(
            slugs, [&](std::string_view slug) { return carries(slug, name); });
        if (count == static_cast<std::ptrdiff_t>(slugs.size()))
            headers[name] = ref("headers", name);
        else if (count > 0)
            headers[name] = bj::object{{"description", meaning}, {"schema", {{"type", "string"}}}};
    }
    if (!headers.empty()) response["headers"] = std::move(headers);
    response["content"] = {
        {"application/problem+json", {{"schema", {{"oneOf", std::move(schemas)}}}}}};
    return response;
}

// The type of a member, by its example.
bj::object member_schema(const bj::value& example) {
    if (example.is_number()) return {{"type", "integer"}};
    if (example.is_string()) return {{"type", bj::array{"string", "null"}}};
    if (example.is_array()) return {{"type", "array"}};
    return {};
}

bj::object problem_schema(const ProblemType& type) {
    const std::string uri = "/problems/" + std::string(type.slug);
    bj::object example{
        {"type", uri}, {"status", type.status}, {"title", type.title}, {"detail", type.when}};
    bj::object properties{{"type", {{"const", uri}}},
                          {"status", {{"const", type.status}}},
                          {"title", {{"type", "string"}}},
                          {"detail", {{"type", "string"}}}};
    const bj::value members = bj::parse(type.members);
    for (const auto& [name, value] : members.as_object()) {
        properties[name] = member_schema(value);
        example[name] = value;
    }
    return {{"type", "object"},
            {"description", type.when},
            {"properties", std::move(properties)},
            {"required", bj::array{"type", "status", "title", "detail"}},
            {"additionalProperties", true},
            {"examples", bj::array{std::move(example)}}};
}

bj::array roles_of(const Rule& rule) {
    bj::array names;
    for (const Role role : all_roles)
        if (rule.roles.has(role)) names.push_back(bj::value(holdfast::name_of(role)));
    return names;
}

bj::object operation_of(const Route& route, std::set<Slugs>& used) {
    const Description& description = route.description;
    bj::object operation{{"operationId", description.id},
                         {"summary", description.summary},
                         {"tags", bj::array{tag_of(route.pattern)}}};
    if (route.access != Access::guarded) operation["security"] = bj::array{};
    if (auto roles = roles_of(description.rule); !roles.empty())
        operation["x-roles"] = std::move(roles);
    if (auto list = parameters_of(route); !list.empty()) operation["parameters"] = std::move(list);
    if (description.request_body) operation["requestBody"] = body_of(*description.request_body);
    std::map<int, bj::object> responses;
    for (const Answer& answer : description.answers)
        responses.emplace(answer.status, response_of(answer));
    for (const auto& [status, slugs] : problems_of(route)) {
        used.insert(slugs);
        responses.emplace(status, ref("responses", name_of(slugs)));
    }
    bj::object by_status;
    for (auto& [status, response] : responses)
        by_status[std::to_string(status)] = std::move(response);
    operation["responses"] = std::move(by_status);
    return operation;
}

bj::object common_parameters() {
    return {
        {"X-User-Id", parameter("header", "X-User-Id",
                                "The user to act for, 1 to 256 bytes of UTF-8, if it is not the "
                                "credential's. Needs the role operator.",
                                Presence::optional, {{"type", "string"}})},
        {"X-Correlation-Id",
         parameter("header", "X-Correlation-Id",
                   "At most 128 visible ASCII characters, kept in the history of the change.",
                   Presence::optional, {{"type", "string"}})}};
}

bj::object components_of(const std::set<Slugs>& used) {
    bj::object schemas = component_schemas();
    for (const ProblemType& type : problem_types())
        schemas["problem-" + std::string(type.slug)] = problem_schema(type);
    bj::object headers;
    for (const auto& [name, text] : answer_headers)
        headers[name] =
            bj::object{{"description", text}, {"required", true}, {"schema", {{"type", "string"}}}};
    bj::object responses;
    for (const Slugs& slugs : used) responses[name_of(slugs)] = problem_response(slugs);
    return {{"schemas", std::move(schemas)},
            {"headers", std::move(headers)},
            {"parameters", common_parameters()},
            {"responses", std::move(responses)},
            {"securitySchemes",
             {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}},
              {"session", {{"type", "apiKey"}, {"in", "cookie"}, {"name", "holdfast"}}}}}};
}

}  // namespace

bj::object openapi_of(const Router& router) {
    std::set<Slugs> used;
    for (const std::string_view slug : routeless_problems()) used.insert({slug});
    std::map<std::string, bj::object> paths;
    for (const Route* route : router.table())
        if (route->description.listed)
            paths[route->pattern][lower(http::name_of(route->method))] = operation_of(*route, used);
    bj::object by_path;
    for (auto& [pattern, operations] : paths) by_path[pattern] = std::move(operations);
    return {{"openapi", "3.1.0"},
            {"info",
             {{"title", "Holdfast"},
              {"version", build_version},
              {"description", about},
              {"license", {{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}}}},
            {"servers", bj::array{bj::object{{"url", "/"}}}},
            {"security",
             bj::array{bj::object{{"bearer", bj::array{}}}, bj::object{{"session", bj::array{}}}}},
            {"paths", std::move(by_path)},
            {"components", components_of(used)}};
}

}  // namespace holdfast::http
