#include "raw.h"

#include <libpq-fe.h>
#include <poll.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <thread>

#include "base/threads/threads.h"
#include "report.h"

namespace holdfast::bench {
namespace {

using Steady = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

class Session {
public:
    explicit Session(const std::string& url) : connection_(PQconnectdb(url.c_str()), PQfinish) {
        if (PQstatus(connection_.get()) != CONNECTION_OK)
            throw std::runtime_error(PQerrorMessage(connection_.get()));
    }

    void run(const char* sql) {
        const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection_.get(), sql),
                                                                   PQclear);
        const ExecStatusType status = PQresultStatus(result.get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            throw std::runtime_error(PQerrorMessage(connection_.get()));
    }
    void wait_for_notification() {
        for (;;) {
            PQconsumeInput(connection_.get());
            if (PGnotify* received = PQnotifies(connection_.get())) return PQfreemem(received);
            pollfd ready{PQsocket(connection_.get()), POLLIN, 0};
            if (::poll(&ready, 1, 10'000) == 0)
                throw std::runtime_error("no notification within 10 s");
        }
    }

private:
    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
};

double round_trip(const std::string& url, std::size_t rounds) {
    Session here(url);
    Session there(url);
    here.run("listen raw_back");
    there.run("listen raw_there");
    std::jthread echo = named_thread("echo", [&](std::stop_token) {
        for (std::size_t n = 0; n < rounds; ++n) {
            there.wait_for_notification();
            there.run("notify raw_back");
        }
    });
    std::vector<double> times;
    for (std::size_t n = 0; n < rounds; ++n) {
        const auto began = Steady::now();
        here.run("notify raw_there");
        here.wait_for_notification();
        times.push_back(Milliseconds(Steady::now() - began).count());
    }
    echo.join();
    return percentile(times, 0.5);
}

double transactions(const std::string& url, std::size_t rounds) {
    Session session(url);
    session.run("create table raw_state (id bigserial primary key, body text)");
    session.run("create table raw_queue (id bigserial primary key, body text)");
    session.run(
        "prepare two_rows as with s as (insert into raw_state (body) values ('{}') returning 1) "
        "insert into raw_queue (body) values ('{}')");
    const auto began = Steady::now();
    for (std::size_t n = 0; n < rounds; ++n) session.run("execute two_rows");
    return static_cast<double>(rounds) /
           std::chrono::duration<double>(Steady::now() - began).count();
}

}  // namespace

RawSignals raw_signals(const std::string& url, std::size_t rounds) {
    return {.round_trip_ms = round_trip(url, rounds),
            .transactions_per_second = transactions(url, rounds)};
}

}  // namespace holdfast::bench
