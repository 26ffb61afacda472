#include <random>

#include "faults/cluster.h"
#include "faults/faults.h"

namespace holdfast::testing {

using namespace std::chrono_literals;

FaultReport cut_commits(const FaultOptions& options) {
    FaultReport report{.name = "connections cut around COMMIT",
                       .recovery = "acknowledged again after"};
    std::mt19937_64 random(options.seed);
    Cluster cluster({.nodes = {{}}, .route = Route::through_proxy});
    TcpProxy& proxy = cluster.proxy();
    RelayLoad load({.seed = options.seed}, cluster.urls());
    for (Rounds rounds(options, report); rounds.next();) {
        const Cut cut = all_cuts[report.faults % std::size(all_cuts)];
        proxy.arm(cut);
        if (!proxy.wait_for_cut(20s))
            report.wrong.push_back(std::string("no COMMIT arrived to be cut ") + name_of(cut));
        wait_for_recovery(load, 10s, report);
        load.wait_for(1 + random() % 10, 10s);
    }
    if (proxy.cuts() != report.faults) report.wrong.push_back("not every armed cut happened");
    report.more = std::to_string(proxy.commits()) + " COMMITs not cut";
    judge(load, cluster.node(0).url(), report);
    return report;
}

}  // namespace holdfast::testing
