#include <gtest/gtest.h>

#include <atomic>
#include <boost/json.hpp>
#include <deque>
#include <mutex>

#include "holdfast/client.h"
#include "http/responses/problem.h"
#include "http/wire/server.h"

namespace holdfast::client {
namespace {

using namespace std::chrono_literals;
using http::Method;
using http::Request;
using http::Response;

// A real server with scripted answers; records the requests.
class ScriptedApi {
public:
    explicit ScriptedApi(std::vector<Response> answers)
        : answers_(answers.begin(), answers.end()),
          server_(
              {}, [](const Request&) { return std::nullopt; },
              [this](Request request, http::Respond respond) {
                  respond(take(std::move(request)));
              }) {
        EXPECT_TRUE(server_.start());
    }

    Client client(ClientOptions options = {}) const {
        return Client("http://127.0.0.1:" + std::to_string(server_.port()), std::move(options));
    }
    std::vector<Request> asked() {
        const std::lock_guard lock(mutex_);
        return asked_;
    }

private:
    Response take(Request request) {
        const std::lock_guard lock(mutex_);
        asked_.push_back(std::move(request));
        if (answers_.empty()) return http::problem(500, "script-over", "No more answers", "");
        Response answer = std::move(answers_.front());
        answers_.pop_front();
        return answer;
    }

    std::mutex mutex_;
    std::deque<Response> answers_;
    std::vector<Request> asked_;
    http::Server server_;
};

Json parsed(std::string_view text) { return boost::json::parse(text); }

Response workflow(Version version, std::string_view state) {
    return http::json_response(200, boost::json::object{{"id", "w1"},
                                                        {"version", version},
                                                        {"status", "running"},
                                                        {"definition", "order"},
                                                        {"state", parsed(state)},
                                                        {"stateMetadata", boost::json::object{}}});
}

Response edited(Version version, std::string_view state) {
    return http::json_response(200,
                               boost::json::object{{"version", version},
                                                   {"state", parsed(state)},
                                                   {"stateMetadata", boost::json::object{}},
                                                   {"lastModifiedAt", "2026-01-28T10:00:00Z"}});
}

Response stale(Version version, std::string_view state) {
    return http::problem(409, "stale-version", "Stale", "expected another version",
                         {{"error", "stale"},
                          {"currentVersion", version},
                          {"currentState", parsed(state)},
                          {"message", "merge and retry"},
                          {"resolution", "rejected"},
                          {"paths", boost::json::array{}}});
}

Response later(int status, std::string_view type, std::string seconds) {
    Response response = http::problem(status, type, "Later", "come back later");
    response.headers.add("Retry-After", std::move(seconds));
    return response;
}

Response history_of(Version version, std::string_view correlation) {
    return http::json_response(
        200, boost::json::object{{"items",
                                  {boost::json::object{{"version", version},
                                                       {"type", "StateChanged"},
                                                       {"payload", boost::json::object{}},
                                                       {"correlation", correlation},
                                                       {"at", "2026-01-28T10:00:00Z"}}}},
                                 {"nextFrom", nullptr}});
}

// Records the requested waits instead of waiting.
struct Waits {
    std::vector<std::chrono::milliseconds> taken;

