// History over HTTP: order, pages, and a hash chain that clients can recompute.
#include <gtest/gtest.h>

#include "base/json/canonical.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

std::string text_in(const bj::value& row, const char* member) {
    return std::string(row.at(member).as_string());
}

// A row as the API shows it.
HistoryRow row_of(const bj::value& shown) {
    HistoryRow row{.instance = *parse_id<InstanceId>(text_in(shown, "instance")),
                   .version = shown.at("version").to_number<Version>(),
                   .type = *parse_history_type(text_in(shown, "type")),
                   .payload = json::canonical(shown.at("payload")),
                   .at = *parse_iso8601(text_in(shown, "at")),
                   .hash = *parse_digest(text_in(shown, "hash"))};
    row.cause.operation = *parse_id<OperationId>(text_in(shown, "operation"));
    row.cause.correlation = text_in(shown, "correlation");
    if (!shown.at("user").is_null()) row.cause.caller.user = text_in(shown, "user");
    if (!shown.at("stateMetadata").is_null())
        row.state_metadata = json::canonical(shown.at("stateMetadata"));
    return row;
}

class HistoryApi : public DurableApi {
protected:
    Reply history(const std::string& id, const std::string& query = "") {
        return server_.call(Method::get, ApiServer::path_of(id) + "/history" + query);
    }
    // Started, then one version per edit: {"n": 2} is version 2.
    std::string edited(std::uint64_t versions) {
        const std::string id = server_.start_id(R"({"n": 1})");
        for (std::uint64_t version = 1; version < versions; ++version)
            server_.patch(id, std::to_string(version),
                          R"({"state": {"n": )" + std::to_string(version + 1) + "}}");
        return id;
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, HistoryApi, durable_stores(), store_name);

TEST_P(HistoryApi, EveryVersionHasItsRowInOrder) {
    const Reply page = history(edited(5));
    ASSERT_EQ(page.status, 200) << page;
    const bj::array& rows = page.at("/items").as_array();
    ASSERT_EQ(rows.size(), 5u);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].at("version").to_number<std::size_t>(), i + 1);
        EXPECT_EQ(text_in(rows[i], "type"), i == 0 ? "Started" : "StateChanged");
        EXPECT_EQ(rows[i].at("payload"), bj::value({{"n", i + 1}}));
    }
    EXPECT_TRUE(page.at("/nextFrom").is_null());
}

TEST_P(HistoryApi, PagesFollowOneAnotherByNextFrom) {
    const std::string id = edited(7);
    std::vector<std::uint64_t> versions;
    std::string query = "?limit=3";
    for (int pages = 0; pages < 4; ++pages) {
        const Reply page = history(id, query);
        ASSERT_EQ(page.status, 200) << page;
        EXPECT_LE(page.at("/items").as_array().size(), 3u);
        for (const bj::value& row : page.at("/items").as_array())
            versions.push_back(row.at("version").to_number<std::uint64_t>());
        if (page.at("/nextFrom").is_null()) break;
        query = "?limit=3&from=" + std::to_string(page.number_at("/nextFrom"));
    }
    EXPECT_EQ(versions, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7}));
}

TEST_P(HistoryApi, ItIsReadableFromAnyVersion) {
    const std::string id = edited(4);
    EXPECT_EQ(history(id, "?from=3").number_at("/items/0/version"), 3u);
    EXPECT_EQ(history(id, "?from=0").number_at("/items/0/version"), 1u);
    const Reply beyond = history(id, "?from=5");
    EXPECT_EQ(beyond.status, 200) << beyond;
    EXPECT_TRUE(beyond.at("/items").as_array().empty());
}

TEST_P(HistoryApi, TheHashChainVerifies) {
    const std::string id = server_.start_id(R"({"ü": [1.5, null], "a": "\n\u0001"})");
    server_.call(Method::patch, ApiServer::path_of(id) + "/state",
                 R"({"stateMetadata": {"by": "test"}})",
                 {{"If-Match", "1"}, {"X-User-Id", alice}, {"X-Correlation-Id", "c"}});
    server_.patch(id, "2", R"({"state": {"z": 1e2}})");
    server_.call(Method::post, ApiServer::path_of(id) + "/cancel", R"({"reason": "done"})");
    server_.call(Method::del, ApiServer::path_of(id), {}, {{"If-Match", "*"}});

    const Reply page = history(id);
    ASSERT_EQ(page.at("/items").as_array().size(), 5u) << page;
    Digest previous;
    for (const bj::value& shown : page.at("/items").as_array()) {
        const HistoryRow row = row_of(shown);
        EXPECT_EQ(to_hex(chain(previous, row)), to_hex(row.hash)) << bj::serialize(shown);
        previous = row.hash;
    }
}

TEST_P(HistoryApi, ATamperedRowBreaksTheChain) {
    const std::string id = edited(2);
    server_.tamper("update history set payload = '{\"n\":9}' where version = 2");
    const Reply page = history(id);
    const HistoryRow first = row_of(page.at("/items/0"));
    const HistoryRow second = row_of(page.at("/items/1"));
    EXPECT_EQ(chain(Digest{}, first), first.hash);
    EXPECT_NE(chain(first.hash, second), second.hash);
}

TEST_P(HistoryApi, MetadataAppearsWhereItChanged) {
    const std::string id = server_.start_id();
    server_.patch(id, "1", R"({"state": {"n": 1}})");
    server_.patch(id, "2", R"({"stateMetadata": {"m": 1}})");
    const Reply page = history(id);
    EXPECT_EQ(page.at("/items/0/stateMetadata"), json_of("{}"));
    EXPECT_TRUE(page.at("/items/1/stateMetadata").is_null());
    EXPECT_EQ(page.at("/items/2/stateMetadata"), json_of(R"({"m": 1})"));
    EXPECT_EQ(page.at("/items/2/payload"), json_of(R"({"n": 1})"));
}

}  // namespace
}  // namespace holdfast::testing
