// PATCH of a workflow's state: content types, If-Match, and refusals that change nothing.
#include <gtest/gtest.h>

#include "support/api_server.h"

namespace holdfast::testing {
namespace {

constexpr const char* merge_patch = "application/merge-patch+json";
constexpr const char* json_patch = "application/json-patch+json";

class StateApi : public DurableApi {
protected:
    Reply send(const std::string& id, const std::string& type, const std::string& body,
               const std::string& if_match = "*") {
        return server_.call(Method::patch, ApiServer::path_of(id) + "/state", body,
                            {{"If-Match", if_match}, {"Content-Type", type}});
    }
    // Sends with exactly these headers.
    Reply conditional(const std::string& id, const Fields& headers) {
        return server_.call(Method::patch, ApiServer::path_of(id) + "/state",
                            R"({"state": {"edited": true}})", headers);
    }
    // The refusal added neither a version nor a history row.
    void expect_untouched(const std::string& id, const std::string& state) {
        const Reply read = server_.get(id);
        EXPECT_EQ(read.number_at("/version"), 1u);
        EXPECT_EQ(read.at("/state"), json_of(state));
        const Reply history = server_.call(Method::get, ApiServer::path_of(id) + "/history");
        EXPECT_EQ(history.at("/items").as_array().size(), 1u);
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, StateApi, durable_stores(), store_name);

TEST_P(StateApi, AJsonBodyReplacesTheState) {
    const std::string id = server_.start_id(R"({"a": 1, "b": 2})");
    const Reply edited = server_.patch(id, "\"1\"", R"({"state": {"b": 3}})");
    ASSERT_EQ(edited.status, 200) << edited;
    EXPECT_EQ(edited.number_at("/version"), 2u);
    EXPECT_EQ(edited.at("/state"), json_of(R"({"b": 3})"));
    EXPECT_EQ(edited.header("ETag"), "\"2\"");
    EXPECT_FALSE(edited.body.as_object().contains("resolution"));
    EXPECT_EQ(server_.get(id).at("/state"), json_of(R"({"b": 3})"));
}

TEST_P(StateApi, StateAndMetadataChangeApartOrTogether) {
    const std::string id = server_.start_id(R"({"a": 1})");
    const Reply metadata = server_.patch(id, "1", R"({"stateMetadata": {"m": 1}})");
    EXPECT_EQ(metadata.at("/state"), json_of(R"({"a": 1})"));
    EXPECT_EQ(metadata.at("/stateMetadata"), json_of(R"({"m": 1})"));
    const Reply state = server_.patch(id, "2", R"({"state": {"a": 2}})");
    EXPECT_EQ(state.at("/stateMetadata"), json_of(R"({"m": 1})"));
    const Reply both = server_.patch(id, "3", R"({"state": {}, "stateMetadata": {}})");
    ASSERT_EQ(both.status, 200) << both;
    const Reply read = server_.get(id);
    EXPECT_EQ(read.at("/state"), json_of("{}"));
    EXPECT_EQ(read.at("/stateMetadata"), json_of("{}"));
    EXPECT_EQ(read.number_at("/version"), 4u);
}

TEST_P(StateApi, AMergePatchMergesAndNullRemoves) {
    const std::string id = server_.start_id(R"({"a": {"b": 1, "c": 2}, "d": 3})");
    const Reply edited = send(id, merge_patch, R"({"a": {"b": null, "e": [1]}, "f": "g"})");
    ASSERT_EQ(edited.status, 200) << edited;
    EXPECT_EQ(edited.at("/state"), json_of(R"({"a": {"c": 2, "e": [1]}, "d": 3, "f": "g"})"));
}

TEST_P(StateApi, AJsonPatchAppliesItsStepsInOrder) {
    const std::string id = server_.start_id(R"({"list": [1, 2], "old": "x"})");
    const Reply edited = send(id, json_patch, R"([
        {"op": "test", "path": "/list/0", "value": 1.0},
        {"op": "add", "path": "/list/-", "value": 3},
        {"op": "move", "from": "/old", "path": "/young"},
        {"op": "replace", "path": "/list/0", "value": 0}])");
    ASSERT_EQ(edited.status, 200) << edited;
    EXPECT_EQ(edited.at("/state"), json_of(R"({"list": [0, 2, 3], "young": "x"})"));
}

TEST_P(StateApi, ContentTypesCompareWithoutCaseAndParameters) {
    const std::string id = server_.start_id();
    EXPECT_EQ(send(id, "Application/Merge-Patch+JSON; charset=utf-8", "{}").status, 200);
    EXPECT_EQ(send(id, "application/json ;charset=utf-8", R"({"state": {}})").status, 200);
}

TEST_P(StateApi, AnotherContentTypeIsRefusedWithTheAcceptedOnes) {
    const std::string id = server_.start_id();
    for (const char* type : {"text/plain", "application/xml", "application/jsonx", ""}) {
        const Reply refused = send(id, type, R"({"state": {}})");
        EXPECT_EQ(refused.status, 415) << type << refused;
        EXPECT_EQ(refused.header("Accept-Patch"),
                  "application/json, application/merge-patch+json, application/json-patch+json");
        EXPECT_EQ(refused.header("Content-Type"), "application/problem+json");
    }
    expect_untouched(id, "{}");
}

TEST_P(StateApi, TheCurrentVersionIsAcceptedQuotedBareOrAsAStar) {
    const std::string id = server_.start_id();
    EXPECT_EQ(conditional(id, {{"If-Match", "\"1\""}}).number_at("/version"), 2u);
    EXPECT_EQ(conditional(id, {{"If-Match", "2"}}).number_at("/version"), 3u);
    EXPECT_EQ(conditional(id, {{"If-Match", "*"}}).number_at("/version"), 4u);
    EXPECT_EQ(conditional(id, {{"If-Match", "  \"4\" "}}).number_at("/version"), 5u);
}

TEST_P(StateApi, AnIfMatchThatIsNoVersionIsRefused) {
    const std::string id = server_.start_id();
    for (const char* wrong : {"W/\"1\"",
                              "w/\"1\"",
                              "\"1\", \"2\"",
                              "1,2",
                              "\"1",
                              "1\"",
                              "\"\"",
                              "",
                              "01",
                              "\"01\"",
                              "-1",
                              "+1",
                              "1.0",
                              "0x1",
                              "abc",
                              "\"*\"",
                              "**",
                              "'1'",
                              "1 2",
                              "18446744073709551615",
                              "18446744073709551616",
                              "99999999999999999999999999",
                              "9223372036854775808"}) {
        const Reply refused = conditional(id, {{"If-Match", wrong}});
        EXPECT_EQ(refused.status, 400) << wrong << ' ' << refused;
        EXPECT_EQ(refused.header("Content-Type"), "application/problem+json");
    }
    expect_untouched(id, "{}");
}

TEST_P(StateApi, AnIfMatchMustBeThereOnce) {
    const std::string id = server_.start_id();
    EXPECT_EQ(conditional(id, {}).status, 400);
    EXPECT_EQ(conditional(id, {{"If-Match", "\"1\""}, {"If-Match", "\"1\""}}).status, 400);
    expect_untouched(id, "{}");
}

TEST_P(StateApi, AVersionThatCannotBeYetIsStale) {
    const std::string id = server_.start_id();
    for (const char* version : {"0", "2", "9223372036854775807"})
        EXPECT_EQ(conditional(id, {{"If-Match", version}}).status, 409) << version;
    expect_untouched(id, "{}");
    EXPECT_EQ(server_.conflicts("rejected"), 3u);
}

TEST_P(StateApi, AStaleEditGetsTheCurrentState) {
    const std::string id = server_.start_id(R"({"n": 1})");
    server_.patch(id, "1", R"({"state": {"n": 2}, "stateMetadata": {"m": 2}})");
    const Reply stale = server_.patch(id, "1", R"({"state": {"n": 3}})");
    ASSERT_EQ(stale.status, 409) << stale;
    EXPECT_EQ(stale.header("Content-Type"), "application/problem+json");
    EXPECT_EQ(stale.slug(), "stale-version");
    EXPECT_EQ(stale.number_at("/status"), 409u);
    EXPECT_EQ(stale.number_at("/currentVersion"), 2u);
    EXPECT_EQ(stale.at("/currentState"), json_of(R"({"n": 2})"));
    EXPECT_EQ(stale.at("/currentStateMetadata"), json_of(R"({"m": 2})"));
    EXPECT_FALSE(stale.text_at("/error").empty());
    EXPECT_FALSE(stale.text_at("/message").empty());
    EXPECT_EQ(stale.text_at("/resolution"), "rejected");
    EXPECT_EQ(stale.header("ETag"), "\"2\"");
    EXPECT_EQ(server_.get(id).at("/state"), json_of(R"({"n": 2})"));
}

TEST_P(StateApi, AnEditOfWhatIsNotThereIsNotFound) {
    server_.start();
    for (const char* match : {"*", "\"1\""}) {
        const Reply missing = server_.patch(nobody, match, R"({"state": {}})");
        EXPECT_EQ(missing.status, 404) << missing;
        EXPECT_EQ(missing.header("Content-Type"), "application/problem+json");
    }
    EXPECT_EQ(server_.conflicts("rejected"), 0u);
}

TEST_P(StateApi, AnEndedWorkflowIsNotEdited) {
    const std::string id = server_.start_id(R"({"n": 1})");
    server_.call(Method::post, ApiServer::path_of(id) + "/cancel");
    for (const char* match : {"*", "\"2\"", "\"1\""}) {
        const Reply ended = server_.patch(id, match, R"({"state": {"n": 2}})");
        EXPECT_EQ(ended.status, 409) << ended;
        EXPECT_EQ(ended.slug(), "ended");
        EXPECT_EQ(ended.text_at("/workflowStatus"), "cancelled");
        EXPECT_EQ(ended.header("ETag"), "\"2\"");
    }
    EXPECT_EQ(server_.get(id).at("/state"), json_of(R"({"n": 1})"));
}

TEST_P(StateApi, AFailedTestOfAJsonPatchIsAConflict) {
    const std::string id = server_.start_id(R"({"n": 1})");
    const Reply refused = send(id, json_patch, R"([{"op": "replace", "path": "/n", "value": 2},
                                 {"op": "test", "path": "/n", "value": 1}])");
    ASSERT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.slug(), "patch-test-failed");
    EXPECT_EQ(refused.number_at("/step"), 1u);
    EXPECT_EQ(refused.number_at("/currentVersion"), 1u);
    EXPECT_EQ(refused.at("/currentState"), json_of(R"({"n": 1})"));
    EXPECT_EQ(refused.header("ETag"), "\"1\"");
    expect_untouched(id, R"({"n": 1})");
}

