// Stale edits over HTTP: how each strategy resolves them, and that each is counted and recorded.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "base/threads/threads.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

class ConflictApi : public DurableApi {
protected:
    // Version 1 is {"a": 1, "b": 1}, version 2 {"a": 2, "b": 1}: an edit of version 1 is stale.
    std::string overtaken() {
        const std::string id = server_.start_id(R"({"a": 1, "b": 1})");
        EXPECT_EQ(server_.patch(id, "1", R"({"state": {"a": 2, "b": 1}})").status, 200);
        return id;
    }
    Reply late(const std::string& id, const std::string& strategy, const std::string& merge_patch,
               const std::string& base = "\"1\"") {
        return server_.call(Method::patch, ApiServer::path_of(id) + "/state?onConflict=" + strategy,
                            merge_patch,
                            {{"If-Match", base},
                             {"Content-Type", "application/merge-patch+json"},
                             {"X-User-Id", alice}});
    }
    // Exactly one row records the resolution, and the metric agrees.
    void expect_recorded(const std::string& id, const std::string& resolution,
                         const bj::value& paths) {
        const Reply rows = server_.call(Method::get, "/api/v1/conflicts?workflow=" + id);
        ASSERT_EQ(rows.at("/items").as_array().size(), 1u) << rows;
        EXPECT_EQ(rows.text_at("/items/0/instance"), id);
        EXPECT_EQ(rows.text_at("/items/0/user"), alice);
        EXPECT_EQ(rows.number_at("/items/0/actual"), 2u);
        EXPECT_EQ(rows.text_at("/items/0/resolution"), resolution);
        EXPECT_EQ(rows.at("/items/0/paths"), paths);
        EXPECT_EQ(metric(resolution), 1);
    }
    double metric(const std::string& resolution) {
        return server_.metric("holdfast_conflicts_total{resolution=\"" + resolution + "\"}");
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, ConflictApi, durable_stores(), store_name);

TEST_P(ConflictApi, RejectRefusesAndKeepsARow) {
    const std::string id = overtaken();
    const Reply refused = late(id, "reject", R"({"b": 3})");
    EXPECT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.text_at("/resolution"), "rejected");
    EXPECT_EQ(server_.get(id).number_at("/version"), 2u);
    expect_recorded(id, "rejected", {"/state/b"});
}

TEST_P(ConflictApi, ServerWinsWritesNothingAndShowsWhatIsThere) {
    const std::string id = overtaken();
    const Reply kept = late(id, "server-wins", R"({"b": 3})");
    ASSERT_EQ(kept.status, 200) << kept;
    EXPECT_EQ(kept.number_at("/version"), 2u);
    EXPECT_EQ(kept.at("/state"), json_of(R"({"a": 2, "b": 1})"));
    EXPECT_EQ(kept.text_at("/resolution"), "server-wins");
    EXPECT_EQ(kept.header("ETag"), "\"2\"");
    EXPECT_EQ(server_.get(id).number_at("/version"), 2u);
    expect_recorded(id, "server-wins", {"/state/b"});
}

TEST_P(ConflictApi, ClientWinsAppliesTheEditToTheCurrentState) {
    const std::string id = overtaken();
    const Reply edited = late(id, "client-wins", R"({"a": 3})");
    ASSERT_EQ(edited.status, 200) << edited;
    EXPECT_EQ(edited.number_at("/version"), 3u);
    EXPECT_EQ(edited.at("/state"), json_of(R"({"a": 3, "b": 1})"));
    EXPECT_EQ(edited.text_at("/resolution"), "client-wins");
    expect_recorded(id, "client-wins", {"/state/a"});
}

TEST_P(ConflictApi, MergeKeepsBothWhenTheyTouchDifferentPaths) {
    const std::string id = overtaken();
    const Reply merged = late(id, "merge", R"({"b": 3, "c": 4})");
    ASSERT_EQ(merged.status, 200) << merged;
    EXPECT_EQ(merged.number_at("/version"), 3u);
    EXPECT_EQ(merged.at("/state"), json_of(R"({"a": 2, "b": 3, "c": 4})"));
    EXPECT_EQ(merged.text_at("/resolution"), "merged");
    EXPECT_EQ(merged.header("ETag"), "\"3\"");
    expect_recorded(id, "merged", {"/state/b", "/state/c"});
}

