#include "store_limits.h"

#include <functional>

#include "raw_rows.h"
#include "report.h"
#include "support/world.h"
#include "workloads.h"

namespace holdfast::bench {
namespace {

constexpr int replays = 3;

void run_recorded(const std::string& url, const std::string& workload, std::size_t workflows,
                  RecordedWrites& recorded) {
    Node node({.store = url, .name = "recorded"});
    add_flows(node);
    node.open();
    const Callers load{.callers = 256, .workflows = workflows};
    const auto begin = [&] { recorded.start_timing(); };
    if (workload == "W3") {
        run_events(node, load, begin);
    } else {
        begin();
        run_steps(node, load, workload == "W2" ? 10 : 1);
    }
    recorded.stop();
}

}  // namespace

RowsLimit measure_rows_limit(const std::string& store, const std::string& workload,
                             std::size_t workflows) {
    if (workload == "W2") workflows /= 5;
    const auto recorded = store == "sqlite" ? record_sqlite() : record_postgres();
    {
        const testing::StorePlace place(store);
        run_recorded(place.url(), workload, workflows, *recorded);
    }
    RecordedWrites::Replayed replayed;
    std::vector<double> seconds;
    for (int n = 0; n < replays; ++n) {
        replayed = recorded->replay();
        seconds.push_back(replayed.seconds);
    }
    const auto count = static_cast<double>(workflows);
    return {.per_second = count / percentile(seconds, 0.5),
            .statements = static_cast<double>(replayed.statements) / count,
            .in_a_transaction =
                count / static_cast<double>(std::max<std::size_t>(1, replayed.transactions))};
}

}  // namespace holdfast::bench