    RetryOptions options(Strategy strategy = Reapply{}) {
        return {.strategy = std::move(strategy),
                .jitter = 0,
                .sleep = [this](std::chrono::milliseconds time) { taken.push_back(time); },
                .random = [] { return 0.0; }};
    }
};

Json set_a(const Json& state) {
    Json next = state;
    next.as_object()["a"] = 1;
    return next;
}

Json increment(const Json& state) {
    Json next = state;
    next.as_object()["n"] = next.at("n").as_int64() + 1;
    return next;
}

template <class T, class Outcome>
T expect(Outcome&& outcome) {
    EXPECT_TRUE(outcome) << outcome.error().message;
    if (!outcome || !std::holds_alternative<T>(*outcome)) {
        ADD_FAILURE() << "another outcome";
        return {};
    }
    return std::get<T>(*std::forward<Outcome>(outcome));
}

const Conflict moved{.current_version = 5, .current_state = parsed(R"({"a": 1, "b": 9})")};

TEST(Strategies, TheClientWinsWithItsOwnState) {
    const Json mine = parsed(R"({"a": 2})");
    EXPECT_EQ(std::get<Json>(resolve(ClientWins{}, parsed("{}"), mine, moved)), mine);
}

TEST(Strategies, TheServerWinsWithTheCurrentState) {
    EXPECT_EQ(std::get<Json>(resolve(ServerWins{}, parsed("{}"), parsed(R"({"a": 2})"), moved)),
              moved.current_state);
}

TEST(Strategies, AMergeKeepsWhatEitherSideChanged) {
    const auto merged = resolve(Merge{}, parsed(R"({"a": 1, "b": 0})"),
                                parsed(R"({"a": 1, "b": 0, "c": 3})"), moved);
    EXPECT_EQ(std::get<Json>(merged), parsed(R"({"a": 1, "b": 9, "c": 3})"));
}

TEST(Strategies, AMergeOfOverlappingChangesIsStillAConflict) {
    const auto merged =
        resolve(Merge{}, parsed(R"({"a": 1, "b": 0})"), parsed(R"({"a": 1, "b": 7})"), moved);
    const auto& conflict = std::get<Conflict>(merged);
    EXPECT_EQ(conflict.paths, std::vector<std::string>{"/b"});
    EXPECT_EQ(conflict.current_version, 5u);
}

TEST(Strategies, ACustomFunctionSeesAllThreeStates) {
    const CustomMerge all = [](const Json& base, const Json& current, const Json& mine) {
        return std::optional<Json>(boost::json::array{base, current, mine});
    };
    const auto merged = resolve(all, parsed("0"), parsed("2"), moved);
    EXPECT_EQ(std::get<Json>(merged), Json({parsed("0"), moved.current_state, parsed("2")}));
}

TEST(Strategies, ACustomFunctionMayGiveUp) {
    const CustomMerge never = [](const auto&...) { return std::optional<Json>(); };
    EXPECT_EQ(std::get<Conflict>(resolve(never, {}, {}, moved)).current_version, 5u);
}

TEST(Client, AStaleEditIsAnOutcomeThatCarriesTheCurrentState) {
    ScriptedApi api({stale(7, R"({"a": 3})")});
    auto client = api.client();
    const auto conflict = expect<Conflict>(
        client.patch_state("w1", {.change = MergePatch{parsed("{}")}, .expected_version = 6}));
    EXPECT_EQ(conflict.current_version, 7u);
    EXPECT_EQ(conflict.current_state, parsed(R"({"a": 3})"));
    EXPECT_EQ(conflict.resolution, "rejected");
    const Request request = api.asked().at(0);
    EXPECT_EQ(request.method, Method::patch);
    EXPECT_EQ(request.target, "/api/v1/workflows/w1/state");
    EXPECT_EQ(request.headers.find("If-Match"), "\"6\"");
    EXPECT_EQ(request.headers.find("Content-Type"), "application/merge-patch+json");
}

TEST(Client, AnotherConflictIsAFailure) {
    ScriptedApi api(
        {http::problem(409, "ended", "Ended", "it has ended", {{"currentVersion", 3}})});
    auto client = api.client();
    const auto answer = client.patch_state("w1", {.change = JsonPatch{parsed("[]")}});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::conflict);
    EXPECT_EQ(answer.error().type, "ended");
    EXPECT_EQ(answer.error().message, "it has ended");
    EXPECT_EQ(api.asked().at(0).headers.find("If-Match"), "*");
}

TEST(Client, SendsItsCredentialsAndParameters) {
    ScriptedApi api({workflow(1, "{}"),
                     http::json_response(200, parsed(R"({"items": [], "nextCursor": "c"})"))});
    auto client = api.client({.token = "secret", .user_id = "u"});
    ASSERT_TRUE(client.start({.definition = "order",
                              .business = {.key = "k", .parts = {{"region", "eu"}}},
                              .idempotency_key = "once"}));
    const auto page = client.list({.statuses = {"open", "failed"},
                                   .contains = parsed(R"({"a": "ä&b"})"),
                                   .paths = {{"x.y", "1 2"}},
                                   .limit = 5});
    ASSERT_TRUE(page);
    EXPECT_EQ(page->next_cursor, "c");
    const auto asked = api.asked();
    EXPECT_EQ(asked[0].headers.find("Authorization"), "Bearer secret");
    EXPECT_EQ(asked[0].headers.find("X-User-Id"), "u");
    EXPECT_EQ(asked[0].headers.find("Idempotency-Key"), "once");
    EXPECT_EQ(parsed(asked[0].body).at("businessReference"),
              parsed(R"({"key": "k", "parts": {"region": "eu"}})"));
    EXPECT_EQ(asked[1].query_value("status"), "open,failed");
    EXPECT_EQ(asked[1].query_value("contains"), R"({"a":"ä&b"})");
    EXPECT_EQ(asked[1].query_value("path.x.y"), "1 2");
    EXPECT_EQ(asked[1].query_value("limit"), "5");
}

TEST(Client, AnInvalidAnswerIsAFailure) {
    ScriptedApi api({{.status = 200, .body = "<html>"}, http::json_response(200, parsed("{}"))});
    auto client = api.client();
    EXPECT_EQ(client.get("w1").error().kind, FailureKind::server_failed);
    EXPECT_EQ(client.get("w1").error().kind, FailureKind::server_failed);
}

TEST(Client, ABadAddressFailsEveryCall) {
    Client client("ftp://somewhere");
    EXPECT_EQ(client.get("w1").error().kind, FailureKind::invalid);
}

TEST(RetryOnConflict, WritesUnderTheVersionThatWasRead) {
    ScriptedApi api({workflow(4, R"({"n": 1})"), edited(5, R"({"n": 2})")});
    auto client = api.client();
    Waits waits;
    const auto settled =
        expect<Settled>(retry_on_conflict(client, "w1", increment, waits.options()));
    EXPECT_EQ(settled.version, 5u);
    EXPECT_EQ(settled.how, Settled::How::written);
    EXPECT_EQ(settled.attempts, 1);
    EXPECT_TRUE(waits.taken.empty());
    EXPECT_EQ(api.asked().at(1).headers.find("If-Match"), "\"4\"");
    EXPECT_EQ(api.asked().at(1).body, R"({"state":{"n":2}})");
}

TEST(RetryOnConflict, AppliesTheChangeAgainToTheCurrentState) {
    ScriptedApi api(
        {workflow(4, R"({"n": 1})"), stale(6, R"({"n": 10})"), edited(7, R"({"n": 11})")});
    auto client = api.client();
    Waits waits;
    const auto settled =
        expect<Settled>(retry_on_conflict(client, "w1", increment, waits.options()));
    EXPECT_EQ(settled.state, parsed(R"({"n": 11})"));
    EXPECT_EQ(settled.attempts, 2);
    EXPECT_EQ(api.asked().at(2).headers.find("If-Match"), "\"6\"");
    EXPECT_EQ(api.asked().at(2).body, R"({"state":{"n":11}})");
    EXPECT_EQ(waits.taken, std::vector{100ms});
}

TEST(RetryOnConflict, GivesUpAfterThreeAttemptsWithDoublingDelays) {
    ScriptedApi api({workflow(1, "{}"), stale(2, R"({"x": 1})"), stale(3, R"({"x": 2})"),
                     stale(4, R"({"x": 3})")});
    auto client = api.client();
    Waits waits;
    const auto conflict =
        expect<Conflict>(retry_on_conflict(client, "w1", set_a, waits.options(Merge{})));
    EXPECT_EQ(conflict.current_version, 4u);
    EXPECT_EQ(waits.taken, (std::vector{100ms, 200ms}));
    EXPECT_EQ(api.asked().at(3).body, R"({"state":{"x":2,"a":1}})");
}

TEST(RetryOnConflict, JitterOnlyShortensADelay) {
    ScriptedApi api({workflow(1, "{}"), stale(2, "{}"), edited(3, "{}")});
    auto client = api.client();
    Waits waits;
    RetryOptions options = waits.options();
    options.jitter = 0.5;
    options.random = [] { return 0.5; };
    expect<Settled>(retry_on_conflict(client, "w1", set_a, options));
    EXPECT_EQ(waits.taken, std::vector{75ms});
}

TEST(RetryOnConflict, LetsTheServerWinWithoutWritingAgain) {
    ScriptedApi api({workflow(1, "{}"), stale(2, R"({"b": 1})")});
    auto client = api.client();
    Waits waits;
    const auto settled =
        expect<Settled>(retry_on_conflict(client, "w1", set_a, waits.options(ServerWins{})));
    EXPECT_EQ(settled.how, Settled::How::server_won);
    EXPECT_EQ(settled.version, 2u);
    EXPECT_EQ(settled.state, parsed(R"({"b": 1})"));
    EXPECT_EQ(api.asked().size(), 2u);
}

TEST(RetryOnConflict, OverlappingChangesComeBackAsAConflict) {
    ScriptedApi api({workflow(1, R"({"a": 0})"), stale(2, R"({"a": 5})")});
    auto client = api.client();
    Waits waits;
    const auto conflict =
        expect<Conflict>(retry_on_conflict(client, "w1", set_a, waits.options(Merge{})));
    EXPECT_EQ(conflict.paths, std::vector<std::string>{"/a"});
}

TEST(RetryOnConflict, WritesNothingWhenNothingChanges) {
    ScriptedApi api({workflow(3, R"({"a": 1.0})")});
    auto client = api.client();
    Waits waits;
    const auto settled = expect<Settled>(retry_on_conflict(client, "w1", set_a, waits.options()));
    EXPECT_EQ(settled.how, Settled::How::already_so);
    EXPECT_EQ(settled.attempts, 0);
}

TEST(RetryOnConflict, WaitsAsLongAsABusyServerAsks) {
    ScriptedApi api({workflow(1, "{}"), later(429, "overloaded", "2"),
                     later(503, "store-unavailable", "3600"), edited(2, R"({"a": 1})")});
    auto client = api.client();
    Waits waits;
    const auto settled = expect<Settled>(retry_on_conflict(client, "w1", set_a, waits.options()));
    EXPECT_EQ(settled.version, 2u);
    EXPECT_EQ(waits.taken, (std::vector{2'000ms, 10'000ms}));
}

TEST(RetryOnConflict, ABusyServerUsesUpAttempts) {
    ScriptedApi api({later(429, "overloaded", "0"), later(429, "overloaded", "0"),
                     later(429, "overloaded", "0")});
    auto client = api.client();
    Waits waits;
    const auto answer = retry_on_conflict(client, "w1", set_a, waits.options());
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::overloaded);
    EXPECT_EQ(api.asked().size(), 3u);
}

