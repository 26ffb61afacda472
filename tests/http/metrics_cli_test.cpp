// Metrics and log lines of a real server.
#include <algorithm>
#include <sstream>

#include "command_line.h"
#include "http/wire/client_connection.h"

namespace holdfast::cli {
namespace {

std::string metrics_of(const std::string& url) {
    auto connection = http::ClientConnection::to(url);
    if (!connection) return {};
    const auto response = connection->exchange(http::Method::get, "/metrics");
    return response ? response->body : "";
}

// Of a line such as `name{label="value"} 3`; absent: there is none.
std::optional<double> value_in(const std::string& metrics, const std::string& series) {
    std::istringstream in(metrics);
    for (std::string line; std::getline(in, line);)
        if (line.rfind(series + " ", 0) == 0) return std::stod(line.substr(series.size() + 1));
    return std::nullopt;
}

// A server of its own, so that its log and its counts are its own.
class LoggingServer {
public:
    LoggingServer()
        : pid_(spawn({"serve", "--store", "sqlite:" + place_.file("log.db"), "--listen",
                      "127.0.0.1:0", "--address-file", place_.file("address"), "--log-format",
                      "json", "--log-level", "debug"},
                     place_)) {
        url_ = wait_for(place_, "address").value_or("");
    }
    ~LoggingServer() { stop(); }

    Ran on(std::vector<std::string> arguments) const {
        arguments.insert(arguments.end(), {"--server", url_});
        return run(std::move(arguments));
    }
    const std::string& url() const { return url_; }
    void stop() {
        if (pid_ == 0) return;
        ::kill(pid_, SIGTERM);
        EXPECT_EQ(exit_code_of(std::exchange(pid_, 0)), 0);
    }
    // Each line of the log.
    std::vector<bj::object> lines() const {
        std::vector<bj::object> all;
        std::istringstream in(content_of(place_.file("stderr")));
        for (std::string line; std::getline(in, line);) {
            boost::system::error_code error;
            const bj::value value = bj::parse(line, error);
            EXPECT_FALSE(error) << line;
            if (!error && value.is_object()) all.push_back(value.get_object());
        }
        return all;
    }
    const bj::object* find(const std::vector<bj::object>& lines, std::string_view event) const {
        for (const bj::object& line : lines)
            if (line.at("event").as_string() == event) return &line;
        return nullptr;
    }

private:
    Directory place_;
    pid_t pid_;
    std::string url_;
};

TEST(MetricsOfAServer, CountWorkflowsByDefinitionAndStatus) {
    LoggingServer server;
    ASSERT_EQ(server.on({"define", "order"}).code, 0);
    for (const char* key : {"a", "b", "c"})
        ASSERT_EQ(server.on({"start", "order", "--business-key", key}).code, 0);
    ASSERT_EQ(server.on({"cancel", "c"}).code, 0);
    const std::string text = metrics_of(server.url());
    EXPECT_EQ(value_in(text, R"(holdfast_workflows_started_total{definition="order"})"), 3);
    EXPECT_EQ(
        value_in(text, R"(holdfast_workflows_ended_total{definition="order",status="cancelled"})"),
        1);
    EXPECT_EQ(value_in(text, R"(holdfast_open_workflows{definition="order",status="running"})"), 2);
    EXPECT_EQ(value_in(text, "holdfast_store_up"), 1);
    for (const char* name :
         {"holdfast_incidents", "holdfast_open_tasks", "holdfast_dead_letters",
          "holdfast_dead_events", "holdfast_signals_queued", "holdfast_timers_armed",
          "holdfast_signals_oldest_seconds", "holdfast_timers_overdue_seconds"})
        EXPECT_EQ(value_in(text, name), 0) << name;
    ASSERT_EQ(server.on({"cancel", "a"}).code, 0);
    ASSERT_EQ(server.on({"cancel", "b"}).code, 0);
    EXPECT_EQ(value_in(metrics_of(server.url()),
                       R"(holdfast_open_workflows{definition="order",status="running"})"),
              0)
        << "a group that is gone is 0";
    EXPECT_EQ(server.on({"show", "nothing"}).code, 4);
    const std::string later = metrics_of(server.url());
    const std::string start = R"({method="POST",route="/api/v1/workflows")";
    EXPECT_EQ(value_in(later, "holdfast_http_responses_total" + start + R"(,status="201"})"), 3);
    EXPECT_EQ(value_in(later, "holdfast_http_request_seconds_count" + start + "}"), 3);
}

TEST(LogOfAServer, HasALineOfJsonForWhatFailed) {
    LoggingServer server;
    ASSERT_EQ(server.on({"define", "order"}).code, 0);
    const Ran began = server.on({"start", "order", "--business-key", "k\n1", "-o", "json"});
    EXPECT_NE(began.code, 0) << "a key has no control characters";
    const Ran good = server.on({"start", "order", "--business-key", "k-1", "-o", "json"});
    ASSERT_EQ(good.code, 0) << good.err;
    const std::string id(bj::parse(good.out).at("id").as_string());
    auto connection = http::ClientConnection::to(server.url());
    http::Headers headers;
    headers.add("Content-Type", "application/json");
    const auto failed = connection->exchange(
        http::Method::post, "/api/v1/workflows/" + id + "/fail", headers,
        R"({"run": 1, "index": 0, "code": "card_declined", "error": {"message": "no"}})");
    ASSERT_TRUE(failed);
    ASSERT_EQ(failed->status, 200) << failed->body;
    server.stop();
    const auto lines = server.lines();
    const bj::object* line = server.find(lines, "workflow.failed");
    ASSERT_NE(line, nullptr);
    EXPECT_EQ(line->at("level").as_string(), "warn");
    EXPECT_EQ(line->at("workflow").as_string(), id);
    EXPECT_EQ(line->at("definition").as_string(), "order");
    EXPECT_EQ(line->at("businessKey").as_string(), "k-1");
    EXPECT_EQ(line->at("code").as_string(), "card_declined");
    EXPECT_TRUE(line->contains("time"));
    const auto is_refused_start = [](const bj::object& told) {
        return told.at("event").as_string() == "http.request_refused" &&
               told.at("route").as_string() == "/api/v1/workflows" &&
               told.at("status").as_int64() == 400;
    };
    EXPECT_EQ(std::ranges::count_if(lines, is_refused_start), 1);
}

}  // namespace
}  // namespace holdfast::cli
