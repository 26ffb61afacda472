// Checkpoints over HTTP: create, list, restore in place, fork.
#include <gtest/gtest.h>

#include "base/json/canonical.h"
#include "program/flow.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

class CheckpointApi : public DurableApi {
protected:
    static std::string route(const std::string& id) {
        return ApiServer::path_of(id) + "/checkpoints";
    }
    Reply create(const std::string& id, const std::string& name, const Fields& headers = {}) {
        return server_.call(Method::post, route(id), R"({"name": ")" + name + "\"}", headers);
    }
    Reply list(const std::string& id, const std::string& query = "") {
        return server_.call(Method::get, route(id) + query);
    }
    Reply restore(const std::string& id, const std::string& name, const Fields& headers = {}) {
        return server_.call(Method::post, route(id) + "/" + name + "/restore", {}, headers);
    }
    Reply fork(const std::string& id, const std::string& name, const std::string& body = {},
               const Fields& headers = {}) {
        return server_.call(Method::post, route(id) + "/" + name + "/fork", body, headers);
    }
    // Version 2, {"n": 1} with {"m": 1}, is kept as "good"; version 3 is {"n": 2} with {"m": 2}.
    std::string kept_and_edited() {
        const std::string id = server_.start_id(R"({"n": 0})");
        server_.patch(id, "1", R"({"state": {"n": 1}, "stateMetadata": {"m": 1}})");
        EXPECT_EQ(create(id, "good").status, 201);
        server_.patch(id, "2", R"({"state": {"n": 2}, "stateMetadata": {"m": 2}})");
        return id;
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, CheckpointApi, durable_stores(), store_name);

TEST_P(CheckpointApi, ACheckpointIsACopyOfTheCurrentVersion) {
    const std::string id = server_.start_id(R"({"n": 1})");
    const Reply made = create(id, "before.release-1", {{"X-User-Id", alice}});
    ASSERT_EQ(made.status, 201) << made;
    EXPECT_EQ(made.header("Location"), route(id) + "/before.release-1");
    EXPECT_EQ(made.text_at("/instance"), id);
    EXPECT_EQ(made.text_at("/name"), "before.release-1");
    EXPECT_EQ(made.number_at("/version"), 1u);
    EXPECT_EQ(made.at("/state"), json_of(R"({"n": 1})"));
    EXPECT_EQ(made.at("/stateMetadata"), json_of("{}"));
    EXPECT_EQ(made.text_at("/createdBy"), alice);
}

TEST_P(CheckpointApi, ACheckpointLeavesTheVersionAlone) {
    const std::string id = server_.start_id();
    create(id, "c");
    EXPECT_EQ(server_.get(id).at("/version"), 1);
    EXPECT_EQ(server_.patch(id, "\"1\"", R"({"state": {"n": 1}})").status, 200);
}

TEST_P(CheckpointApi, TheLastCheckpointIsPartOfTheWorkflow) {
    const std::string id = server_.start_id();
    EXPECT_TRUE(server_.get(id).at("/lastCheckpoint").is_null());
    create(id, "one");
    server_.patch(id, "1", R"({"state": {"n": 1}})");
    const Reply made = create(id, "two");
    server_.restart();
    const Reply read = server_.get(id);
    EXPECT_EQ(read.text_at("/lastCheckpoint/name"), "two");
    EXPECT_EQ(read.number_at("/lastCheckpoint/version"), 2u);
    EXPECT_EQ(read.text_at("/lastCheckpoint/at"), made.text_at("/createdAt"));
}

TEST_P(CheckpointApi, ATakenNameIsAConflict) {
    const std::string id = server_.start_id(R"({"n": 1})");
    create(id, "c");
    server_.patch(id, "1", R"({"state": {"n": 2}})");
    const Reply taken = create(id, "c");
    EXPECT_EQ(taken.status, 409) << taken;
    EXPECT_EQ(taken.slug(), "checkpoint-exists");
    EXPECT_EQ(taken.number_at("/checkpointVersion"), 1u);
    EXPECT_EQ(list(id, "?include=state").at("/items/0/state"), json_of(R"({"n": 1})"));
    EXPECT_EQ(create(server_.start_id(), "c").status, 201) << "names belong to their workflow";
}

TEST_P(CheckpointApi, ABadNameIsRefused) {
    const std::string id = server_.start_id();
    for (const std::string& name : {std::string(), std::string("a b"), std::string("a/b"),
                                    std::string("ü"), std::string("'; --"), std::string(129, 'a')})
        EXPECT_EQ(create(id, name).status, 400) << name;
    EXPECT_EQ(server_.call(Method::post, route(id), R"({"name": 7})").status, 400);
    EXPECT_EQ(server_.call(Method::post, route(id), "{}").status, 400);
    EXPECT_TRUE(list(id).at("/items").as_array().empty());
    EXPECT_EQ(create(id, std::string(128, 'a')).status, 201);
}