TEST(RetryOnConflict, APermanentFailureIsNotRetried) {
    ScriptedApi api({http::problem(404, "not-found", "Not found", "no such workflow")});
    auto client = api.client();
    Waits waits;
    const auto answer = retry_on_conflict(client, "w1", set_a, waits.options());
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().kind, FailureKind::not_found);
    EXPECT_TRUE(waits.taken.empty());
}

// Answers a write with "outcome unknown" although it was committed; the history has it.
class ForgetfulApi {
public:
    ForgetfulApi()
        : server_(
              {}, [](const Request&) { return std::nullopt; },
              [this](Request request, http::Respond respond) { respond(answer(request)); }) {
        EXPECT_TRUE(server_.start());
    }
    Client client() const { return Client("http://127.0.0.1:" + std::to_string(server_.port())); }
    int writes() const { return writes_; }

private:
    Response answer(const Request& request) {
        if (request.method == Method::patch) {
            if (++writes_ > 1) return stale(2, R"({"n": 2})");
            correlation_ = request.headers.find("X-Correlation-Id").value_or("");
            return later(503, "outcome-unknown", "1");
        }
        if (request.path.back() == "history") return history_of(2, correlation_);
        return workflow(1, R"({"n": 1})");
    }

    std::string correlation_;
    std::atomic<int> writes_ = 0;
    http::Server server_;
};

TEST(RetryOnConflict, AnEditWhoseAnswerWasLostIsMadeOnce) {
    ForgetfulApi api;
    auto client = api.client();
    Waits waits;
    const auto settled =
        expect<Settled>(retry_on_conflict(client, "w1", increment, waits.options()));
    EXPECT_EQ(settled.version, 2u);
    EXPECT_EQ(settled.state, parsed(R"({"n": 2})"));
    EXPECT_EQ(api.writes(), 2);
}

}  // namespace
}  // namespace holdfast::client
