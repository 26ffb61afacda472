// bench http: requests to a real server, with and without many open streams of changes in turn, in
// the same run. The streams follow what does not happen, as screens of other workflows do.
#include <CLI/CLI.hpp>
#include <boost/json.hpp>
#include <fstream>
#include <iostream>

#include "base/log.h"
#include "base/threads/threads.h"
#include "crowd_of_streams.h"
#include "http/wire/client_connection.h"
#include "measures/samples.h"
#include "report.h"
#include "support/server_client.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::bench {
namespace {

namespace bj = boost::json;
using Steady = std::chrono::steady_clock;

struct Options {
    std::optional<std::string> json;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    std::size_t turns = 5;
    std::size_t seconds = 2;
    std::size_t clients = 16;
    std::size_t streams = 1'000;
};

// What one client does again and again: a number of requests.
using Work = std::function<std::size_t(http::ClientConnection&)>;

bj::value call(http::ClientConnection& connection, http::Method method, const std::string& target,
               const std::string& body = {}) {
    http::Headers headers;
    if (!body.empty()) headers.add("Content-Type", "application/json");
    const auto response = connection.exchange(method, target, headers, body);
    if (!response) throw std::runtime_error(response.error().message);
    if (response->status >= 300) throw std::runtime_error(response->body);
    return bj::parse(response->body);
}

std::size_t start_and_read(http::ClientConnection& connection) {
    const bj::value started = call(connection, http::Method::post, "/api/v1/workflows",
                                   R"({"definition": "order", "state": {"n": 1}})");
    call(connection, http::Method::get,
         "/api/v1/workflows/" + std::string(started.at("id").as_string()));
    return 2;
}

// User and system time of a process so far.
double seconds_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    std::istringstream rest(text.substr(text.rfind(')') + 1));
    std::string skipped;
    for (int i = 0; i < 11; ++i) rest >> skipped;
    double user = 0;
    double system = 0;
    rest >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

struct Turn {
    double per_second = 0;
    double server_us = 0;  // processor time of the server, per request
};

Turn run_turn(const testing::ServerProcess& server, const Options& options, const Work& work) {
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> failed = false;
    const double used = seconds_of(server.pid());
    const auto began = Steady::now();
    const auto end = began + std::chrono::seconds(options.seconds);
    {
        std::vector<std::jthread> clients;
        for (std::size_t i = 0; i < options.clients; ++i)
            clients.push_back(named_thread("client", [&](const std::stop_token&) {
                try {
                    auto connection = *http::ClientConnection::to(server.url());
                    while (Steady::now() < end) done += work(connection);
                } catch (const std::exception& error) {
                    std::cerr << error.what() << std::endl;
                    failed = true;
                }
            }));
    }
    if (failed) throw std::runtime_error("a request failed");
    const double seconds = std::chrono::duration<double>(Steady::now() - began).count();
    const auto requests = static_cast<double>(done);
    return {requests / seconds, (seconds_of(server.pid()) - used) * 1e6 / requests};
}

// In turn: without streams, with them, without them, ...
void run_store(const std::string& store, const Options& options, Samples& samples) {
    const testing::StorePlace place(store);
    const std::string most = std::to_string(options.streams + 100);
    const testing::ServerProcess server(place.url(),
                                        {"--max-connections", most, "--max-streams", most});
    testing::ServerClient(server.url()).define("order");
    testing::ServerClient(server.url()).define("other");
    run_turn(server, options, start_and_read);  // warm
    const std::string with = "start and read, " + std::to_string(options.streams) + " streams";
    for (std::size_t n = 0; n < options.turns; ++n) {
        const Turn alone = run_turn(server, options, start_and_read);
        const CrowdOfStreams crowd(server.url(), "/api/v1/stream?definition=other",
                                   options.streams);
        const Turn beside = run_turn(server, options, start_and_read);
        crowd.check();
        samples.add({"start and read", store, "requests_per_second", alone.per_second, "1/s", {}});
        samples.add({"start and read", store, "server_cpu", alone.server_us, "us", {}});
        samples.add(
            {with, store, "requests_per_second", beside.per_second, "1/s", alone.per_second});
        samples.add({with, store, "server_cpu", beside.server_us, "us", alone.server_us});
    }
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    CLI::App app{"Requests to a server, with and without open streams of changes"};
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--stores", options.stores, "sqlite, postgres or both")->delimiter(',');
    app.add_option("--turns", options.turns, "turns without and with streams; medians are printed");
    app.add_option("--seconds", options.seconds, "length of a turn");
    app.add_option("--clients", options.clients, "concurrent clients");
    app.add_option("--streams", options.streams, "open streams");
    CLI11_PARSE(app, argc, argv);
    log::set_level(log::Level::warn);
    try {
        bench::allow_open_files(options.streams + 256);
        bench::Samples samples;
        for (const std::string& store : options.stores) bench::run_store(store, options, samples);
        bench::Report report("http", options.json);
        samples.report(report);
    } catch (const std::exception& error) {
        std::cerr << "bench http: " << error.what() << std::endl;
        return 1;
    }
    return 0;
}
