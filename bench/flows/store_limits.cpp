#include "store_limits.h"

#include <functional>

#include "measures/raw_narrow.h"
#include "raw_rows.h"
#include "workloads.h"

namespace holdfast::bench {
namespace {

Limits::Rows measure_rows(const std::string& store, const std::string& workload,
                          std::size_t workflows) {
    const testing::StorePlace place(store);
    const auto recorded = store == "sqlite" ? record_sqlite() : record_postgres();
    {
        Node node({.store = place.url(), .name = "recorded"});
        add_flows(node);
        node.open();
        const Callers load{.callers = 256, .workflows = workflows};
        const auto begin = [&] { recorded->start_timing(); };
        if (workload == "W3") {
            run_events(node, load, begin);
        } else {
            begin();
            run_steps(node, load, workload == "W2" ? 10 : 1);
        }
        recorded->stop();
    }
    const RecordedWrites::Replayed replayed = recorded->replay();
    const auto count = static_cast<double>(workflows);
    return {.per_second = count / replayed.seconds,
            .statements = static_cast<double>(replayed.statements) / count,
            .in_a_transaction =
                count / static_cast<double>(std::max<std::size_t>(1, replayed.transactions))};
}

}  // namespace

Limits measure_limits(const std::string& store, const std::vector<std::string>& workloads,
                      std::size_t workflows) {
    Limits limits;
    {
        const testing::StorePlace place(store);
        limits.narrow = raw_workflows_per_second(place);
        limits.commit_ms = raw_commit_ms(place);
    }
    for (const std::string& workload : workloads)
        limits.rows[workload] =
            measure_rows(store, workload, workload == "W2" ? workflows / 5 : workflows);
    return limits;
}

}  // namespace holdfast::bench
