// Pages are bounded in bytes, and so are the responses that wait for slow readers.
#include <gtest/gtest.h>

#include <list>

#include "raw_client.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

constexpr std::size_t most_bytes = 6 * 1024 * 1024;  // a page, and the row that exceeds it

class LargePages : public DurableApi {
protected:
    static std::string large(char letter, std::size_t size = 900'000) {
        return R"({"text": ")" + std::string(size, letter) + "\"}";
    }
    // The items of all pages of a list; each page is small enough.
    std::size_t count_items(const std::string& target, const std::string& next,
                            const std::string& parameter) {
        std::size_t items = 0;
        std::string rest;
        for (int pages = 0; pages < 100; ++pages) {
            const Reply page = server_.call(Method::get, target + rest);
            EXPECT_EQ(page.status, 200) << page;
            EXPECT_LT(page.text.size(), most_bytes) << target;
            items += page.at("/items").as_array().size();
            const boost::json::value& cursor = page.at("/" + next);
            if (cursor.is_null()) return items;
            rest = "&" + parameter + "=" +
                   (cursor.is_string() ? std::string(cursor.get_string())
                                       : std::to_string(cursor.to_number<std::uint64_t>()));
        }
        ADD_FAILURE() << target << " does not end";
        return items;
    }
};

TEST_P(LargePages, AListHasNoStateUnlessItIsAsked) {
    server_.start_id(R"({"n": 1})");
    const Reply plain = server_.call(Method::get, workflows);
    EXPECT_FALSE(plain.at("/items/0").as_object().contains("state")) << plain;
    EXPECT_FALSE(plain.at("/items/0").as_object().contains("stateMetadata")) << plain;
    const Reply whole = server_.call(Method::get, workflows + "?include=state");
    EXPECT_EQ(whole.number_at("/items/0/state/n"), 1U);
    EXPECT_EQ(plain.at("/items/0/stateChecksum"), whole.at("/items/0/stateChecksum"));
    EXPECT_EQ(server_.call(Method::get, workflows + "?include=all").status, 400);
    const Reply filtered = server_.call(Method::get, workflows + "?contains=%7B%22n%22:1%7D");
    EXPECT_FALSE(filtered.at("/items/0").as_object().contains("state")) << filtered;
}

TEST_P(LargePages, WorkflowsWithStateComeInPagesOfBoundedSize) {
    for (int i = 0; i < 12; ++i) server_.start_id(large('a'));
    EXPECT_EQ(count_items(workflows + "?include=state&limit=500", "nextCursor", "cursor"), 12U);
    const Reply page = server_.call(Method::get, workflows + "?include=state&limit=500");
    EXPECT_TRUE(page.at("/partial").as_bool());
    EXPECT_EQ(server_.call(Method::get, workflows).at("/items").as_array().size(), 12U);
}

TEST_P(LargePages, HistoryComesInPagesOfBoundedSize) {
    const std::string id = server_.start_id(large('a'));
    for (int version = 1; version < 12; ++version)
        ASSERT_EQ(server_
                      .patch(id, "\"" + std::to_string(version) + "\"",
                             R"({"state": )" + large(version % 2 ? 'b' : 'c') + "}")
                      .status,
                  200);
    EXPECT_EQ(count_items(ApiServer::path_of(id) + "/history?limit=1000", "nextFrom", "from"), 12U);
}

TEST_P(LargePages, EventsComeInPagesOfBoundedSize) {
    const std::string id = server_.start_id();
    for (int i = 0; i < 12; ++i) {
        const Reply sent = server_.call(Method::post, ApiServer::path_of(id) + "/events/n",
                                        R"({"value": )" + large('a') + "}");
        ASSERT_LT(sent.status, 300) << sent;
    }
    EXPECT_EQ(count_items("/api/v1/pending-events?limit=500", "nextCursor", "cursor"), 12U);
}

TEST_P(LargePages, TasksComeInPagesOfBoundedSize) {
    const std::string id = server_.start_id();
    for (int i = 0; i < 24; ++i) {
        const Reply made =
            server_.call(Method::post, ApiServer::path_of(id) + "/tasks",
                         R"({"run": 1, "index": )" + std::to_string(i) +
                             R"(, "name": "t", "payload": )" + large('a', 240'000) + "}");
        ASSERT_EQ(made.status, 201) << made;
    }
    EXPECT_EQ(count_items("/api/v1/tasks?limit=500", "nextCursor", "cursor"), 24U);
}

INSTANTIATE_TEST_SUITE_P(Stores, LargePages, durable_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
