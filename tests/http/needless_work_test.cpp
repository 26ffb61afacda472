// What a request makes the server do, counted: nothing of it twice.
#include <gtest/gtest.h>
#include <pthread.h>

#include <future>

#include "base/json/parse.h"
#include "base/threads/threads.h"
#include "http/api.h"
#include "support/api_server.h"

namespace holdfast::testing {
namespace {

std::string name_of_this_thread() {
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    return name;
}

class NeedlessWorkApi : public DurableApi {
protected:
    // The stored state: PostgreSQL gives it as a value, whose checksum is checked.
    static std::uint64_t stored() { return GetParam() == std::string("postgres") ? 1 : 0; }

    // A definition with a schema and a declared index: both look at the state.
    std::string start_checked() {
        const Reply defined = server_.call(Method::put, "/api/v1/definitions/checked",
                                           R"({"schema": {"properties": {"n": {"type": "integer"}}},
                             "indexes": ["n"]})");
        EXPECT_LT(defined.status, 300) << defined;
        return server_
            .call(Method::post, workflows,
                  R"({"definition": "checked", "state": {"n": 1, "b": 2}})")
            .text_at("/id");
    }
    std::uint64_t parsed_by_patch(const std::string& id, const char* type,
                                  const std::string& body) {
        const std::uint64_t before = json::texts_parsed();
        const Reply edited =
            server_.call(Method::patch, ApiServer::path_of(id) + "/state", body,
                         {{"If-Match", "*"}, {"Content-Type", std::string("application/") + type}});
        EXPECT_EQ(edited.status, 200) << edited;
        return json::texts_parsed() - before - 1;  // the test itself reads the response
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, NeedlessWorkApi, durable_stores(), store_name);

TEST_P(NeedlessWorkApi, AReplacementIsParsedOnce) {
    const std::string id = start_checked();
    EXPECT_EQ(parsed_by_patch(id, "json", R"({"state": {"n": 2, "b": 3}})"), 1 + stored());
}

TEST_P(NeedlessWorkApi, APatchParsesItselfAndTheState) {
    const std::string id = start_checked();
    EXPECT_EQ(parsed_by_patch(id, "merge-patch+json", R"({"n": 2})"), 2 + stored());
    EXPECT_EQ(
        parsed_by_patch(id, "json-patch+json", R"([{"op": "replace", "path": "/n", "value": 3}])"),
        2 + stored());
}

TEST(NeedlessWork, AnAdmittedRequestIsNotAdmittedAgain) {
    http::Router router{http::Gate({.host_names = {}, .token = "s3cret"})};
    std::size_t handled = 0;
    router.add({Method::get, "/api/v1/tasks", http::Access::guarded,
                http::Description("test", http::everyone, "A route.").any_parameters(),
                [&](http::Request, http::Respond) { ++handled; }});
    http::Request head{.method = Method::get, .target = "/api/v1/tasks"};
    head.path = {"api", "v1", "tasks"};
    http::Request bare = head;
    head.headers.add("Host", "localhost");
    head.headers.add("Authorization", "Bearer s3cret");
    ASSERT_FALSE(router.admit(head));

    head.headers = {};  // whoever looked at them again would refuse it
    router.handle(std::move(head), [](http::Response) { FAIL() << "it was admitted"; });
    EXPECT_EQ(handled, 1u);
    int refused = 0;
    router.handle(std::move(bare), [&](http::Response response) { refused = response.status; });
    EXPECT_EQ(refused, 400);
    EXPECT_EQ(handled, 1u);
}

TEST(NeedlessWork, TheCommittingThreadMakesNoResponse) {
    std::size_t made = 0;
    std::optional<http::MakeResponse> passed_on;
    auto callback = http::answering<std::variant<int>>(
        http::Respond(
            [&](http::MakeResponse make, http::ResponseSize) { passed_on = std::move(make); }),
        [&](int) {
            ++made;
            return http::Response{};
        });
    callback(std::variant<int>(1));
    ASSERT_TRUE(passed_on);
    EXPECT_EQ(made, 0u);
    (*passed_on)();
    EXPECT_EQ(made, 1u);
}

TEST(NeedlessWork, AResponseIsMadeOnTheThreadThatWritesIt) {
    std::promise<http::Respond> taken;
    http::Server server(
        {}, [](http::Request&) { return std::nullopt; },
        [&](http::Request, http::Respond respond) { taken.set_value(std::move(respond)); });
    ASSERT_TRUE(server.start());
    std::string made_on;
    const auto other = named_thread("round-0", [&](std::stop_token) {
        http::Respond respond = taken.get_future().get();
        respond.later([&] {
            made_on = name_of_this_thread();
            return http::Response{.status = 204};
        });
    });
    EXPECT_EQ(ApiClient(server.port()).call(Method::get, "/").status, 204);
    EXPECT_EQ(made_on, "http-0");
}

// A megabyte takes milliseconds to parse and to write: other connections do not wait for that.
class LargeRequests : public ::testing::Test {
protected:
    LargeRequests() { EXPECT_TRUE(server_.start()); }