TEST_P(CheckpointApi, ACheckpointUnderAStaleVersionIsRefused) {
    const std::string id = server_.start_id();
    server_.patch(id, "1", R"({"state": {"n": 1}})");
    EXPECT_EQ(create(id, "c", {{"If-Match", "\"1\""}}).slug(), "stale-version");
    EXPECT_EQ(create(id, "c", {{"If-Match", "\"2\""}}).status, 201);
}

TEST_P(CheckpointApi, CheckpointsAreListedWithTheirVersions) {
    const std::string id = kept_and_edited();
    create(id, "later");
    const Reply all = list(id);
    ASSERT_EQ(all.status, 200) << all;
    std::map<std::string, std::uint64_t> versions;
    for (const bj::value& item : all.at("/items").as_array())
        versions[std::string(item.at("name").as_string())] =
            item.at("version").to_number<std::uint64_t>();
    EXPECT_EQ(versions, (std::map<std::string, std::uint64_t>{{"good", 2}, {"later", 3}}));
    EXPECT_EQ(list(nobody).status, 404);
}

TEST_P(CheckpointApi, AListHasStatesOnlyIfAskedAndPagesOfBoundedSize) {
    const std::string id = server_.start_id(R"({"text": ")" + std::string(900'000, 'a') + "\"}");
    for (int i = 1; i <= 6; ++i) EXPECT_EQ(create(id, "c" + std::to_string(i)).status, 201);
    const Reply rows = list(id);
    EXPECT_EQ(rows.at("/items").as_array().size(), 6u);
    EXPECT_FALSE(rows.at("/items/0").as_object().contains("state"));
    EXPECT_TRUE(rows.at("/nextCursor").is_null());
    std::string names;
    std::size_t pages = 0;
    for (std::string cursor = ""; pages < 10;) {
        const Reply page = list(id, "?include=state" + cursor);
        EXPECT_EQ(page.status, 200) << page.status;
        EXPECT_LT(page.text.size(), 5u << 20);
        ++pages;
        for (const bj::value& item : page.at("/items").as_array()) {
            EXPECT_GT(bj::serialize(item.at("state")).size(), 900'000u);
            names += item.at("name").as_string();
        }
        if (page.at("/nextCursor").is_null()) break;
        cursor = "&cursor=" + page.text_at("/nextCursor");
    }
    EXPECT_EQ(names, "c1c2c3c4c5c6");
    EXPECT_EQ(pages, 2u);
    const Reply two = list(id, "?limit=2");
    EXPECT_EQ(two.at("/items").as_array().size(), 2u);
    const Reply next = list(id, "?limit=2&cursor=" + two.text_at("/nextCursor"));
    EXPECT_EQ(next.text_at("/items/0/name"), "c3");
    EXPECT_EQ(list(server_.start_id(), "?cursor=" + two.text_at("/nextCursor")).status, 400);
    EXPECT_EQ(list(id, "?include=x").status, 400);
}

TEST_P(CheckpointApi, ARestoreIsANewVersionWithStateAndMetadataOfTheCheckpoint) {
    const std::string id = kept_and_edited();
    const Reply restored = restore(id, "good", {{"X-User-Id", alice}});
    ASSERT_EQ(restored.status, 200) << restored;
    EXPECT_EQ(restored.number_at("/version"), 4u);
    EXPECT_EQ(restored.header("ETag"), "\"4\"");
    EXPECT_EQ(restored.at("/state"), json_of(R"({"n": 1})"));
    const Reply read = server_.get(id);
    EXPECT_EQ(read.number_at("/version"), 4u);
    EXPECT_EQ(read.at("/state"), json_of(R"({"n": 1})"));
    EXPECT_EQ(read.at("/stateMetadata"), json_of(R"({"m": 1})"));
    EXPECT_EQ(read.text_at("/lastModifiedBy"), alice);
    const Reply history = server_.call(Method::get, ApiServer::path_of(id) + "/history?from=4");
    EXPECT_EQ(history.text_at("/items/0/type"), "Restored");
    EXPECT_EQ(history.at("/items/0/payload"), json_of(R"({"n": 1})"));
}

TEST_P(CheckpointApi, ARestoreKeepsWhatWasThereAsASafetyCheckpoint) {
    const std::string id = kept_and_edited();
    const std::string safety = restore(id, "good").text_at("/safetyCheckpoint");
    const Reply undone = restore(id, safety);
    ASSERT_EQ(undone.status, 200) << undone;
    EXPECT_EQ(undone.number_at("/version"), 5u);
    EXPECT_EQ(undone.at("/state"), json_of(R"({"n": 2})"));
    EXPECT_EQ(undone.at("/stateMetadata"), json_of(R"({"m": 2})"));
    EXPECT_NE(undone.text_at("/safetyCheckpoint"), safety);
}

TEST_P(CheckpointApi, TheNamesOfSafetyCheckpointsAreReserved) {
    const std::string id = kept_and_edited();
    EXPECT_EQ(create(id, "before-restore-3").status, 400);
    EXPECT_EQ(restore(id, "good").text_at("/safetyCheckpoint"), "before-restore-3");
}

