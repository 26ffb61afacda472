#include "fan_out.h"

#include <atomic>
#include <boost/json.hpp>
#include <stdexcept>

#include "base/threads/pause.h"
#include "base/threads/threads.h"

namespace holdfast::bench {
namespace {

namespace bj = boost::json;
using Clock = std::chrono::steady_clock;
using http::Method;

// How many signals the server has handled. The sample exists from the first one on.
double handled(http::ClientConnection& connection) {
    const std::string sample = R"(holdfast_signals_handled_total{outcome="handled"} )";
    const auto response = connection.exchange(Method::get, "/metrics", {}, {});
    if (!response) throw std::runtime_error(response.error().message);
    const std::size_t at = response->body.find(sample);
    return at == std::string::npos ? 0 : std::stod(response->body.substr(at + sample.size()));
}

std::string start(http::ClientConnection& connection, const std::string& definition) {
    const bj::value started = request(connection, Method::post, "/api/v1/workflows",
                                      bj::serialize(bj::object{{"definition", definition}}), {201});
    return "/api/v1/workflows/" + std::string(started.at("id").as_string());
}

void begin_waits(const std::string& url, const std::string& definition, std::size_t count) {
    constexpr std::size_t clients = 50;
    const auto exchange = [&](http::ClientConnection& connection, std::size_t, std::size_t) {
        const std::string path = start(connection, definition);
        (void)request(connection, Method::post, path + "/wait",
                      R"({"run":1,"index":0,"names":["flood"]})", {200});
    };
    const ClientWork work = run_clients(url, {clients, std::chrono::minutes(5), count}, exchange);
    if (work.total() != static_cast<double>(count))
        throw std::runtime_error("not every workflow waits");
}

// Sends to its own workflow until it is told to stop. How long each request took.
class Other {
public:
    Other(const std::string& url, const std::string& definition)
        : connection_(connect(url)), path_(start(connection_, definition) + "/events/mine") {}

    std::vector<double> run(const std::function<bool()>& goes_on) {
        std::vector<double> times_ms;
        while (goes_on()) {
            const auto sent = Clock::now();
            (void)request(connection_, Method::post, path_, R"({"value":1})", {200, 202});
            times_ms.push_back(
                std::chrono::duration<double, std::milli>(Clock::now() - sent).count());
        }
        return times_ms;
    }

private:
    http::ClientConnection connection_;
    std::string path_;
};

void wait_until_handled(http::ClientConnection& connection, double count) {
    const auto end = Clock::now() + std::chrono::minutes(5);
    while (handled(connection) < count) {
        if (Clock::now() > end) throw std::runtime_error("not every wait ended within 5 minutes");
        pause_for(std::chrono::milliseconds(20));
    }
}

}  // namespace

FanOutWork wake_all(const std::string& url, const std::string& definition, std::size_t waiters,
                    std::chrono::seconds alone) {
    begin_waits(url, definition, waiters);
    FanOutWork work;
    Other other(url, definition);
    const auto until = Clock::now() + alone;
    work.alone_ms = other.run([&] { return Clock::now() < until; });

    http::ClientConnection connection = connect(url);
    const double before = handled(connection);
    std::atomic<bool> done = false;
    const auto began = Clock::now();
    {
        const auto thread = named_thread("other", [&](const std::stop_token&) {
            work.meanwhile_ms = other.run([&] { return !done; });
        });
        try {
            (void)request(connection, Method::post, "/api/v1/events/flood",
                          R"({"value":1,"fanOut":"all"})", {200, 202});
            wait_until_handled(connection, before + static_cast<double>(waiters));
        } catch (...) {
            done = true;
            throw;
        }
        done = true;
    }
    work.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    return work;
}

}  // namespace holdfast::bench
