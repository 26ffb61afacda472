// The workflow list: filters alone and together, cursors, and pages under concurrent inserts.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <map>
#include <set>

#include "base/threads/threads.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

std::string encoded(const std::string& text) {
    constexpr const char* digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte))
            out += c;
        else
            out += {'%', digits[byte >> 4], digits[byte & 15]};
    }
    return out;
}

class ListApi : public DurableApi {
protected:
    Reply list(const std::string& query) {
        return server_.call(Method::get, "/api/v1/workflows?" + query);
    }

    // Starts a workflow under a name for `found`.
    void add(const std::string& name, const std::string& body) {
        const Reply started = server_.call(Method::post, "/api/v1/workflows", body);
        ASSERT_EQ(started.status, 201) << started;
        names_[started.text_at("/id")] = name;
        created_[name] = started.text_at("/createdAt");
    }

    void add_four() {
        for (const char* key : {"order", "claim"})
            server_.call(Method::put, std::string("/api/v1/definitions/") + key, "{}");
        add("a", R"({"definition": "order",
            "businessReference": {"key": "k1", "parts": {"region": "eu", "year": "2026"}},
            "state": {"currentStep": "review", "agentContext": {"currentAgent": "pm"},
                      "tags": ["x", "y"], "n": 1, "flag": true, "note": "it's 100% \"ü\""},
            "stateMetadata": {"source": "web", "labels": ["hot"]}})");
        add("b", R"({"definition": "order",
            "businessReference": {"key": "k2", "parts": {"region": "us", "year": "2026"}},
            "state": {"currentStep": "review", "agentContext": {"currentAgent": "dev"},
                      "n": 1.5, "flag": false, "none": null},
            "stateMetadata": {"source": "api"}})");
        add("c", R"({"definition": "claim",
            "businessReference": {"key": "k1", "parts": {"region": "eu"}},
            "state": {"currentStep": "done", "n": "1"}})");
        add("d", R"({"definition": "order"})");
        for (const auto& [id, name] : names_)
            if (name == "c") server_.call(Method::post, ApiServer::path_of(id) + "/cancel");
    }

    // The names of the workflows that a query finds, in order.
    std::string found(const std::string& query) {
        const Reply page = list(query);
        EXPECT_EQ(page.status, 200) << query << page;
        std::string text;
        for (const bj::value& item : page.at("/items").as_array())
            text += names_[std::string(item.at("id").as_string())];
        return text;
    }

    // All ids of a listing, page by page.
    std::vector<std::string> walk(const std::string& query) {
        std::vector<std::string> ids;
        std::string cursor;
        for (;;) {
            const Reply page = list(query + cursor);
            if (page.status != 200) {
                ADD_FAILURE() << page;
                return ids;
            }
            for (const bj::value& item : page.at("/items").as_array())
                ids.emplace_back(item.at("id").as_string());
            if (page.at("/nextCursor").is_null()) return ids;
            cursor = "&cursor=" + page.text_at("/nextCursor");
        }
    }

    std::map<std::string, std::string> names_;
    std::map<std::string, std::string> created_;
};

INSTANTIATE_TEST_SUITE_P(Stores, ListApi, all_stores(), store_name);

TEST_P(ListApi, EachFilterFindsItsOwnNewestFirst) {
    add_four();
    const std::pair<std::string, std::string> expected[] = {
        {"", "dcba"},
        {"status=running", "dba"},
        {"status=cancelled", "c"},
        {"status=suspended", ""},
        {"status=open", "dba"},
        {"status=open,cancelled", "dcba"},
        {"status=succeeded,failed,cancelled", "c"},
        {"definition=order", "dba"},
        {"definition=claim", "c"},
        {"definition=nothing", ""},
        {"businessKey=k1", "ca"},
        {"businessKey=k", ""},
        {"businessPart.region=eu", "ca"},
        {"businessPart.region=EU", ""},
        {"businessPart.region=eu&businessPart.year=2026", "a"},
        {"createdFrom=" + created_["b"], "dcb"},
        {"createdBefore=" + created_["b"], "a"},
        {"createdFrom=" + created_["b"] + "&createdBefore=" + created_["d"], "cb"},
        {"order=oldest", "abcd"},
        {"order=newest", "dcba"},
        {"order=oldest&definition=order", "abd"},
        {"only=paused", ""},
        {"only=stuck,retrying", ""},
        {"startedBy=nobody", ""},
        {"updatedFrom=" + created_["d"], "dc"},  // c was cancelled last
        {"updatedBefore=" + created_["b"], "a"},
        {"waitsFor=paid", ""},
    };
    for (const auto& [query, names] : expected) EXPECT_EQ(found(query), names) << query;
}

