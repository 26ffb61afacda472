// Definitions over HTTP: versions by content, schemas that states must satisfy.
#include <gtest/gtest.h>

#include "support/api_server.h"

namespace holdfast::testing {
namespace {

constexpr const char* path = "/api/v1/definitions/order";
constexpr const char* strict = R"({"schema": {"type": "object", "required": ["total"],
    "properties": {"total": {"type": "number"}, "lines": {"type": "array",
        "items": {"type": "object", "properties": {"count": {"minimum": 1}}}}}}})";

class DefinitionApi : public DurableApi {
protected:
    Reply put(const std::string& body, const Fields& headers = {}) {
        return server_.call(Method::put, path, body, headers);
    }
    Reply post(const std::string& state) {
        return server_.call(Method::post, "/api/v1/workflows",
                            R"({"definition": "order", "state": )" + state + "}");
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, DefinitionApi, durable_stores(), store_name);

TEST_P(DefinitionApi, TheFirstPutCreatesVersionOne) {
    const Reply created = put(R"({"schema": {"type": "object"}, "indexes": ["a.b", "step"]})",
                              {{"X-User-Id", alice}});
    ASSERT_EQ(created.status, 201) << created;
    EXPECT_EQ(created.text_at("/key"), "order");
    EXPECT_EQ(created.number_at("/version"), 1u);
    EXPECT_EQ(created.text_at("/createdBy"), alice);
    EXPECT_EQ(created.at("/schema"), json_of(R"({"type": "object"})"));
    EXPECT_EQ(created.text_at("/indexes/0/path"), "a.b");
    EXPECT_FALSE(created.at("/indexes/0/ready").as_bool());
    EXPECT_EQ(created.text_at("/indexes/1/path"), "step");
}

TEST_P(DefinitionApi, TheSameContentIsTheSameVersion) {
    put(R"({"schema": {"type": "object", "maxProperties": 100}})");
    const Reply same = put(R"({"schema": {"maxProperties": 1e2, "type": "object"}})");
    EXPECT_EQ(same.status, 200) << same;
    EXPECT_EQ(same.number_at("/version"), 1u);
}

TEST_P(DefinitionApi, OtherContentIsANewVersionAndInstancesStayOnTheirs) {
    put("{}");
    const std::string old = post(R"({"n": 1})").text_at("/id");
    const Reply second = put(strict);
    EXPECT_EQ(second.status, 201) << second;
    EXPECT_EQ(second.number_at("/version"), 2u);
    EXPECT_EQ(server_.get(old).number_at("/definitionVersion"), 1u);
    EXPECT_EQ(server_.patch(old, "1", R"({"state": {"n": 2}})").status, 200);
    EXPECT_EQ(post(R"({"n": 1})").status, 422);
    EXPECT_EQ(post(R"({"total": 1})").number_at("/definitionVersion"), 2u);
}

TEST_P(DefinitionApi, TheListHasTheNewestVersionOfEachKeyInPages) {
    for (const char* key : {"b", "a", "C", "b2"})
        server_.call(Method::put, std::string("/api/v1/definitions/") + key, "{}");
    server_.call(Method::put, "/api/v1/definitions/b", strict);
    const std::string list = "/api/v1/definitions?limit=3";
    const Reply first = server_.call(Method::get, list);
    ASSERT_EQ(first.status, 200) << first;
    EXPECT_EQ(first.text_at("/items/0/key"), "C");
    EXPECT_EQ(first.text_at("/items/2/key"), "b");
    EXPECT_EQ(first.number_at("/items/2/version"), 2u);
    EXPECT_EQ(first.text_at("/items/2/kind"), "outside");
    const Reply second =
        server_.call(Method::get, list + "&cursor=" + first.text_at("/nextCursor"));
    EXPECT_EQ(second.at("/items").as_array().size(), 1u) << second;
    EXPECT_EQ(second.text_at("/items/0/key"), "b2");
    EXPECT_TRUE(second.at("/nextCursor").is_null());
}

TEST_P(DefinitionApi, AVersionCanBeAskedFor) {
    put("{}");
    put(strict);
    const Reply first = server_.call(Method::get, std::string(path) + "?version=1");
    EXPECT_EQ(first.number_at("/version"), 1u) << first;
    EXPECT_TRUE(first.at("/schema").is_null());
    EXPECT_EQ(server_.call(Method::get, std::string(path) + "?version=3").status, 404);
    EXPECT_EQ(server_.call(Method::get, std::string(path) + "?version=0").status, 400);
    EXPECT_EQ(server_.call(Method::get, std::string(path) + "?version=1x").status, 400);
}

TEST_P(DefinitionApi, TheOldContentPutAgainIsANewVersion) {
    put("{}");
    put(strict);
    const Reply third = put("{}");
    EXPECT_EQ(third.status, 201) << third;
    EXPECT_EQ(third.number_at("/version"), 3u);
}

TEST_P(DefinitionApi, ADefinitionIsReadInItsNewestVersion) {
    EXPECT_EQ(server_.call(Method::get, path).status, 404);
    put("{}");
    put(strict);
    server_.restart();
    const Reply read = server_.call(Method::get, path);
    ASSERT_EQ(read.status, 200) << read;
    EXPECT_EQ(read.number_at("/version"), 2u);
    EXPECT_EQ(read.at("/schema"), json_of(strict).at("schema"));
}

TEST_P(DefinitionApi, ADeclaredIndexIsReadyOnceItIsBuilt) {
    put(R"({"indexes": ["agentContext.currentAgent", "step"]})");
    ASSERT_TRUE(server_.world.store->build_indexes({}).has_value());
    const Reply read = server_.call(Method::get, path);
    EXPECT_TRUE(read.at("/indexes/0/ready").as_bool()) << read;
    EXPECT_TRUE(read.at("/indexes/1/ready").as_bool()) << read;
}

TEST_P(DefinitionApi, AStateThatFailsTheSchemaIsRefusedWithItsPaths) {
    put(strict);
    const Reply refused = post(R"({"total": "much", "lines": [{"count": 2}, {"count": 0}]})");
    ASSERT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(refused.header("Content-Type"), "application/problem+json");
    EXPECT_EQ(refused.slug(), "invalid-state");
    std::vector<std::string> paths;
    for (const auto& violation : refused.at("/violations").as_array())
        paths.emplace_back(violation.at("path").as_string());
    EXPECT_EQ(paths, (std::vector<std::string>{"/lines/1/count", "/total"})) << refused;
    const Reply list = server_.call(Method::get, "/api/v1/workflows");
    EXPECT_TRUE(list.at("/items").as_array().empty());
}

TEST_P(DefinitionApi, AnEditThatFailsTheSchemaWritesNothing) {
    put(strict);
    const std::string id = post(R"({"total": 1})").text_at("/id");
    const std::string before = fingerprint(server_);
    const Reply refused = server_.patch(id, "1", R"({"state": {"lines": []}})");
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(refused.slug(), "invalid-state");
    EXPECT_EQ(fingerprint(server_), before);
    EXPECT_EQ(server_.get(id).at("/state"), json_of(R"({"total": 1})"));
}

TEST_P(DefinitionApi, AnInvalidSchemaIsRefused) {
    for (const char* schema : {R"({"type": "objekt"})", "7", R"({"$ref": "http://example.com/s"})",
                               R"({"pattern": "("})"}) {
        const Reply refused = put(std::string(R"({"schema": )") + schema + "}");
        EXPECT_EQ(refused.status, 400) << schema << refused;
    }
    EXPECT_EQ(server_.call(Method::get, path).status, 404);
}

}  // namespace
}  // namespace holdfast::testing