TEST_P(ConflictApi, MergeComparesAReplacementWithItsBase) {
    const std::string id = overtaken();
    const Reply merged =
        server_.patch(id, "1", R"({"state": {"a": 1, "b": 9}})", "?onConflict=merge");
    ASSERT_EQ(merged.status, 200) << merged;
    EXPECT_EQ(merged.at("/state"), json_of(R"({"a": 2, "b": 9})"));
}

TEST_P(ConflictApi, MergeRefusesOverlappingPathsAndListsThem) {
    const std::string id = overtaken();
    const Reply refused = late(id, "merge", R"({"a": 3, "b": 3})");
    ASSERT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.text_at("/resolution"), "overlapping");
    EXPECT_EQ(refused.at("/paths"), json_of(R"(["/state/a"])"));
    EXPECT_EQ(refused.number_at("/currentVersion"), 2u);
    EXPECT_EQ(refused.at("/currentState"), json_of(R"({"a": 2, "b": 1})"));
    EXPECT_EQ(server_.get(id).number_at("/version"), 2u);
    expect_recorded(id, "overlapping", {"/state/a"});
}

TEST_P(ConflictApi, MergeRefusesABaseInTheFuture) {
    const std::string id = overtaken();
    const Reply refused = late(id, "merge", R"({"b": 3})", "\"3\"");
    ASSERT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.text_at("/resolution"), "base-missing");
    expect_recorded(id, "base-missing", {"/state/b"});
}

TEST_P(ConflictApi, MergeRefusesABaseThatHistoryNoLongerHolds) {
    const std::string id = overtaken();
    server_.tamper("delete from history where version = 1");
    const Reply refused = late(id, "merge", R"({"b": 3})");
    ASSERT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.text_at("/resolution"), "base-missing");
    EXPECT_EQ(server_.get(id).number_at("/version"), 2u);
    expect_recorded(id, "base-missing", {"/state/b"});
}

TEST_P(ConflictApi, MergeCoversMetadata) {
    const std::string id = server_.start_id(R"({"a": 1})");
    server_.patch(id, "1", R"({"stateMetadata": {"m": 1}})");
    const Reply merged = server_.patch(id, "1", R"({"state": {"a": 2}, "stateMetadata": {"k": 1}})",
                                       "?onConflict=merge");
    ASSERT_EQ(merged.status, 200) << merged;
    EXPECT_EQ(merged.at("/state"), json_of(R"({"a": 2})"));
    EXPECT_EQ(merged.at("/stateMetadata"), json_of(R"({"m": 1, "k": 1})"));
    const Reply refused =
        server_.patch(id, "1", R"({"stateMetadata": {"m": 2}})", "?onConflict=merge");
    EXPECT_EQ(refused.status, 409) << refused;
    EXPECT_EQ(refused.at("/paths"), json_of(R"(["/stateMetadata/m"])"));
}

TEST_P(ConflictApi, ACurrentVersionNeedsNoStrategy) {
    const std::string id = server_.start_id(R"({"a": 1})");
    std::uint64_t version = 1;
    for (const char* strategy : {"reject", "server-wins", "client-wins", "merge"}) {
        const Reply edited = late(id, strategy, R"({"b": 1})", std::to_string(version));
        EXPECT_EQ(edited.status, 200) << strategy << edited;
        EXPECT_EQ(edited.number_at("/version"), ++version);
        EXPECT_FALSE(edited.body.as_object().contains("resolution"));
    }
    const Reply rows = server_.call(Method::get, "/api/v1/conflicts");
    EXPECT_TRUE(rows.at("/items").as_array().empty());
}

TEST_P(ConflictApi, AnUnknownOrRepeatedStrategyIsRefused) {
    const std::string id = overtaken();
    EXPECT_EQ(late(id, "newest", R"({"b": 3})").status, 400);
    EXPECT_EQ(late(id, "", R"({"b": 3})").status, 400);
    EXPECT_EQ(late(id, "reject&onConflict=client-wins", R"({"b": 3})").status, 400);
    EXPECT_EQ(server_.get(id).number_at("/version"), 2u);
}