TEST_P(ListApi, ContainmentFollowsObjectsAndTreatsArraysAsSets) {
    add_four();
    const std::pair<std::string, std::string> expected[] = {
        {R"({})", "dcba"},
        {R"({"currentStep": "review"})", "ba"},
        {R"({"agentContext": {"currentAgent": "pm"}})", "a"},
        {R"({"agentContext": {}})", "ba"},
        {R"({"tags": ["y"]})", "a"},
        {R"({"tags": ["y", "x", "y"]})", "a"},
        {R"({"tags": ["z"]})", ""},
        {R"({"n": 1})", "a"},
        {R"({"n": 1.0})", "a"},
        {R"({"n": "1"})", "c"},
        {R"({"none": null})", "b"},
        {R"({"flag": false})", "b"},
        {R"({"note": "it's 100% \"ü\""})", "a"},
        {R"([])", ""},
        {R"(1)", ""},
    };
    for (const auto& [part, names] : expected)
        EXPECT_EQ(found("contains=" + encoded(part)), names) << part;
}

TEST_P(ListApi, MetadataIsSearchedOnItsOwn) {
    add_four();
    EXPECT_EQ(found("metaContains=" + encoded(R"({"source": "web"})")), "a");
    EXPECT_EQ(found("metaContains=" + encoded(R"({"labels": ["hot"]})")), "a");
    EXPECT_EQ(found("contains=" + encoded(R"({"source": "web"})")), "");
}

TEST_P(ListApi, PathsCompareAsText) {
    add_four();
    const std::pair<std::string, std::string> expected[] = {
        {"path.currentStep=review", "ba"},
        {"path.agentContext.currentAgent=pm", "a"},
        {"path.n=1", "ca"},
        {"path.n=1.5", "b"},
        {"path.n=1.0", ""},
        {"path.flag=true", "a"},
        {"path.tags.0=x", "a"},
        {"path.tags.-1=y", "a"},
        {"path.none=null", ""},
        {"path.none=", ""},
        {"path.agentContext=%7B%7D", ""},
        {"path.missing=x", ""},
        {"path.note=" + encoded("it's 100% \"ü\""), "a"},
    };
    for (const auto& [query, names] : expected) EXPECT_EQ(found(query), names) << query;
}

TEST_P(ListApi, FiltersCombine) {
    add_four();
    const std::pair<std::string, std::string> expected[] = {
        {"businessKey=k1&status=open", "a"},
        {"businessKey=k1&definition=order", "a"},
        {"businessPart.region=eu&definition=claim", "c"},
        {"path.currentStep=review&path.agentContext.currentAgent=dev", "b"},
        {"path.currentStep=review&status=cancelled", ""},
        {"contains=" + encoded(R"({"currentStep": "review"})") + "&path.flag=true", "a"},
        {"contains=" + encoded(R"({"currentStep": "review"})") +
             "&metaContains=" + encoded(R"({"source": "api"})"),
         "b"},
        {"status=open&definition=order&path.currentStep=review&createdFrom=" + created_["b"], "b"},
    };
    for (const auto& [query, names] : expected) EXPECT_EQ(found(query), names) << query;
}

TEST_P(ListApi, IndexesChangeNoAnswer) {
    add_four();
    server_.call(Method::put, "/api/v1/definitions/order",
                 R"({"indexes": ["currentStep", "agentContext.currentAgent", "n", "note"]})");
    ASSERT_TRUE(server_.world.store->build_indexes({}).has_value());
    EXPECT_EQ(found("path.currentStep=review"), "ba");
    EXPECT_EQ(found("path.n=1"), "ca");
    EXPECT_EQ(found("contains=" + encoded(R"({"n": 1})")), "a");
    EXPECT_EQ(found("contains=" + encoded(R"({"n": 1, "tags": ["x"]})")), "a");
    EXPECT_EQ(found("path.note=" + encoded("it's 100% \"ü\"")), "a");
    EXPECT_EQ(found("path.agentContext.currentAgent=dev&status=open"), "b");
    EXPECT_EQ(found("path.currentStep=review&path.n=1"), "a");
}

TEST_P(ListApi, ALimitIsKept) {
    server_.world.define("order");
    for (int i = 0; i < 51; ++i) server_.world.start("order", "{}");
    EXPECT_EQ(list("").at("/items").as_array().size(), 50u);
    EXPECT_TRUE(list("").at("/nextCursor").is_string());
    EXPECT_EQ(list("limit=1").at("/items").as_array().size(), 1u);
    EXPECT_EQ(list("limit=51").at("/items").as_array().size(), 51u);
    EXPECT_TRUE(list("limit=51").at("/nextCursor").is_null());
    EXPECT_TRUE(list("limit=500").at("/nextCursor").is_null());
    for (const char* limit : {"0", "501", "-1", "x", "", "1.0", "%2B1", "99999999999999999999"})
        EXPECT_EQ(list(std::string("limit=") + limit).status, 400) << limit;
}

TEST_P(ListApi, ACursorBelongsToItsFilters) {
    server_.world.define("order");
    for (int i = 0; i < 5; ++i) server_.world.start("order", R"({"currentStep": "review"})");
    const std::string cursor =
        "&cursor=" + list("definition=order&status=open&limit=2").text_at("/nextCursor");
    EXPECT_EQ(list("status=open&definition=order&limit=3" + cursor).at("/items").as_array().size(),
              3u);
    for (const char* other :
         {"definition=order", "definition=order&status=running", "definition=claim&status=open",
          "definition=order&status=open&path.currentStep=review"})
        EXPECT_EQ(list(other + cursor).status, 400) << other;
}

TEST_P(ListApi, PagesGiveEverythingOnce) {
    server_.world.define("order");
    std::set<std::string> started;
    for (int i = 0; i < 23; ++i)
        started.insert(to_string(
            server_.world.start("order", R"({"odd": )" + std::to_string(i % 2) + "}").id));
    for (const char* query : {"limit=1", "limit=7", "limit=22", "limit=23", "limit=24"}) {
        const auto ids = walk(query);
        EXPECT_EQ(ids.size(), 23u) << query;
        EXPECT_EQ(std::set(ids.begin(), ids.end()), started) << query;
    }
    EXPECT_EQ(walk("limit=3&path.odd=1").size(), 11u);
    EXPECT_EQ(walk("limit=3&contains=" + encoded(R"({"odd": 0})")).size(), 12u);
}

TEST_P(ListApi, PagesUnderInsertsRepeatAndMissNothing) {
    server_.world.define("order");
    std::set<std::string> existed;
    for (int i = 0; i < 40; ++i)
        existed.insert(to_string(server_.world.start("order", R"({"s": 1})").id));
    std::atomic<int> inserted = 0;
    const std::jthread inserter = named_thread("inserter", [&](std::stop_token) {
        for (; inserted < 200; ++inserted) server_.world.start("order", R"({"s": 1})");
    });
    int walks = 0;
    do {
        const auto ids = walk(walks++ % 2 ? "limit=9&path.s=1" : "limit=9&status=open");
        const std::set<std::string> seen(ids.begin(), ids.end());
        EXPECT_EQ(seen.size(), ids.size()) << "a workflow was listed twice";
        EXPECT_TRUE(std::ranges::includes(seen, existed)) << "a workflow is missing";
    } while (inserted < 200);
    EXPECT_EQ(walk("limit=9&definition=order").size(), 240u);
}

TEST(SqliteList, OnlyAQueryThatNoIndexServesIsAScan) {
    ApiServer server("sqlite");
    server.world.define("order", "", {"agentContext.currentAgent"});
    server.world.start("order", R"({"agentContext": {"currentAgent": "pm"}, "n": 1})");
    const auto scanned = [&](const std::string& query) {
        const Reply page = server.call(Method::get, "/api/v1/workflows?" + query);
        EXPECT_EQ(page.status, 200) << page;
        const bj::value* flag = page.body.as_object().if_contains("scanned");
        return flag && flag->as_bool();
    };
    const std::string declared =
        "contains=" + encoded(R"({"agentContext": {"currentAgent": "pm"}, "n": 1})");
    EXPECT_TRUE(scanned(declared)) << "the index is not built yet";
    ASSERT_TRUE(server.world.store->build_indexes({}).has_value());

    EXPECT_FALSE(scanned(declared));
    EXPECT_FALSE(scanned("path.agentContext.currentAgent=pm"));
    EXPECT_FALSE(scanned("status=open"));
    EXPECT_FALSE(scanned("businessKey=k&contains=" + encoded(R"({"n": 1})")));
    EXPECT_TRUE(scanned("contains=" + encoded(R"({"n": 1})")));
    EXPECT_TRUE(scanned("contains=" + encoded(R"({"agentContext": {}})")));
    EXPECT_TRUE(scanned("metaContains=" + encoded(R"({"n": 1})")));
    EXPECT_TRUE(scanned("path.n=1"));
}

}  // namespace
}  // namespace holdfast::testing