TEST_P(CheckpointApi, ARestoreUnderAStaleVersionIsRefused) {
    const std::string id = kept_and_edited();
    const Reply stale = restore(id, "good", {{"If-Match", "\"2\""}});
    EXPECT_EQ(stale.status, 409) << stale;
    EXPECT_EQ(stale.number_at("/currentVersion"), 3u);
    EXPECT_EQ(list(id).at("/items").as_array().size(), 1u);
    EXPECT_EQ(restore(id, "good", {{"If-Match", "\"3\""}}).status, 200);
}

TEST_P(CheckpointApi, AnEndedWorkflowIsNotRestored) {
    const std::string id = kept_and_edited();
    server_.call(Method::post, ApiServer::path_of(id) + "/cancel");
    const Reply ended = restore(id, "good");
    EXPECT_EQ(ended.status, 409) << ended;
    EXPECT_EQ(ended.slug(), "ended");
}

TEST_P(CheckpointApi, AForkStartsANewWorkflowAndLeavesItsSourceAlone) {
    const std::string id = kept_and_edited();
    const std::string before = server_.get(id).text;
    const Reply forked = fork(id, "good", R"({"businessKey": "copy"})", {{"X-User-Id", alice}});
    ASSERT_EQ(forked.status, 201) << forked;
    const std::string copy = forked.text_at("/id");
    EXPECT_NE(copy, id);
    EXPECT_EQ(forked.header("Location"), ApiServer::path_of(copy));
    EXPECT_EQ(forked.header("ETag"), "\"1\"");
    EXPECT_EQ(server_.get(id).text, before);

    const Reply read = server_.get(copy);
    EXPECT_EQ(json::canonical(read.body), json::canonical(forked.body));
    EXPECT_EQ(read.at("/state"), json_of(R"({"n": 1})"));
    EXPECT_EQ(read.at("/stateMetadata"), json_of(R"({"m": 1})"));
    EXPECT_EQ(read.text_at("/businessReference/key"), "copy");
    EXPECT_EQ(read.text_at("/startedBy"), alice);
    const Reply history = server_.call(Method::get, ApiServer::path_of(copy) + "/history");
    EXPECT_EQ(history.text_at("/items/0/type"), "Forked");
}

TEST_P(CheckpointApi, AnEndedWorkflowCanBeForked) {
    const std::string id = kept_and_edited();
    server_.call(Method::post, ApiServer::path_of(id) + "/cancel");
    const Reply forked = fork(id, "good");
    ASSERT_EQ(forked.status, 201) << forked;
    EXPECT_EQ(server_.get(forked.text_at("/id")).text_at("/status"), "running");
}

TEST_P(CheckpointApi, AWorkflowThatAFlowRunsIsNotForked) {
    server_.world.run(op::Define{.cause = server_.world.cause(),
                                 .key = "checkout",
                                 .kind = "flow",
                                 .program = flow_program()});
    const std::string id =
        server_.call(Method::post, "/api/v1/workflows", R"({"definition": "checkout"})")
            .text_at("/id");
    EXPECT_EQ(create(id, "good").status, 201);
    const Reply refused = fork(id, "good");
    EXPECT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.slug(), "runs-a-flow");
    EXPECT_EQ(restore(id, "good").status, 200) << "in place it keeps its journal";
}

TEST_P(CheckpointApi, ARepeatWithItsKeyGetsTheFirstAnswer) {
    const std::string id = kept_and_edited();
    const Reply created = create(id, "c", {{"Idempotency-Key", "create"}});
    const Reply forked = fork(id, "good", {}, {{"Idempotency-Key", "fork"}});
    const Reply restored = restore(id, "good", {{"Idempotency-Key", "restore"}});
    const std::string after = server_.get(id).text;
    server_.restart();
    EXPECT_EQ(create(id, "c", {{"Idempotency-Key", "create"}}).text, created.text);
    EXPECT_EQ(fork(id, "good", {}, {{"Idempotency-Key", "fork"}}).text, forked.text);
    EXPECT_EQ(restore(id, "good", {{"Idempotency-Key", "restore"}}).text, restored.text);
    EXPECT_EQ(server_.get(id).text, after);
    EXPECT_EQ(create(id, "d", {{"Idempotency-Key", "create"}}).status, 422);
}

TEST_P(CheckpointApi, AnUnknownCheckpointIsNotFound) {
    const std::string id = kept_and_edited();
    for (const Reply& missing : {restore(id, "bad"), fork(id, "bad")}) {
        EXPECT_EQ(missing.status, 404) << missing;
        EXPECT_EQ(missing.slug(), "no-such-checkpoint");
    }
    for (const Reply& missing : {create(nobody, "c"), restore(nobody, "c"), fork(nobody, "c")})
        EXPECT_EQ(missing.status, 404) << missing;
}

TEST_P(CheckpointApi, CheckpointsGoWithTheirWorkflow) {
    const std::string id = kept_and_edited();
    server_.call(Method::del, ApiServer::path_of(id), {}, {{"If-Match", "*"}});
    EXPECT_EQ(restore(id, "good").status, 404);
    EXPECT_EQ(server_.query_closed("select count(*) from checkpoints"), "0");
}

}  // namespace
}  // namespace holdfast::testing
