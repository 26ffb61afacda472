// GET /api/v1/stream on a whole node.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <future>
#include <semaphore>
#include <thread>

#include "client/event_reader.h"
#include "node/node_server.h"
#include "support/eventually.h"
#include "support/server_client.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

// A node with its HTTP server, on a place that may have other nodes.
class ServedNode {
public:
    explicit ServedNode(const std::string& store, const std::string& name = "a") {
        engine = *Engine::open({.store = store, .node = name}, registry);
        server.emplace(*engine, registry,
                       NodeServer::Options{.listen = *parse_listen("127.0.0.1:0")});
        url = *server->start();
    }
    ~ServedNode() {
        server->stop();
        engine->stop();
    }

    prometheus::Registry registry;
    std::unique_ptr<Engine> engine;
    std::optional<NodeServer> server;
    std::string url;
};

// Reads a stream on a thread of its own.
class Follower {
public:
    Follower(const std::string& url, const std::string& query, const std::string& after = "")
        : thread_([this, url, query, after] { run(url, query, after); }) {}
    ~Follower() { is_over_ = true; }

    // "Started 1", "end slow" and so on.
    std::vector<std::string> told() const {
        const std::lock_guard lock(mutex_);
        return told_;
    }
    std::string last_id() const {
        const std::lock_guard lock(mutex_);
        return last_id_;
    }
    bool waits_for(std::size_t count) const {
        return eventually([&] { return told().size() >= count; }, 20s);
    }
    // It follows: it has its first id.
    bool has_begun() const {
        return eventually([&] { return !last_id().empty(); }, 20s);
    }
    int status() {
        thread_.join();
        return status_;
    }

private:
    void run(const std::string& url, const std::string& query, const std::string& after) {
        auto link = *http::ClientConnection::to(url, {.exchange_time = 1s});
        http::Headers headers;
        if (!after.empty()) headers.add("Last-Event-ID", after);
        client::EventReader events;
        const auto response = link.follow("/api/v1/stream" + query, headers, [&](auto bytes) {
            events.add(bytes, [this](const auto& event) { return note(event); });
            const std::lock_guard lock(mutex_);
            last_id_ = events.last_id();
            return !is_over_;
        });
        if (response) status_ = response->status;
    }
    bool note(const client::ServerEvent& event) {
        const boost::json::value record = boost::json::parse(event.data);
        const auto& object = record.as_object();
        std::string line = event.type == "end"
                               ? "end " + std::string(record.at("reason").as_string())
                               : std::string(record.at("type").as_string());
        if (const auto* version = object.if_contains("version"))
            line += " " + boost::json::serialize(*version);
        const std::lock_guard lock(mutex_);
        told_.push_back(std::move(line));
        return true;
    }

    std::atomic<bool> is_over_ = false;
    mutable std::mutex mutex_;
    std::vector<std::string> told_;
    std::string last_id_;
    int status_ = 0;
    std::jthread thread_;
};

using Lines = std::vector<std::string>;

class StreamApi : public ::testing::TestWithParam<const char*> {
protected:
    StreamApi() {
        for (const char* definition : {"tea", "coffee"})
            EXPECT_TRUE(client.define(definition).has_value());
    }
    std::string start(const std::string& definition, const std::string& key = "") {
        return client.must_start(
            {.definition = definition, .state = boost::json::object{}, .business_key = key});
    }
    void patch(const std::string& id, Version expected) {
        EXPECT_EQ(client.patch({.id = id, .expected = expected, .body = R"({"n": 1})"})->status,
                  200);
    }

    StorePlace place{GetParam()};
    ServedNode node{place.url()};
    ServerClient client{node.url};
};

TEST_P(StreamApi, TellsWhatHappensAndGoesOnBehindAnId) {
    std::string last;
    std::string id;
    {
        Follower follower(node.url, "");
        ASSERT_TRUE(follower.has_begun());
        id = start("tea");
        patch(id, 1);
        ASSERT_TRUE(follower.waits_for(2));
        EXPECT_EQ(follower.told(), (Lines{"Started 1", "StateChanged 2"}));
        last = follower.last_id();
    }
    patch(id, 2);
    patch(id, 3);
    Follower again(node.url, "", last);
    ASSERT_TRUE(again.waits_for(2));
    EXPECT_EQ(again.told(), (Lines{"StateChanged 3", "StateChanged 4"}));
    Follower all(node.url, "?after=0&workflow=" + id);
    ASSERT_TRUE(all.waits_for(4));
    EXPECT_EQ(all.told().front(), "Started 1");
}

