// Lists that take long: they stop neither the other reads nor each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <list>
#include <semaphore>

#include "raw_client.h"
#include "support/api_server.h"
#include "support/eventually.h"
#include "support/forwarding_store.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

std::string numbers_text(int first, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += (i ? "," : "") + std::to_string(first + i);
    return text;
}

class BusyLists : public DurableApi {
protected:
    // Workflows with a long list, the id of one of them.
    std::string start_large() {
        std::string id;
        for (int i = 0; i < 6; ++i)
            id = server_.start_id(R"({"list": [)" + numbers_text(0, 99'000) + "]}");
        return id;
    }
    // A search that compares 1,200 values with each of these lists, and finds none.
    static std::string search() {
        std::string filter;
        for (const char c : R"({"list":[)" + numbers_text(97'700, 1'200) + R"(,"none"]})")
            filter += std::isalnum(static_cast<unsigned char>(c)) || c == ',' ? std::string(1, c)
                      : c == '{'                                              ? "%7B"
                      : c == '}'                                              ? "%7D"
                      : c == '"'                                              ? "%22"
                      : c == '['                                              ? "%5B"
                      : c == ']'                                              ? "%5D"
                                                                              : "%3A";
        return "/api/v1/workflows?contains=" + filter;
    }
    void send_search(http::RawClient& client) const {
        client.send("GET " + search() + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }
};

TEST_P(BusyLists, DoNotDelayReadsByKey) {
    const std::string id = start_large();
    std::list<http::RawClient> clients;
    for (int i = 0; i < 6; ++i) send_search(clients.emplace_back(server_.port()));
    const auto began = Steady::now();
    for (int i = 0; i < 3; ++i) EXPECT_EQ(server_.get(id).status, 200);
    EXPECT_LT(Steady::now() - began, 3s);
}

// Searches wait until the test lets them go on.
class HoldsSearches final : public ForwardingStore {
public:
    HoldsSearches(Store& inner, std::counting_semaphore<>& begun, std::shared_future<void> go_on)
        : ForwardingStore(inner), begun_(begun), go_on_(std::move(go_on)) {}
    void read(const AnyQuestion& question) override {
        const auto* list = std::get_if<Question<InstanceQuery>>(&question);
        if (list && list->query.may_take_long()) {
            begun_.release();
            go_on_.wait();
        }
        inner_.read(question);
    }

private:
    std::counting_semaphore<>& begun_;
    const std::shared_future<void> go_on_;
};

TEST(HeldSearches, DelayNoListOfRows) {
    std::counting_semaphore<> begun{0};
    std::promise<void> go_on;
    ApiServer server("sqlite", {.in_between = [&, held = go_on.get_future().share()](Store& store) {
                         return std::make_unique<HoldsSearches>(store, begun, held);
                     }});
    server.start_id();
    std::list<http::RawClient> clients;
    const std::string searches[] = {"?contains=%7B%7D", "?include=state", "?path.a=1",
                                    "?status=succeeded", "?metaContains=%7B%7D"};
    for (const std::string& search : searches)
        clients.emplace_back(server.port())
            .send("GET " + workflows + search + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    begun.acquire();
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(server.call(Method::get, workflows + "?limit=1").status, 200);
    go_on.set_value();
}

TEST(HeldSearches, AreRefusedOnceTooManyWait) {
    std::counting_semaphore<> begun{0};
    std::promise<void> go_on;
    ApiServer server("sqlite", {.in_between = [&, held = go_on.get_future().share()](Store& store) {
                         return std::make_unique<HoldsSearches>(store, begun, held);
                     }});
    std::list<http::RawClient> clients;
    for (int i = 0; i < 34; ++i)  // one is read, 32 wait
        clients.emplace_back(server.port())
            .send("GET " + workflows + "?include=state HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const auto refused = [&] {
        return std::ranges::find_if(clients, &http::RawClient::has_response);
    };
    ASSERT_TRUE(eventually([&] { return refused() != clients.end(); }));
    const std::string response = refused()->read_response();
    EXPECT_TRUE(response.starts_with("HTTP/1.1 429")) << response;
    EXPECT_NE(response.find("Retry-After: "), std::string::npos) << response;
    go_on.set_value();
}

TEST_P(BusyLists, EndWithTheirClients) {
    start_large();
    {
        std::list<http::RawClient> clients;
        for (int i = 0; i < 6; ++i) send_search(clients.emplace_back(server_.port()));
    }
    const auto began = Steady::now();
    EXPECT_EQ(server_.call(Method::get, "/api/v1/workflows?limit=1").status, 200);
    EXPECT_LT(Steady::now() - began, 5s);
}

TEST_P(BusyLists, HavePagesOfBoundedEffort) {
    start_large();
    std::string cursor;
    for (int pages = 0; pages < 20; ++pages) {
        const auto began = Steady::now();
        const Reply page = server_.call(Method::get, search() + cursor);
        EXPECT_LT(Steady::now() - began, 5s);
        ASSERT_EQ(page.status, 200) << page;
        EXPECT_TRUE(page.at("/items").as_array().empty());
        if (page.at("/nextCursor").is_null()) return;
        EXPECT_TRUE(page.at("/partial").as_bool()) << page;
        cursor = "&cursor=" + page.text_at("/nextCursor");
    }
    ADD_FAILURE() << "the pages do not end";
}

TEST_P(BusyLists, RefuseAFilterWithTooManyObjectsInItsLists) {
    const Reply refused = server_.call(
        Method::get, "/api/v1/workflows?contains=%5B" + repeated("%7B%7D,", 64) + "%7B%7D%5D");
    EXPECT_EQ(refused.status, 400) << refused;
}

INSTANTIATE_TEST_SUITE_P(Stores, BusyLists, durable_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
