// bench events: many clients send events to one workflow of a real server; an external runner
// consumes them afterwards, then concurrently; one event wakes thousands while another client
// works. Compared with requests that write nothing, and with inserting the rows alone.
#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <future>
#include <iostream>

#include "base/log.h"
#include "base/threads/threads.h"
#include "fan_out.h"
#include "mail.h"
#include "raw_limit.h"
#include "report.h"
#include "support/server_client.h"
#include "support/server_process.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    std::optional<std::string> json;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    int seconds = 5;
    std::size_t clients = 64;
    std::size_t events = 20'000;
    std::size_t waiters = 5'000;

    ClientLoad load() const { return {clients, std::chrono::seconds(seconds), events}; }
};

double seconds_since(Clock::time_point began) {
    return std::chrono::duration<double>(Clock::now() - began).count();
}

// One server, and the workloads against it.
class Bench {
public:
    Bench(const std::string& kind, const Options& options, Report& report)
        : options_(options),
          report_(report),
          place_(kind),
          server_(place_.url(), {"--event-queue", "1000000"}),
          client_(server_.url()) {
        if (const auto defined = client_.define("bench"); !defined || defined->status >= 300)
            throw std::runtime_error("could not create the definition");
    }

    void run() {
        measure_http();
        send_then_consume();
        send_and_consume();
        wake_many();
        (void)server_.terminate();
        const RawLimit limit = raw_limit(place_, std::chrono::seconds(options_.seconds));
        add("raw limit, 1 a commit", "events_per_second", limit.one_a_commit, "1/s");
        add("raw limit, 64 a commit", "events_per_second", limit.many_a_commit, "1/s");
        add(sending(), "accepted_per_second", accepted_rate_, "1/s", limit.many_a_commit);
        add("one runner, queue full", "consumed_per_second", consumed_rate_, "1/s",
            limit.one_a_commit);
    }

private:
    std::string sending() const { return "send, " + std::to_string(options_.clients) + " clients"; }

    void add(const std::string& workload, const std::string& metric, double value,
             const std::string& unit, std::optional<double> limit = std::nullopt) {
        report_.add({workload, place_.kind(), metric, value, unit, limit});
    }

    std::string start() {
        return client_.must_start({.definition = "bench", .state = boost::json::object{}});
    }

    double commits() { return client_.metric("holdfast_commits_total"); }

    void add_latencies(const std::string& workload, ClientWork& work) {
        add(workload, "p50_ms", percentile(work.latencies_ms, 0.5), "ms");
        add(workload, "p99_ms", percentile(work.latencies_ms, 0.99), "ms");
    }

    // The rate of HTTP alone, with these clients on this machine.
    void measure_http() {
        auto work =
            run_clients(server_.url(), options_.load(),
                        [](http::ClientConnection& connection, std::size_t, std::size_t) {
                            (void)request(connection, http::Method::get, "/healthz", {}, {200});
                        });
        http_rate_ = work.rate();
        const std::string workload =
            "GET /healthz, " + std::to_string(options_.clients) + " clients";
        add(workload, "requests_per_second", http_rate_, "1/s");
        add_latencies(workload, work);
    }

    void send_then_consume() {
        Target target(server_.url(), start());
        const double before = commits();
        auto work = target.send(options_.load());
        const double sent = commits();
        accepted_rate_ = work.rate();
        add(sending(), "accepted", work.total(), "1");
        add(sending(), "commits_per_event", (sent - before) / work.total(), "1");
        add(sending(), "accepted_to_healthz", accepted_rate_ / http_rate_, "1");
        add_latencies(sending(), work);

        target.send_end();
        const auto began = Clock::now();
        target.consume();
        consumed_rate_ = work.total() / seconds_since(began);
        target.must_have_consumed(work);
    }

    // Kills the server if sending fails, so that the runner does not wait for more events.
    ClientWork send_to(Target& target) {
        try {
            return target.send(options_.load());
        } catch (...) {
            server_.kill9();
            throw;
        }
    }

    void send_and_consume() {
        Target target(server_.url(), start());
        const double before = commits();
        const auto began = Clock::now();
        std::promise<void> all_taken;
        const auto runner = named_thread("runner", [&](const std::stop_token&) {
            try {
                target.consume();
                all_taken.set_value();
            } catch (...) {
                all_taken.set_exception(std::current_exception());
            }
        });
        auto work = send_to(target);
        const auto meanwhile = static_cast<double>(target.consumed());
        const double sent = commits();
        target.send_end();
        all_taken.get_future().get();
        const double whole = seconds_since(began);
        target.must_have_consumed(work);

        const std::string workload = sending() + " and one runner";
        add(workload, "accepted_per_second", work.rate(), "1/s");
        add(workload, "consumed_meanwhile", meanwhile / work.seconds, "1/s");
        add(workload, "all_through_per_second", work.total() / whole, "1/s");
        add(workload, "commits_per_event", (sent - before) / work.total(), "1");
        add_latencies(workload, work);
    }

    void wake_many() {
        FanOutWork work = wake_all(server_.url(), "bench", options_.waiters,
                                   std::chrono::seconds(options_.seconds));
        const std::string workload = "fan-out to " + std::to_string(options_.waiters);
        const double alone = percentile(work.alone_ms, 0.99);
        add(workload, "woken_per_second", static_cast<double>(options_.waiters) / work.seconds,
            "1/s");
        add(workload, "other_alone_p50_ms", percentile(work.alone_ms, 0.5), "ms");
        add(workload, "other_alone_p99_ms", alone, "ms");
        add(workload, "other_p50_ms", percentile(work.meanwhile_ms, 0.5), "ms");
        add(workload, "other_p99_ms", percentile(work.meanwhile_ms, 0.99), "ms");
        add(workload, "other_p99_to_alone", percentile(work.meanwhile_ms, 0.99) / alone, "1");
        add(workload, "other_longest_ms", percentile(work.meanwhile_ms, 1), "ms");
    }

    const Options& options_;
    Report& report_;
    testing::StorePlace place_;
    testing::ServerProcess server_;
    testing::ServerClient client_;
    double http_rate_ = 0;
    double accepted_rate_ = 0;
    double consumed_rate_ = 0;
};

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    CLI::App app{"Events to one workflow through HTTP, on both stores"};
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--stores", options.stores, "sqlite, postgres or both")->delimiter(',');
    app.add_option("--seconds", options.seconds, "seconds per workload")
        ->check(CLI::PositiveNumber);
    app.add_option("--clients", options.clients, "clients, each with one connection")
        ->check(CLI::PositiveNumber);
    app.add_option("--events", options.events, "at most this many events per workload")
        ->check(CLI::PositiveNumber);
    app.add_option("--waiters", options.waiters, "workflows that one event wakes")
        ->check(CLI::PositiveNumber);
    CLI11_PARSE(app, argc, argv);
    log::set_level(log::Level::warn);
    bench::Report report("events", options.json);
    try {
        for (const std::string& kind : options.stores) bench::Bench(kind, options, report).run();
    } catch (const std::exception& error) {
        std::cerr << "bench events: " << error.what() << '\n';
        return 1;
    }
    return 0;
}