TEST_P(StateApi, AJsonPatchThatDoesNotFitIsRefused) {
    const std::string id = server_.start_id(R"({"list": [1]})");
    for (const char* patch : {R"([{"op": "remove", "path": "/missing"}])",
                              R"([{"op": "replace", "path": "/missing", "value": 1}])",
                              R"([{"op": "add", "path": "/list/9", "value": 1}])",
                              R"([{"op": "add", "path": "/list/01", "value": 1}])",
                              R"([{"op": "move", "from": "/list", "path": "/list/0"}])",
                              R"([{"op": "copy", "from": "/nothing", "path": "/b"}])",
                              R"([{"op": "add", "path": "/a/b/c", "value": 1}])"}) {
        const Reply refused = send(id, json_patch, patch);
        EXPECT_EQ(refused.status, 422) << patch << refused;
        EXPECT_EQ(refused.slug(), "patch-not-applicable");
    }
    expect_untouched(id, R"({"list": [1]})");
}

TEST_P(StateApi, AResultThatIsNoObjectIsRefused) {
    const std::string id = server_.start_id(R"({"n": 1})");
    for (const auto& [type, body] : {std::pair{merge_patch, "[1]"},
                                     {merge_patch, "7"},
                                     {merge_patch, "null"},
                                     {json_patch, R"([{"op": "replace", "path": "", "value": 1}])"},
                                     {json_patch, R"([{"op": "remove", "path": ""}])"}}) {
        const Reply refused = send(id, type, body);
        EXPECT_EQ(refused.status, 422) << body << ' ' << refused;
        EXPECT_EQ(refused.header("Content-Type"), "application/problem+json");
    }
    expect_untouched(id, R"({"n": 1})");
}

