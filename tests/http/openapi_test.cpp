#include <boost/json.hpp>
#include <set>

#include "http/description/problems.h"
#include "support/api_contract.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

class OpenApi : public ::testing::Test {
protected:
    ApiServer server_{"memory"};
    const bj::value document_ = server_.call(Method::get, "/openapi.json").body;

    const bj::object& paths() const { return document_.at("paths").as_object(); }
};

template <class Visit>
void for_each_operation(const bj::object& paths, Visit visit) {
    for (const auto& [path, methods] : paths)
        for (const auto& [method, operation] : methods.as_object())
            visit(std::string(method) + " " + std::string(path), operation.as_object());
}

template <class Visit>
void for_each_reference(const bj::value& value, Visit visit) {
    if (const bj::array* array = value.if_array())
        for (const bj::value& item : *array) for_each_reference(item, visit);
    const bj::object* object = value.if_object();
    if (!object) return;
    for (const auto& [name, member] : *object)
        if (name == "$ref" && member.is_string())
            visit(std::string(member.as_string()));
        else
            for_each_reference(member, visit);
}

// "#/components/schemas/X" is the pointer "/components/schemas/X".
bool resolves(const bj::value& document, const std::string& reference) {
    boost::system::error_code error;
    return reference.starts_with("#/") &&
           document.find_pointer(reference.substr(1), error) != nullptr;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = static_cast<char>(std::tolower(c));
    return lower;
}

TEST_F(OpenApi, HasEveryRouteAndNoOther) {
    std::set<std::string> served;
    for (const http::RouteSummary& route : server_.routes())
        served.insert(lower_case(http::name_of(route.method)) + " " + route.pattern);
    std::set<std::string> described;
    for_each_operation(paths(),
                       [&](const std::string& name, const bj::object&) { described.insert(name); });
    EXPECT_EQ(described, served);
    EXPECT_EQ(document_.at("openapi").as_string(), "3.1.0");
}

TEST_F(OpenApi, EveryReferenceLeadsSomewhere) {
    std::size_t count = 0;
    for_each_reference(document_, [&](const std::string& reference) {
        ++count;
        EXPECT_TRUE(resolves(document_, reference)) << reference;
    });
    EXPECT_GT(count, 500);
}

TEST_F(OpenApi, AnOperationHasANameOfItsOwnASummaryAndASuccess) {
    std::set<std::string> ids;
    for_each_operation(paths(), [&](const std::string& name, const bj::object& operation) {
        EXPECT_TRUE(ids.emplace(operation.at("operationId").as_string()).second) << name;
        EXPECT_TRUE(operation.at("summary").as_string().ends_with(".")) << name;
        const bj::object& responses = operation.at("responses").as_object();
        EXPECT_TRUE(responses.contains("200") || responses.contains("201") ||
                    responses.contains("202") || responses.contains("204"))
            << name;
        for (const auto& [status, response] : responses)
            EXPECT_TRUE(response.as_object().contains("$ref") ||
                        response.as_object().contains("description"))
                << name << status;
    });
}

TEST_F(OpenApi, EveryNameOfAPathIsDescribedOnceAndNoOther) {
    for_each_operation(paths(), [&](const std::string& name, const bj::object& operation) {
        std::multiset<std::string> described;
        const bj::value* parameters = operation.if_contains("parameters");
        for (const bj::value& one : parameters ? parameters->as_array() : bj::array{})
            if (one.as_object().contains("in") && one.at("in").as_string() == "path") {
                EXPECT_TRUE(one.at("required").as_bool()) << name;
                described.emplace(one.at("name").as_string());
            }
        std::multiset<std::string> written;
        for (std::size_t at = name.find('{'); at != std::string::npos; at = name.find('{', at + 1))
            written.insert(name.substr(at + 1, name.find('}', at) - at - 1));
        EXPECT_EQ(described, written) << name;
    });
}

