#include "support/api_contract.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <boost/json.hpp>
#include <cstdio>
#include <cstdlib>

#include "http/description/openapi.h"
#include "http/description/problems.h"
#include "http/wire/target.h"
#include "model/schema/check.h"
#include "model/schema/compile.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

std::atomic<ApiContract*> current_contract = nullptr;
constexpr std::string_view problem_prefix = "/problems/";

// An object with listed members has no others.
void close_objects(bj::value& value) {
    if (bj::array* array = value.if_array())
        for (bj::value& item : *array) close_objects(item);
    bj::object* object = value.if_object();
    if (!object) return;
    for (auto& member : *object)
        if (member.key() != "examples") close_objects(member.value());
    if (object->contains("properties") && object->contains("type") &&
        !object->contains("additionalProperties"))
        (*object)["additionalProperties"] = false;
}

bj::object closed_components(const bj::object& document) {
    bj::value schemas = document.at("components").at("schemas");
    close_objects(schemas);
    return {{"schemas", std::move(schemas)}};
}

std::vector<std::string> segments_of(std::string_view path) {
    std::vector<std::string> segments;
    for (std::size_t at = 1; at < path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        segments.emplace_back(path.substr(at, end - at));
        at = end + 1;
    }
    return segments;
}

bool fits(const std::vector<std::string>& pattern, const std::vector<std::string>& path) {
    return std::ranges::equal(pattern, path, [](const std::string& wanted, const std::string& got) {
        return wanted.starts_with('{') || wanted == got;
    });
}

std::string method_of(http::Method method) {
    if (method == http::Method::head) return "get";
    std::string name(http::name_of(method));
    for (char& c : name) c = static_cast<char>(std::tolower(c));
    return name;
}

// Not the parser of the server: some tests count what it parses.
bj::value parsed(const std::string& body, boost::system::error_code& error) {
    bj::parse_options options;
    options.max_depth = 256;
    return bj::parse(body, error, {}, options);
}

std::string slug_of(const std::string& body) {
    boost::system::error_code error;
    const bj::value document = parsed(body, error);
    const bj::object* object = document.if_object();
    const bj::value* type = object ? object->if_contains("type") : nullptr;
    if (!type || !type->is_string() || !type->get_string().starts_with(problem_prefix)) return "";
    return std::string(type->get_string()).substr(problem_prefix.size());
}

// Whether many routes have it for the same reason.
bool is_shared(std::string_view slug) {
    using http::SharedBy;
    for (const char* of_bodies : {"malformed-json", "number-not-exact", "idempotency-key-reused"})
        if (slug == of_bodies) return true;
    for (const SharedBy by : {SharedBy::every_route, SharedBy::guarded_routes, SharedBy::changes})
        if (std::ranges::count(http::shared_problems(by), slug) > 0) return true;
    return false;
}

std::string last_part(std::string_view reference) {
    return std::string(reference.substr(reference.rfind('/') + 1));
}

// The types that a response may have.
std::vector<std::string> slugs_of(const bj::value& response) {
    std::vector<std::string> slugs;
    const bj::value* content = response.as_object().if_contains("content");
    const bj::value* problem =
        content ? content->as_object().if_contains("application/problem+json") : nullptr;
    if (!problem) return slugs;
    for (const bj::value& one : problem->at("schema").at("oneOf").as_array())
        slugs.push_back(last_part(one.at("$ref").as_string()).substr(sizeof "problem-" - 1));
    return slugs;
}

std::string missing_header(const bj::value& response, const http::Headers& headers) {
    const bj::value* described = response.as_object().if_contains("headers");
    if (!described) return "";
    for (const auto& [name, header] : described->as_object())
        if (header.as_object().contains("$ref") && !headers.find(name))
            return "without " + std::string(name);
    return "";
}

// Tells how much of the document the tests have seen.
class Report : public ::testing::Environment {
public:
    void TearDown() override {
        const ApiContract* contract = ApiContract::current();
        if (!contract) return;
        const auto described = contract->described();
        const auto seen = contract->seen();
        std::printf("openapi: %zu of %zu described answers were seen\n", seen.size(),
                    described.size());
        if (!std::getenv("HOLDFAST_SHOW_UNSEEN")) return;
        for (const std::string& one : described)
            if (!seen.contains(one)) std::printf("openapi: never seen: %s\n", one.c_str());
    }
};

const auto* const report = ::testing::AddGlobalTestEnvironment(new Report);

}  // namespace

ApiContract::ApiContract(bj::object document)
    : document_(std::move(document)), strict_(closed_components(document_)) {
    for (const auto& [path, methods] : document_.at("paths").as_object())
        for (const auto& [method, operation] : methods.as_object())
            operations_.push_back({segments_of(path), std::string(method), &operation.as_object()});
    // Literal segments before {names}.
    std::ranges::stable_sort(operations_, [](const Operation& a, const Operation& b) {
        return std::ranges::count(a.segments, '{', [](const auto& s) { return s.front(); }) <
               std::ranges::count(b.segments, '{', [](const auto& s) { return s.front(); });
    });
}