TEST_P(ConflictApi, AMergeThatFailsTheSchemaWritesNothing) {
    server_.call(Method::put, "/api/v1/definitions/order", R"({"schema": {"maxProperties": 3}})");
    const Reply started = server_.call(Method::post, "/api/v1/workflows",
                                       R"({"definition": "order", "state": {"a": 1, "b": 1}})");
    const std::string id = started.text_at("/id");
    server_.patch(id, "1", R"({"state": {"a": 1, "b": 1, "c": 1}})");
    const std::string before = fingerprint(server_);
    const Reply refused = late(id, "merge", R"({"d": 1})");
    EXPECT_EQ(refused.status, 422) << refused;
    EXPECT_EQ(fingerprint(server_), before);
}

// The responses that one thread of a race got.
struct Seen {
    std::vector<Reply> stale;
    std::size_t edited = 0;
};

TEST_P(ConflictApi, EveryStaleAnswerOfARaceIsACommittedVersionAndIsCounted) {
    const std::string id = server_.start_id(R"({"n": 0})");
    std::mutex mutex;
    Seen all;
    const auto race = [&](std::stop_token) {
        ApiClient client = server_.client();
        Seen seen;
        for (int i = 0; i < 12; ++i) {
            const Reply read = client.call(Method::get, ApiServer::path_of(id));
            const auto next = read.number_at("/version") + 1;
            Reply answer = client.call(Method::patch, ApiServer::path_of(id) + "/state",
                                       R"({"state": {"n": )" + std::to_string(next) + "}}",
                                       {{"If-Match", read.header("ETag")}});
            if (answer.status == 409)
                seen.stale.push_back(std::move(answer));
            else if (answer.status == 200)
                ++seen.edited;
        }
        const std::lock_guard lock(mutex);
        all.edited += seen.edited;
        std::ranges::move(seen.stale, std::back_inserter(all.stale));
    };
    {
        std::vector<std::jthread> racers;
        for (int i = 0; i < 8; ++i) racers.push_back(named_thread("racer", race));
    }
    EXPECT_EQ(all.edited + all.stale.size(), 8u * 12u);
    EXPECT_EQ(server_.get(id).number_at("/version"), 1 + all.edited);
    const Reply history = server_.call(Method::get, ApiServer::path_of(id) + "/history?limit=1000");
    for (const Reply& stale : all.stale) {
        const auto version = stale.number_at("/currentVersion");
        const bj::value& row = history.at("/items/" + std::to_string(version - 1));
        EXPECT_EQ(row.at("version").to_number<std::uint64_t>(), version);
        EXPECT_EQ(row.at("payload"), stale.at("/currentState"));
    }
    EXPECT_EQ(server_.conflicts("rejected"), all.stale.size());
    EXPECT_EQ(metric("rejected"), static_cast<double>(all.stale.size()));
}

TEST_P(ConflictApi, ConflictsAreListedNewestFirstAndByPage) {
    const std::string id = overtaken();
    for (const char* strategy : {"reject", "server-wins", "reject", "server-wins", "reject"})
        late(id, strategy, R"({"b": 3})");
    std::vector<std::string> ids;
    std::string cursor;
    for (int pages = 0; pages < 4; ++pages) {
        const Reply page =
            server_.call(Method::get, "/api/v1/conflicts?resolution=rejected&limit=1" + cursor);
        ASSERT_EQ(page.status, 200) << page;
        for (const bj::value& row : page.at("/items").as_array())
            ids.emplace_back(row.at("id").as_string());
        if (page.at("/nextCursor").is_null()) break;
        cursor = "&cursor=" + page.text_at("/nextCursor");
        const Reply other = server_.call(Method::get, "/api/v1/conflicts?limit=1" + cursor);
        EXPECT_EQ(other.status, 400) << other;
    }
    EXPECT_EQ(ids.size(), 3u);
    EXPECT_TRUE(std::ranges::is_sorted(ids, std::greater{}));
}

}  // namespace
}  // namespace holdfast::testing