TEST_F(OpenApi, EveryProblemTypeIsUsedAndAllOfABodyHasAnExample) {
    std::set<std::string> used;
    for_each_reference(document_.at("components").at("responses"),
                       [&](const std::string& reference) { used.insert(reference); });
    for (const http::ProblemType& type : http::problem_types())
        EXPECT_TRUE(used.contains("#/components/schemas/problem-" + std::string(type.slug)))
            << type.slug;
    for (const auto& [name, schema] : document_.at("components").at("schemas").as_object())
        EXPECT_TRUE(schema.as_object().contains("examples") || schema.as_object().contains("$ref"))
            << name;
}

TEST_F(OpenApi, EveryExampleFitsItsSchema) {
    for (const auto& [name, schema] : document_.at("components").at("schemas").as_object())
        if (const bj::value* examples = schema.as_object().if_contains("examples")) {
            const std::string example = bj::serialize(examples->at(0));
            EXPECT_EQ(ApiContract::current()->violation(name, example), "");
        }
}

// What the check of every response says about a GET of a workflow that was answered so.
std::string fault(int status, const http::Headers& headers, const std::string& body) {
    return ApiContract::current()->fault_of(
        {Method::get, "/api/v1/workflows/" + std::string(nobody), status, headers, body});
}

TEST_F(OpenApi, TheCheckOfResponsesSeesWhatIsNotDescribed) {
    const Reply shown = server_.get(server_.start_id());
    EXPECT_EQ(fault(200, shown.headers, shown.text), "");
    EXPECT_NE(fault(201, shown.headers, shown.text).find("status"), std::string::npos);
    EXPECT_NE(fault(200, {}, shown.text).find("without ETag"), std::string::npos);
    std::string more = shown.text;
    more.insert(1, R"("surprise": 1, )");
    EXPECT_NE(fault(200, shown.headers, more).find("'surprise'"), std::string::npos);
    http::Headers problem;
    problem.add("Content-Type", "application/problem+json");
    const auto refusal = [](const std::string& slug, int status) {
        return R"({"type": "/problems/)" + slug + R"(", "title": "t", "detail": "d", "status": )" +
               std::to_string(status) + "}";
    };
    EXPECT_EQ(fault(404, problem, refusal("not-found", 404)), "");
    EXPECT_NE(fault(404, problem, refusal("no-such-task", 404)).find("not listed"),
              std::string::npos);
    EXPECT_NE(fault(404, problem, refusal("not-found", 400)).find("/status"), std::string::npos);
    EXPECT_NE(fault(409, problem, refusal("ended", 409)).find("status"), std::string::npos);
}

// A request for an operation: "post /api/v1/tasks/{task}/claim" with names that fit.
std::pair<Method, std::string> request_for(const std::string& operation) {
    const std::size_t space = operation.find(' ');
    const std::string method = operation.substr(0, space);
    std::string path = operation.substr(space + 1);
    for (std::size_t at = path.find('{'); at != std::string::npos; at = path.find('{')) {
        const std::size_t end = path.find('}', at);
        const std::string name = path.substr(at + 1, end - at - 1);
        const bool text = name == "name" || name == "key";
        path.replace(at, end - at + 1, text ? "x" : name == "index" ? "0" : nobody);
    }
    for (const Method one : {Method::get, Method::post, Method::put, Method::patch, Method::del})
        if (method == lower_case(http::name_of(one))) return {one, path};
    ADD_FAILURE() << method;
    return {Method::get, path};
}

// Values that the schema of a parameter does not allow.
std::vector<std::string> bad_values(const bj::object& schema) {
    std::vector<std::string> values;
    const bool text = schema.contains("type") && schema.at("type") == "string";
    if (!text || schema.contains("enum")) values = {"surprise", "", "1.5", "-1"};
    if (const bj::value* least = schema.if_contains("minimum"))
        if (*least == 1) values.emplace_back("0");
    if (const bj::value* most = schema.if_contains("maximum"))
        values.push_back(std::to_string(most->to_number<std::uint64_t>() + 1));
    return values;
}

