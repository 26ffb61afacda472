// Clients that leave while their request is being handled: their long polls end at once.
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <list>

#include "base/threads/pause.h"
#include "base/threads/threads.h"
#include "http/wire/server.h"
#include "raw_client.h"
#include "support/eventually.h"
#include "support/forwarding_store.h"
#include "support/runner_api.h"

namespace holdfast::http {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t polls = 8;

class CountsLooks final : public testing::ForwardingStore {
public:
    CountsLooks(Store& inner, std::atomic<int>& looks) : ForwardingStore(inner), looks_(looks) {}
    void read(const AnyQuestion& question) override {
        ++looks_;
        inner_.read(question);
    }

private:
    std::atomic<int>& looks_;
};

// However many commits others make: it looks when it begins, and when its own wait ends.
TEST(QuietPolls, ReadNothingWhileNothingHappens) {
    std::atomic<int> looks = 0;
    testing::ApiServer server("sqlite", {.in_between = [&](Store& store) {
                                  return std::make_unique<CountsLooks>(store, looks);
                              }});
    const std::string id = server.start_id();
    const std::string other = server.start_id();
    const std::string workflow = testing::ApiServer::path_of(id);
    server.call(Method::post, workflow + "/wait", R"({"run": 1, "index": 0, "names": ["x"]})");
    const int before = looks;
    RawClient client(server.port());
    client.send("GET " + workflow +
                "/wait?index=0&timeout=60s HTTP/1.1\r\nHost: localhost\r\n\r\n");
    ASSERT_TRUE(testing::eventually([&] { return looks > before; }));
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(server.patch(other, "*", R"({"state": {}})").status, 200);
        EXPECT_EQ(server.patch(id, "*", R"({"state": {}})").status, 200) << "it waits on";
    }
    EXPECT_EQ(looks, before + 1);
    EXPECT_FALSE(client.has_response());
    server.call(Method::post, workflow + "/events/x", R"({"value": 1})");
    EXPECT_TRUE(client.read_response().starts_with("HTTP/1.1 200"));
    EXPECT_LE(looks, before + 4) << "the row, its tenant and the entry of the journal";
}

class GoneClients : public ::testing::Test {
protected:
    GoneClients() {
        server_.call(Method::post, workflow_ + "/wait",
                     R"({"run": 1, "index": 0, "names": ["x"]})");
    }

    void open_poll(RawClient& client) const {
        client.send("GET " + workflow_ + "/wait?index=0&timeout=60s HTTP/1.1\r\n" +
                    "Host: localhost\r\n\r\n");
    }
    // Whether a poll that asks once gets a slot; tried for 20 s, because the server notices a close
    // when its turn comes.
    bool a_slot_is_free() {
        for (int tries = 0; tries < 2'000; ++tries) {
            if (server_.call(Method::get, workflow_ + "/wait?index=0&timeout=0s").status != 429)
                return true;
            pause_for(10ms);
        }
        return false;
    }
    // Takes every slot. What asks whether they are taken may itself take the last one for a moment:
    // a poll that was refused therefore is opened again.
    void open_polls(std::list<RawClient>& clients) {
        for (int tries = 0; tries < 2'000; ++tries) {
            std::erase_if(clients, [](const RawClient& client) { return client.has_response(); });
            while (clients.size() < polls) open_poll(clients.emplace_back(server_.port()));
            if (server_.call(Method::get, workflow_ + "/wait?index=0&timeout=0s").status == 429)
                return;
            pause_for(1ms);
        }
        ADD_FAILURE() << "the polls were not opened";
    }

    testing::ApiServer server_{"memory", {.open_polls = polls}};
    const std::string workflow_ = testing::ApiServer::path_of(server_.start_id());
};

TEST_F(GoneClients, FreeTheSlotsOfTheirLongPolls) {
    {
        std::list<RawClient> clients;
        open_polls(clients);
        EXPECT_GE(clients.size(), polls);
    }
    EXPECT_TRUE(a_slot_is_free());
}

TEST_F(GoneClients, FreeTheirSlotsOneByOne) {
    std::list<RawClient> clients;
    open_polls(clients);
    for (int gone = 0; gone < 3; ++gone) {
        clients.pop_front();
        EXPECT_TRUE(a_slot_is_free()) << gone;
        open_polls(clients);
    }
}

TEST_F(GoneClients, AClientThatOnlyEndsItsSideGetsTheTimeoutOfItsPoll) {
    RawClient client(server_.port());
    open_poll(client);
    client.end_sending();
    const std::string response = client.read_until_closed();
    EXPECT_TRUE(response.starts_with("HTTP/1.1 200 ")) << response;
}

// Holds one request.
class HeldRequest : public ::testing::Test {
protected:
    HeldRequest() { EXPECT_TRUE(server_.start()); }

    Respond taken() { return held_.get_future().get(); }

    std::promise<Respond> held_;
    Server server_{{},
                   [](const Request&) { return std::nullopt; },
                   [this](Request request, Respond respond) {
                       if (request.target == "/held") return held_.set_value(std::move(respond));
                       respond({200, {}, request.target});
                   }};
};

std::string get_of(const std::string& path) {
    return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

TEST_F(HeldRequest, IsToldThatItsClientLeft) {
    std::promise<void> left;
    std::optional<Respond> respond;
    std::optional<std::stop_callback<std::function<void()>>> told;
    {
        RawClient client(server_.port());
        client.send(get_of("/held"));
        respond = taken();
        EXPECT_FALSE(respond->gone().stop_requested());
        told.emplace(respond->gone(), [&] { left.set_value(); });
    }
    EXPECT_EQ(left.get_future().wait_for(20s), std::future_status::ready);
    (*respond)({200, {}, "nobody hears this"});
}

TEST_F(HeldRequest, IsAnsweredAlthoughItsClientEndedItsSide) {
    RawClient client(server_.port());
    client.send(get_of("/held"));
    Respond respond = taken();
    std::promise<void> left;
    const std::stop_callback told(respond.gone(), [&] { left.set_value(); });
    client.end_sending();
    EXPECT_EQ(left.get_future().wait_for(20s), std::future_status::ready);
    respond({200, {}, "late"});
    EXPECT_TRUE(client.read_until_closed().ends_with("late"));
}

TEST_F(HeldRequest, IsFollowedByWhatItsClientSentMeanwhile) {
    RawClient client(server_.port());
    client.send(get_of("/held"));
    Respond respond = taken();
    constexpr int many = 2'000;  // more than the server buffers
    const auto sender = named_thread("sends", [&](const std::stop_token&) {
        for (int i = 0; i < many; ++i) client.send(get_of("/" + std::to_string(i)));
        client.end_sending();
    });
    respond({200, {}, "held"});
    EXPECT_TRUE(client.read_response().ends_with("held"));
    for (int i = 0; i < many; ++i)
        ASSERT_TRUE(client.read_response().ends_with("\r\n/" + std::to_string(i))) << i;
    EXPECT_EQ(client.read_until_closed(), "");
}

}  // namespace
}  // namespace holdfast::http