TEST_P(StreamApi, TellsOnlyWhatTheFilterTakes) {
    const std::string one = start("tea", "A-1");
    start("coffee", "A-1");
    start("tea");
    patch(one, 1);
    for (const std::string& query :
         {std::string("definition=tea&businessKey=A-1"), "workflow=" + one}) {
        Follower follower(node.url, "?after=0&kind=workflow,incident&" + query);
        ASSERT_TRUE(follower.waits_for(2));
        EXPECT_EQ(follower.told(), (Lines{"Started 1", "StateChanged 2"})) << query;
    }
    EXPECT_EQ(client.get("/api/v1/stream?kind=tea")->problem(), "invalid-argument");
    EXPECT_EQ(client.get("/api/v1/stream?after=x")->problem(), "invalid-argument");
    EXPECT_EQ(client.get("/api/v1/stream?workflow=x")->problem(), "invalid-argument");
    EXPECT_EQ(client.get("/api/v1/stream?other=x")->problem(), "invalid-argument");
}

TEST_P(StreamApi, APositionThatIsGoneOrWasNeverGivenIsRefused) {
    start("tea");
    const auto unknown = client.get("/api/v1/stream?after=1000000");
    EXPECT_EQ(unknown->status, 410);
    EXPECT_EQ(unknown->problem(), "position-gone");
    const HostLock lock = **node.engine->store().lock_host("retention", "a", 1h);
    node.engine->store().prune({.keep_for = 24h, .keep_records = 0s, .lock = lock}).value();
    EXPECT_EQ(client.get("/api/v1/stream?after=0")->status, 410);
}

TEST_P(StreamApi, TheServerSaysThatItStops) {
    Follower follower(node.url, "");
    ASSERT_TRUE(follower.has_begun());
    node.server->stop();
    ASSERT_TRUE(follower.waits_for(1));
    EXPECT_EQ(follower.told(), Lines{"end shutting-down"});
    EXPECT_EQ(follower.status(), 200);
}

TEST_P(StreamApi, AClientThatLeavesFreesItsStream) {
    const auto open = [&] { return client.metric("holdfast_streams"); };
    {
        Follower follower(node.url, "");
        ASSERT_TRUE(follower.has_begun());
        EXPECT_EQ(open(), 1);
        start("tea");
        ASSERT_TRUE(follower.waits_for(1));
        start("tea");  // ends it
    }
    EXPECT_TRUE(eventually([&] { return open() == 0; }, 20s));
}

INSTANTIATE_TEST_SUITE_P(Stores, StreamApi, ::testing::Values("memory", "sqlite", "postgres"),
                         store_name);

TEST(StreamApiOnTwoNodes, OneTellsAtOnceWhatTheOtherCommits) {
    StorePlace place("postgres");
    ServedNode one(place.url(), "one");
    ServedNode two(place.url(), "two");
    ServerClient client(two.url);
    ASSERT_TRUE(client.define("tea").has_value());
    Follower follower(one.url, "");
    ASSERT_TRUE(follower.has_begun());
    for (int i = 1; i <= 3; ++i) {
        client.must_start({.definition = "tea", .state = boost::json::object{}});
        ASSERT_TRUE(follower.waits_for(i));
    }
    EXPECT_EQ(follower.told(), (Lines{"Started 1", "Started 1", "Started 1"}));
}

// A stream whose pieces are taken by hand: what its connection does when the client reads.
class ReadByHand : public ::testing::Test {
protected:
    ReadByHand() {
        world.define("tea");
        feed.start(*world.store, *world.store, {});
    }
    ~ReadByHand() override {
        source.reset();
        feed.stop();
    }

    void open() {
        std::promise<http::Response> answer;
        streams.start({.tenant = "default"}, std::nullopt,
                      http::Respond([&](http::Response one) { answer.set_value(std::move(one)); }));
        source = answer.get_future().get().source;
        source->open([this] { woken.release(); });
        woken.acquire();
    }
    std::string read() { return source->next().bytes; }
    // No read of the store is on its way.
    void finish_reads() {
        std::binary_semaphore done{0};
        WorkerPool::WorkItem last = [&] { done.release(); };
        ASSERT_TRUE(workers.post(last));
        done.acquire();
    }
    // As many commits as it takes, on as many workflows.
    void commit(std::size_t count) {
        std::vector<op::Start> starts(count);
        for (op::Start& start : starts) {
            start.cause = world.cause();
            start.definition = "tea";
        }
        for (const auto& done : world.coordinator->run_all(std::move(starts))) ASSERT_TRUE(done);
        feed.committed({.told = true});
        const std::uint64_t end = world.store->ask(StreamQuery{})->reached;
        ASSERT_TRUE(eventually([&] {
            feed.look_now();
            if (!feed.after(StreamPosition{end}, 1)) return false;  // it has not begun
            const auto last = feed.after(StreamPosition{end - 1}, 1);
            return !last || !last->records.empty();
        }));
    }

