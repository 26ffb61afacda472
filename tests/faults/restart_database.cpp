#include <random>

#include "faults/cluster.h"
#include "faults/faults.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

constexpr const char* end_some_connections =
    "select pg_terminate_backend(pid)::text from pg_stat_activity where application_name = "
    "'holdfast' "
    "and pid <> pg_backend_pid() "
    "order by random() limit 3";

}  // namespace

FaultReport restart_database(const FaultOptions& options) {
    FaultReport report{.name = "PostgreSQL restarts", .recovery = "acknowledged again after"};
    std::mt19937_64 random(options.seed);
    Cluster cluster({.nodes = std::vector<ProcessSetting>(2)});
    RelayLoad load({.seed = options.seed}, cluster.urls());
    std::size_t ended = 0;
    for (Rounds rounds(options, report); rounds.next();) {
        if (!load.wait_for(20 + random() % 60, 30s))
            report.wrong.push_back("the nodes acknowledge too few requests");
        let_pass(microseconds(random() % 5'000));
        const std::size_t kind = report.faults % 3;
        if (kind == 0) {
            ++ended;
            (void)cluster.query(end_some_connections);
        } else {
            cluster.database().stop(kind == 1 ? StopMode::fast : StopMode::immediate);
            let_pass(microseconds(random() % 1'500'000));
            cluster.database().start();
        }
        wait_for_recovery(load, 10s, report);
    }
    report.more = std::to_string(ended) + " times only connections were terminated, " +
                  std::to_string(load.refusals()) + " responses 503";
    judge(load, cluster.node(0).url(), report);
    return report;
}

}  // namespace holdfast::testing