TEST_F(OpenApi, WhatTheTableDoesNotAllowIsRefused) {
    std::size_t refused = 0;
    const auto refuses = [&](const std::string& operation, const std::string& query,
                             const std::string& detail) {
        const auto [method, path] = request_for(operation);
        const Reply reply = server_.call(method, path + query);
        EXPECT_EQ(reply.slug(), "invalid-argument") << operation << query << reply;
        EXPECT_NE(reply.text_at("/detail").find(detail), std::string::npos) << query << reply;
        ++refused;
    };
    for_each_operation(paths(), [&](const std::string& name, const bj::object& operation) {
        if (operation.at("tags").at(0) == "server") return;  // these take any parameters
        refuses(name, "?surprise=1", "unknown parameter 'surprise'");
        for (const bj::value& one : operation.at("parameters").as_array()) {
            if (!one.as_object().contains("in") || one.at("in") != "query") continue;
            const std::string parameter(one.at("name").as_string());
            refuses(name, "?" + parameter + "=1&" + parameter + "=1", "appears twice");
            for (const std::string& value : bad_values(one.at("schema").as_object()))
                refuses(name, "?" + parameter + "=" + value, parameter + " must be ");
        }
    });
    EXPECT_GT(refused, 150u);
}

TEST_F(OpenApi, ABodyOfAnotherTypeIsRefused) {
    std::size_t refused = 0;
    for_each_operation(paths(), [&](const std::string& name, const bj::object& operation) {
        if (!operation.contains("requestBody")) return;
        const auto [method, path] = request_for(name);
        const Reply reply =
            server_.call(method, path, "{}", {{"Content-Type", "application/surprise"}});
        EXPECT_EQ(reply.status, 415) << name << reply;
        EXPECT_EQ(method == Method::patch, !reply.header("Accept-Patch").empty());
        ++refused;
    });
    EXPECT_GT(refused, 30u);
}

// The names after "this request takes ".
std::set<std::string> listed_members(const std::string& detail) {
    constexpr std::string_view before = "this request takes ";
    std::set<std::string> names;
    const std::size_t begin = detail.find(before);
    if (begin == std::string::npos) return {detail};
    std::string rest = detail.substr(begin + before.size());
    for (std::size_t end = rest.find(", "); !rest.empty(); end = rest.find(", ")) {
        names.insert(rest.substr(0, end));
        rest = end == std::string::npos ? "" : rest.substr(end + 2);
    }
    return names;
}

TEST_F(OpenApi, ABodyTakesTheMembersThatAreListed) {
    for_each_operation(paths(), [&](const std::string& name, const bj::object& operation) {
        const bj::value* body = operation.if_contains("requestBody");
        const bj::value* form =
            body ? body->at("content").as_object().if_contains("application/json") : nullptr;
        if (!form) return;
        std::set<std::string> described;
        const std::string schema(form->at("schema").at("$ref").as_string());
        for (const auto& [member, type] :
             document_.at_pointer(schema.substr(1) + "/properties").as_object())
            described.emplace(member);
        const auto [method, path] = request_for(name);
        const Reply reply = server_.call(method, path, R"({"surprise": 1})", {{"If-Match", "*"}});
        EXPECT_EQ(listed_members(reply.text_at("/detail")), described) << name;
    });
}

// The example of an operation's body, its type, and If-Match where a version is needed.
struct ExampleRequest {
    std::string body;
    Fields headers;
};

ExampleRequest example_for(const bj::value& document, const bj::object& operation) {
    ExampleRequest example{.body = "", .headers = {{"If-Match", "*"}}};
    const bj::value* body = operation.if_contains("requestBody");
    if (!body) return example;
    const auto& form = *body->at("content").as_object().begin();
    example.headers.emplace_back("Content-Type", std::string(form.key()));
    const bj::value* reference = form.value().at("schema").as_object().if_contains("$ref");
    if (!reference) return example;
    const std::string pointer(reference->as_string());
    example.body = bj::serialize(document.at_pointer(pointer.substr(1) + "/examples/0"));
    return example;
}

