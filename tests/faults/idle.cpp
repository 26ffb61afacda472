#include <unistd.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/threads/pause.h"
#include "faults/faults.h"
#include "support/server_client.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
namespace fs = std::filesystem;
using namespace std::chrono_literals;

// The statement that renews a node's lease; the only one allowed while all workflows wait.
bool is_heartbeat(const std::string& sql) { return sql.contains("update nodes"); }

// Counts the statements that a store executed since the last reset, by text.
class StatementCount {
public:
    explicit StatementCount(const StorePlace& place)
        : place_(place), log_(fs::temp_directory_path() / ("statements-" + unique())) {
        if (is_postgres()) place_.execute("create extension pg_stat_statements");
    }
    ~StatementCount() {
        std::error_code ignored;
        fs::remove(log_, ignored);
    }
    StatementCount(const StatementCount&) = delete;
    StatementCount& operator=(const StatementCount&) = delete;

    // For the server whose statements are counted.
    ProcessSetting setting() const {
        if (is_postgres()) return {};
        const std::string library = fs::path(holdfast_binary()).parent_path() / "statement_log.so";
        ProcessSetting setting;
        setting.preload(library);
        setting.environment.push_back("STATEMENT_LOG=" + log_);
        return setting;
    }

    void reset() {
        if (is_postgres())
            place_.execute("select pg_stat_statements_reset()");
        else
            fs::resize_file(log_, 0);
    }

    std::map<std::string, std::size_t> counted() const {
        std::map<std::string, std::size_t> counts;
        std::istringstream lines(is_postgres() ? place_.query(counts_sql) : content());
        for (std::string line; std::getline(lines, line);) {
            const std::size_t tab = is_postgres() ? line.find('\t') : std::string::npos;
            if (tab == std::string::npos)
                ++counts[line];
            else
                counts[line.substr(tab + 1)] += std::stoul(line.substr(0, tab));
        }
        return counts;
    }

private:
    static constexpr const char* counts_sql =
        "select string_agg(calls || E'\\t' || translate(left(query, 200), E'\\n', ' '), E'\\n') "
        "from pg_stat_statements s join pg_database d on d.oid = s.dbid "
        "where d.datname = current_database() and query not like '%pg_stat_statements%'";

    bool is_postgres() const { return place_.kind() == "postgres"; }
    static std::string unique() { return std::to_string(::getpid()); }
    std::string content() const {
        std::ostringstream text;
        text << std::ifstream(log_).rdbuf();
        return text.str();
    }

    const StorePlace& place_;
    const std::string log_;
};

// Suspends workflows for days; without a server, which is faster.
void suspend_many(World& world, std::size_t count) {
    world.define("sleeper");
    std::vector<op::Start> starts;
    std::vector<op::Suspend> waits;
    for (std::size_t i = 0; i < count; ++i) {
        starts.push_back({.cause = world.cause(),
                          .definition = "sleeper",
                          .state = document("{}"),
                          .state_metadata = document("{}")});
        waits.push_back({.cause = world.cause(), .instance = starts.back().instance()});
        waits.back().after = std::chrono::hours(24 + i % 1'000);
    }
    for (const auto& outcome : world.coordinator->run_all(std::move(starts)))
        if (!outcome) throw std::runtime_error(outcome.error().message);
    for (const auto& outcome : world.coordinator->run_all(std::move(waits)))
        if (!outcome) throw std::runtime_error(outcome.error().message);
    world.coordinator.reset();
    world.store.reset();
}

// Starts a workflow whose timer is due right after the idle time.
std::string arm_timer(ServerClient& client, std::chrono::milliseconds after) {
    const std::string id = client.must_start({.definition = "sleeper", .state = bj::object{}});
    const auto reply = client.post(
        "/api/v1/workflows/" + id + "/wait",
        R"({"run": 1, "index": 0, "after": ")" + std::to_string(after.count()) + "ms\"}");
    if (!reply || reply->status != 200) throw std::runtime_error("the timer was not armed");
    return id;
}

// How late its timer was delivered, by the store's clock, in milliseconds.
double lateness_of(ServerClient& client, const std::string& id) {
    const bj::value poll = client.must_get("/api/v1/workflows/" + id + "/wait?index=0&timeout=20s");
    if (poll.at("outcome") != "delivered") throw std::runtime_error("the timer did not fire");
    const bj::value page = client.must_get("/api/v1/workflows/" + id + "/history?from=3");
    const bj::value& row = page.at("items").at(0);
    const auto moment = [](const bj::value& text) {
        return parse_iso8601(std::string(text.as_string())).value();
    };
    const auto late = moment(row.at("at")) - moment(row.at("payload").at("value").at("due"));
    return std::chrono::duration<double, std::milli>(late).count();
}

// Waits until the server has finished its work after the start.
void let_settle(const StatementCount& statements) {
    std::map<std::string, std::size_t> before;
    for (int seconds = 0; seconds < 30; ++seconds) {
        pause_for(1s);
        auto after = statements.counted();
        std::erase_if(after, [&](const auto& one) { return is_heartbeat(one.first); });
        if (before == after) return;
        before = std::move(after);
    }
}

}  // namespace

FaultReport run_idle(const IdleOptions& options) {
    FaultReport report{.name = "idle on " + options.store, .recovery = "the next timer is late by"};
    World world(options.store);
    suspend_many(world, options.suspended);
    StatementCount statements(world.place);
    ServerProcess server(world.place.url(), {}, statements.setting());
    ServerClient client(server.url());
    let_settle(statements);
    const std::string timer = arm_timer(client, options.time + 2s);
    pause_for(500ms);
    statements.reset();
    pause_for(options.time);
    std::size_t heartbeats = 0;
    for (const auto& [text, count] : statements.counted()) {
        if (is_heartbeat(text))
            heartbeats += count;
        else
            report.wrong.push_back(std::to_string(count) + " times while idle: " + text);
    }
    const double late = lateness_of(client, timer);
    if (statements.counted().size() < 2)
        report.wrong.push_back("the statement log is not recording");
    if (late < 0) report.wrong.push_back("the timer fired early");
    report.milliseconds.push_back(late);
    report.more = std::to_string(options.suspended) + " suspended for " +
                  std::to_string(options.time.count()) + " s, " + std::to_string(heartbeats) +
                  " heartbeats";
    return report;
}

}  // namespace holdfast::testing