ApiContract* ApiContract::current() { return current_contract; }

void ApiContract::use(const http::Router& router) {
    static ApiContract contract(http::openapi_of(router));
    current_contract = &contract;
}

const ApiContract::Operation* ApiContract::find(const Exchange& exchange) const {
    const auto target = http::parse_target(exchange.target);
    if (!target) return nullptr;
    const std::string method = method_of(exchange.method);
    const auto found = std::ranges::find_if(operations_, [&](const Operation& one) {
        return one.method == method && fits(one.segments, target->path);
    });
    return found == operations_.end() ? nullptr : &*found;
}

const bj::value& ApiContract::resolved(const bj::value& value) const {
    const bj::value* reference = value.as_object().if_contains("$ref");
    if (!reference) return value;
    const std::string name = last_part(reference->as_string());
    return document_.at("components").at("responses").at(name);
}

const schema::Program& ApiContract::compiled(const std::string& schema) {
    const std::lock_guard lock(mutex_);
    auto& known = schemas_[schema];
    if (known) return *known;
    const bj::object root{{"$ref", "#/components/schemas/" + schema}, {"components", strict_}};
    auto made = schema::compile(root);
    if (!made) throw std::runtime_error(schema + ": " + made.error().message);
    known = *std::move(made);
    return *known;
}

std::string ApiContract::violation(const std::string& schema, const std::string& body) {
    boost::system::error_code error;
    const bj::value value = parsed(body, error);
    if (error) return "the body is not JSON: " + error.message();
    Effort effort;
    const auto violations = schema::check(compiled(schema), value, 1, effort);
    if (violations.empty()) return "";
    return "no " + schema + " at '" + violations[0].path + "': " + violations[0].message;
}

std::string ApiContract::fault_without_route(const Exchange& exchange) {
    const std::string slug = slug_of(exchange.body);
    const http::ProblemType* type = http::find_problem(slug);
    if (exchange.method == http::Method::head && exchange.status >= 400) return "";
    if (!type || type->status != exchange.status) return "an unknown problem";
    if (std::ranges::count(http::routeless_problems(), slug) == 0 && !is_shared(slug))
        return "a problem that only routes have";
    return violation("problem-" + slug, exchange.body);
}

std::string ApiContract::fault_of_problem(const bj::value& response, const std::string& slug,
                                          const Exchange& exchange) {
    const auto listed = slugs_of(response);
    if (std::ranges::count(listed, slug) == 0) return "the problem '" + slug + "' is not listed";
    return violation("problem-" + slug, exchange.body);
}

std::string ApiContract::fault_in(const Operation& operation, const Exchange& exchange) {
    const bj::object& responses = operation.description->at("responses").as_object();
    const bj::value* listed = responses.if_contains(std::to_string(exchange.status));
    if (!listed) return "the status is not listed";
    const bj::value& response = resolved(*listed);
    if (auto missing = missing_header(response, exchange.headers); !missing.empty()) return missing;
    std::string name(operation.description->at("operationId").as_string());
    name += ' ' + std::to_string(exchange.status);
    const bj::value* content = response.as_object().if_contains("content");
    if (!content && !exchange.body.empty()) return "a body that is not listed";
    const std::string type(exchange.headers.find("Content-Type").value_or(""));
    const bj::value* form = content ? content->as_object().if_contains(type) : nullptr;
    if (content && !form) return "the content type is not listed";
    const bool has_body = form && exchange.method != http::Method::head;
    if (has_body && type == "application/problem+json") {
        const std::string slug = slug_of(exchange.body);
        if (auto fault = fault_of_problem(response, slug, exchange); !fault.empty()) return fault;
        name += ' ' + slug;
        if (is_shared(slug)) return "";
    } else if (has_body && type == "application/json") {
        const auto fault =
            violation(last_part(form->at("schema").at("$ref").as_string()), exchange.body);
        if (!fault.empty()) return fault;
    }
    const std::lock_guard lock(mutex_);
    seen_.insert(std::move(name));
    return "";
}

std::string ApiContract::fault_of(const Exchange& exchange) {
    const Operation* operation = find(exchange);
    std::string fault = operation ? fault_in(*operation, exchange) : fault_without_route(exchange);
    if (fault.empty()) return "";
    return "not as described in /openapi.json: " + std::string(http::name_of(exchange.method)) +
           ' ' + exchange.target.substr(0, 200) + ": " + std::to_string(exchange.status) + ": " +
           fault + "\n" + exchange.body.substr(0, 1'000);
}

std::set<std::string> ApiContract::described() const {
    std::set<std::string> answers;
    for (const Operation& operation : operations_)
        for (const auto& [status, listed] : operation.description->at("responses").as_object()) {
            std::string name(operation.description->at("operationId").as_string());
            name += ' ' + std::string(status);
            const auto slugs = slugs_of(resolved(listed));
            if (slugs.empty()) answers.insert(name);
            for (const std::string& slug : slugs)
                if (!is_shared(slug)) answers.insert(name + ' ' + slug);
        }
    return answers;
}

std::set<std::string> ApiContract::seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
}

}  // namespace holdfast::testing
