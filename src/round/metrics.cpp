#include "round/metrics.h"

#include "base/assert.h"
#include "operations/operation.h"

namespace holdfast {
namespace {

template <class... Ops>
std::vector<std::string_view> names_of(std::type_identity<std::variant<Ops...>>) {
    return {Ops::name...};
}

constexpr Resolution resolutions[] = {Resolution::rejected,    Resolution::server_wins,
                                      Resolution::client_wins, Resolution::merged,
                                      Resolution::overlapping, Resolution::base_missing};

prometheus::Histogram& histogram(prometheus::Registry& registry, const char* name, const char* help,
                                 const prometheus::Histogram::BucketBoundaries& buckets) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry).Add({}, buckets);
}

}  // namespace

CoordinatorMetrics::CoordinatorMetrics(prometheus::Registry& registry)
    : conflicts_(prometheus::BuildCounter()
                     .Name("holdfast_conflicts_total")
                     .Help("Changes that named a stale version, by resolution.")
                     .Register(registry)),
      operations_(prometheus::BuildCounter()
                      .Name("holdfast_operations_total")
                      .Help("Operations in committed rounds, by operation.")
                      .Register(registry)),
      commits(prometheus::BuildCounter()
                  .Name("holdfast_commits_total")
                  .Help("Rounds that wrote rows and were committed.")
                  .Register(registry)
                  .Add({})),
      rows(prometheus::BuildCounter()
               .Name("holdfast_rows_written_total")
               .Help("Rows that those rounds inserted, updated or deleted.")
               .Register(registry)
               .Add({})),
      loads(prometheus::BuildCounter()
                .Name("holdfast_round_loads_total")
                .Help("Times that an operation ran again with more rows than it had named.")
                .Register(registry)
                .Add({})),
      operations_per_commit(histogram(registry, "holdfast_operations_per_commit",
                                      "Operations in one committed round.",
                                      {1, 2, 4, 8, 16, 32, 64, 128, 256})),
      commit_seconds(histogram(
          registry, "holdfast_commit_seconds", "Time to load, decide and commit one round.",
          {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30})),
      queue_depth(prometheus::BuildGauge()
                      .Name("holdfast_queue_depth")
                      .Help("Operations waiting for a round.")
                      .Register(registry)
                      .Add({})) {
    for (const Resolution resolution : resolutions)
        conflict_counters_[resolution] =
            &conflicts_.Add({{"resolution", std::string(name_of(resolution))}});
    for (const std::string_view name : names_of(std::type_identity<Operation>{}))
        operation_counters_.emplace(name, &operations_.Add({{"operation", std::string(name)}}));
}

prometheus::Counter& CoordinatorMetrics::conflict(Resolution resolution) {
    return *conflict_counters_.at(resolution);
}

prometheus::Counter& CoordinatorMetrics::operation(std::string_view name) {
    const auto found = operation_counters_.find(name);
    HF_ASSERT(found != operation_counters_.end(), "every operation has a counter under its name");
    return *found->second;
}

}  // namespace holdfast
