#include <random>

#include "faults/loads.h"
#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {

using namespace std::chrono_literals;
using std::chrono::microseconds;

FaultReport kill_on_sqlite(const FaultOptions& options) {
    FaultReport report{.name = "kill -9 on SQLite"};
    std::mt19937_64 random(options.seed);
    StorePlace place("sqlite");
    const EffectFile effects;
    ServerProcess server(place.url(), {}, effects.setting());
    Loads loads({.drivers = 4, .seed = options.seed},
                {.drivers = 4, .stages = 4, .seed = options.seed}, {server.url()});
    std::size_t while_starting = 0;
    for (Rounds rounds(options, report); rounds.next();) {
        if (!loads.outside.wait_for(20 + random() % 100, 30s))
            report.wrong.push_back("the server acknowledges too few requests");
        let_pass(microseconds(random() % 5'000));
        server.kill9();
        if (random() % 4 == 0) {
            server.launch();
            let_pass(microseconds(random() % 60'000));
            server.kill9();
            ++while_starting;
        }
        server.restart();
        loads.move(0, server.url());
        report.milliseconds.push_back(server.start_time().count() * 1000);
    }
    report.more = std::to_string(while_starting) + " more killed while starting";
    loads.judge(server.url(), effects, report);
    return report;
}

}  // namespace holdfast::testing