    World world{"memory"};
    ChangeFeed feed{6'000};
    std::vector<std::string> ends;
    WorkerPool workers{"list", 1, 16};
    http::ChangeStreams streams{feed, *world.store, workers,
                                [this](std::string_view why) { ends.emplace_back(why); }, 1};
    std::counting_semaphore<> woken{0};
    std::shared_ptr<http::BodySource> source;
};

TEST_F(ReadByHand, AReaderThatFallsFarBehindIsCutOffWithTheReason) {
    open();
    // The first may come from the store, what comes later from the feed: it has caught up.
    for (int i = 0; i < 3; ++i) {
        commit(1);
        EXPECT_TRUE(eventually([&] { return read().contains("Started"); }));
        finish_reads();
        EXPECT_EQ(read(), "");
    }
    commit(7'000);
    const auto piece = source->next();
    EXPECT_TRUE(piece.is_last);
    EXPECT_TRUE(piece.bytes.ends_with("event: end\ndata: {\"reason\":\"slow\"}\n\n"));
    EXPECT_EQ(ends, (std::vector<std::string>{"slow"}));
}

// Its first read of the store and the feed may both have a record.
TEST_F(ReadByHand, WhatIsReadTwiceIsToldOnce) {
    ChangeFeed late;
    http::ChangeStreams slow{late, *world.store, workers, [](std::string_view) {}, 1};
    std::promise<http::Response> answer;
    slow.start({.tenant = "default"}, std::nullopt,
               http::Respond([&](http::Response one) { answer.set_value(std::move(one)); }));
    const auto stream = answer.get_future().get().source;
    stream->open([] {});
    world.start("tea", "{}");
    std::binary_semaphore reading{0};
    WorkerPool::WorkItem block = [&] { reading.acquire(); };
    ASSERT_TRUE(workers.post(block));
    std::string told = stream->next().bytes;  // the feed has nothing yet: a worker is asked
    late.start(*world.store, *world.store, {});
    late.follow([] {});
    ASSERT_TRUE(eventually([&] { return late.reads() > 0; }));
    told += stream->next().bytes;
    reading.release();
    world.start("tea", "{}");
    late.committed({.told = true});
    const auto count = [&] {
        told += stream->next().bytes;
        std::size_t all = 0;
        for (auto at = told.find("data:"); at != std::string::npos; at = told.find("data:", at + 1))
            ++all;
        return all;
    };
    EXPECT_TRUE(eventually([&] { return count() >= 2; }));
    EXPECT_EQ(count(), 2u) << told;
    late.stop();
}

TEST_F(ReadByHand, APieceIsBoundedHoweverMuchHappened) {
    open();
    read();
    commit(5'000);
    std::size_t records = 0;
    EXPECT_TRUE(eventually([&] {
        const std::string bytes = read();
        EXPECT_LT(bytes.size(), 128u * 1024);
        for (auto at = bytes.find("data:"); at != std::string::npos;
             at = bytes.find("data:", at + 1))
            ++records;
        return records >= 5'000;
    }));
    EXPECT_EQ(records, 5'000u);
}

TEST_F(ReadByHand, AQuietStreamKeepsItsPositionFresh) {
    open();
    read();
    EXPECT_EQ(read(), "") << "nothing happened";
    source->keep_alive();
    EXPECT_TRUE(read().starts_with(":\nid: "));
    EXPECT_EQ(read(), "");
}

TEST_F(ReadByHand, NoMoreStreamsThanTheLimitAreOpen) {
    open();
    std::promise<int> status;
    const auto refused = [&](http::Response one) { status.set_value(one.status); };
    streams.start({.tenant = "default"}, std::nullopt, http::Respond(refused));
    EXPECT_EQ(status.get_future().get(), 429);
    source.reset();
    EXPECT_EQ(streams.count(), 0u);
}

}  // namespace
}  // namespace holdfast::testing