// 404 there only for a credential that is for other definitions (AccessMatrix.*).
const std::set<std::string> hidden_by_rule{
    "put /api/v1/definitions/{key}", "get /api/v1/workflows", "get /api/v1/tasks",
    "get /api/v1/incidents",         "get /api/v1/jobs",      "get /api/v1/stream"};

TEST_F(OpenApi, TheExampleOfEveryBodyIsReadAndWhatItNamesIsNotFound) {
    std::size_t missing = 0;
    for_each_operation(paths(), [&](const std::string& name, const bj::object& operation) {
        if (!operation.at("responses").as_object().contains("404")) return;
        if (hidden_by_rule.contains(name)) return;
        const auto [method, path] = request_for(name);
        const ExampleRequest example = example_for(document_, operation);
        const std::string query = name == "get /api/v1/workflows/{id}/wait" ? "?index=0" : "";
        const Reply reply = server_.call(method, path + query, example.body, example.headers);
        EXPECT_EQ(reply.status, 404) << name << ' ' << reply;
        ++missing;
    });
    EXPECT_GT(missing, 40u);
}

TEST(QuarantinedWorkflow, EveryOperationThatSaysSoRefusesIt) {
    ApiServer server("sqlite");
    const bj::value document = server.call(Method::get, "/openapi.json").body;
    const std::string id = server.start_id(R"({"total": 12})");
    server.corrupt_state(id);
    EXPECT_EQ(server.get(id).at("/quarantined"), true);
    std::size_t refused = 0;
    for_each_operation(document.at("paths").as_object(), [&](const std::string& name,
                                                             const bj::object& operation) {
        const bj::value* conflict = operation.at("responses").as_object().if_contains("409");
        if (!conflict || name.find("/workflows/{id}") == std::string::npos) return;
        const std::string listed(conflict->at("$ref").as_string());
        const bool named = name.find("{name}") != std::string::npos;
        if (listed.find("quarantined") == std::string::npos || named) return;
        auto [method, path] = request_for(name);
        path.replace(path.find(nobody), std::string_view(nobody).size(), id);
        const ExampleRequest example = example_for(document, operation);
        // A release repairs it, a clear with `*` removes it, a poll needs an index.
        if (name.ends_with("/release") || method == Method::del || method == Method::get) return;
        const Reply reply = server.call(method, path, example.body, example.headers);
        EXPECT_EQ(reply.slug(), "quarantined") << name << ' ' << reply;
        ++refused;
    });
    EXPECT_GT(refused, 10u);
}

TEST_F(OpenApi, IsAPageThatLoadsNothingFromElsewhere) {
    const Reply page = server_.call(Method::get, "/docs");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.header("Content-Security-Policy").find("unsafe"), std::string::npos);
    EXPECT_TRUE(page.header("Content-Security-Policy").starts_with("default-src 'none';"));
    for (const char* foreign : {"<script", "http://", "https://", "src=", "style=\"", "@import"})
        EXPECT_EQ(page.text.find(foreign), std::string::npos) << foreign;
    for_each_operation(paths(), [&](const std::string& name, const bj::object& operation) {
        const std::string id(operation.at("operationId").as_string());
        EXPECT_NE(page.text.find("<details id=\"" + id + "\">"), std::string::npos) << name;
    });
    EXPECT_NE(page.text.find("href=\"/docs/style.css\""), std::string::npos);
    EXPECT_EQ(server_.call(Method::get, "/docs/style.css").header("Content-Type"), "text/css");
}

TEST_F(OpenApi, IsOpenAndNotSentTwice) {
    ApiServer locked("memory", {.gate = {.host_names = {}, .token = "0123456789abcdef"}});
    const Reply reply = locked.call(Method::get, "/openapi.json");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.header("Content-Type"), "application/json");
    const Reply again =
        locked.call(Method::get, "/openapi.json", "", {{"If-None-Match", reply.header("ETag")}});
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.text, "");
}

}  // namespace
}  // namespace holdfast::testing