    int send(std::size_t bytes) {
        return ApiClient(server_.port()).call(Method::post, "/", std::string(bytes, 'a')).status;
    }

    bool has_room_ = true;
    std::string read_on_;
    std::string made_on_;
    http::ResponseSize size_ = http::ResponseSize::small;
    WorkerPool large_{"large", 1, 4, Priority::background};
    http::Server server_{
        {.elsewhere =
             [this](WorkerPool::WorkItem& work) { return has_room_ && large_.post(work); }},
        [](http::Request&) { return std::nullopt; },
        [this](http::Request, http::Respond respond) {
            read_on_ = name_of_this_thread();
            respond.later(
                [this] {
                    made_on_ = name_of_this_thread();
                    return http::Response{.status = 204};
                },
                size_);
        }};
};

TEST_F(LargeRequests, AreReadOnAnotherThread) {
    EXPECT_EQ(send(http::small_body), 204);
    EXPECT_EQ(read_on_, "http-0");
    EXPECT_EQ(made_on_, "http-0");
    EXPECT_EQ(send(http::small_body + 1), 204);
    EXPECT_EQ(read_on_, "large-0");
    EXPECT_EQ(made_on_, "http-0");
}

TEST_F(LargeRequests, LargeResponsesAreMadeOnAnotherThread) {
    size_ = http::ResponseSize::large;
    EXPECT_EQ(send(1), 204);
    EXPECT_EQ(read_on_, "http-0");
    EXPECT_EQ(made_on_, "large-0");
}

TEST_F(LargeRequests, AreRefusedIfTooManyAreBeingRead) {
    has_room_ = false;
    EXPECT_EQ(send(http::small_body + 1), 429);
    EXPECT_EQ(read_on_, "");
    size_ = http::ResponseSize::large;
    EXPECT_EQ(send(1), 204) << "a change that was made is answered";
    EXPECT_EQ(made_on_, "http-0");
}

TEST(NeedlessWork, TheSizeOfAResponseIsThatOfItsDocument) {
    const op::Started small{.instance = {.state = Document::of(boost::json::object{})}};
    const op::Started large{
        .instance = {.state = Document::of(boost::json::string(http::small_body, 'a'))}};
    EXPECT_EQ(http::response_size(http::document_bytes(small)), http::ResponseSize::small);
    EXPECT_EQ(http::response_size(http::document_bytes(large)), http::ResponseSize::large);
    EXPECT_EQ(http::document_bytes(op::NotFound{}), 0u);
}

TEST(NeedlessWork, AResponseThatCannotBeMadeIsA500) {
    http::Server server(
        {}, [](http::Request&) { return std::nullopt; },
        [&](http::Request, http::Respond respond) {
            respond.later([]() -> http::Response { throw std::runtime_error("on purpose"); });
        });
    ASSERT_TRUE(server.start());
    EXPECT_EQ(ApiClient(server.port()).call(Method::get, "/").status, 500);
}

}  // namespace
}  // namespace holdfast::testing