TEST_P(StateApi, AStateGrowsToOneMebibyteAndNoFurther) {
    const std::string id = server_.start_id();
    const std::string half(500'000, 'x');
    EXPECT_EQ(send(id, merge_patch, R"({"a": ")" + half + "\"}").status, 200);
    EXPECT_EQ(send(id, merge_patch, R"({"b": ")" + half + "\"}").status, 200);
    const Reply refused = send(id, merge_patch, R"({"c": ")" + half + "\"}");
    EXPECT_EQ(refused.status, 422) << refused.status;
    EXPECT_EQ(server_.get(id).number_at("/version"), 3u);
}

TEST_P(StateApi, AnEditRemembersWhoAndWhen) {
    const std::string id = server_.start_id();
    const Reply edited =
        server_.call(Method::patch, ApiServer::path_of(id) + "/state", R"({"state": {"n": 1}})",
                     {{"If-Match", "1"}, {"X-User-Id", alice}});
    const Reply read = server_.get(id);
    EXPECT_EQ(read.text_at("/lastModifiedBy"), alice);
    EXPECT_EQ(read.text_at("/lastModifiedAt"), edited.text_at("/lastModifiedAt"));
    EXPECT_GE(read.text_at("/lastModifiedAt"), read.text_at("/createdAt"));
    const Reply history = server_.call(Method::get, ApiServer::path_of(id) + "/history");
    EXPECT_EQ(history.text_at("/items/1/at"), edited.text_at("/lastModifiedAt"));
}

TEST_P(StateApi, AnEditThatChangesNothingIsStillAVersion) {
    const std::string id = server_.start_id(R"({"n": 1})");
    EXPECT_EQ(server_.patch(id, "1", R"({"state": {"n": 1}})").number_at("/version"), 2u);
    EXPECT_EQ(send(id, merge_patch, "{}", "2").number_at("/version"), 3u);
    EXPECT_EQ(send(id, json_patch, "[]", "3").number_at("/version"), 4u);
}

}  // namespace
}  // namespace holdfast::testing
