

#include "query_bench.h"

#include <deque>
#include <random>

#include "support/batch.h"

namespace holdfast::bench {
namespace {

using Clock = std::chrono::steady_clock;
namespace bj = boost::json;

constexpr std::size_t batch_size = 256;
constexpr std::size_t queries_per_kind = 200;

// Every value below occurs on about ten of a million instances.
std::string step_of(std::size_t n) { return "step-" + std::to_string(n % 100'003); }
std::string agent_of(std::size_t n) { return "agent-" + std::to_string(n % 99'991); }
std::string source_of(std::size_t n) { return "source-" + std::to_string(n % 100'019); }

op::Start filling(testing::World& world, std::size_t n) {
    return {.cause = world.cause(),
            .definition = "bench",
            .business = {.key = "order-" + std::to_string(n)},
            .state =
                Document::of(bj::object{{"agentContext", bj::object{{"currentAgent", agent_of(n)}}},
                                        {"currentStep", step_of(n)},
                                        {"total", n % 1'000}}),
            .state_metadata = Document::of(bj::object{{"source", source_of(n)}})};
}

struct QueryKind {
    const char* name;
    InstanceQuery (*query)(std::size_t n);
};

const QueryKind query_kinds[] = {
    {"currentStep, open",
     [](std::size_t n) {
         return InstanceQuery{.statuses = {Status::running, Status::suspended},
                              .paths = {{json::Path{{"currentStep"}}, step_of(n)}}};
     }},
    {"nested path + status",
     [](std::size_t n) {
         return InstanceQuery{
             .statuses = {Status::running},
             .paths = {{json::Path{{"agentContext", "currentAgent"}}, agent_of(n)}}};
     }},
    {"containment",
     [](std::size_t n) {
         return InstanceQuery{
             .contains = bj::object{{"agentContext", bj::object{{"currentAgent", agent_of(n)}}}}};
     }},
    {"containment + path",
     [](std::size_t n) {
         return InstanceQuery{
             .contains = bj::object{{"agentContext", bj::object{{"currentAgent", agent_of(n)}}}},
             .paths = {{json::Path{{"currentStep"}}, step_of(n)}}};
     }},
    {"business key",
     [](std::size_t n) { return InstanceQuery{.business_key = "order-" + std::to_string(n)}; }},
};

const QueryKind metadata_query = {
    "metadata containment", [](std::size_t n) {
        return InstanceQuery{.meta_contains = bj::object{{"source", source_of(n)}}};
    }};

double milliseconds_since(Clock::time_point began) {
    return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

std::vector<double> time_queries(testing::World& world, const QueryKind& kind, std::size_t count) {
    std::mt19937 random(7);
    std::vector<double> times;
    std::size_t found = 0;
    for (std::size_t i = 0; i < queries_per_kind; ++i) {
        const InstanceQuery query = kind.query(random() % count);
        const auto began = Clock::now();
        const auto page = world.store->ask(query);
        times.push_back(milliseconds_since(began));
        if (!page) std::abort();
        found += page->items.size();
    }
    if (found < queries_per_kind) std::abort();  // every query finds an instance
    return times;
}

// The lower bound: reading one instance by its id.
double find_p95(testing::World& world, const std::vector<InstanceId>& ids) {
    std::vector<double> times;
    for (const InstanceId& id : ids) {
        const auto began = Clock::now();
        if (!*world.store->ask(FindInstance{id, Depth::document})) std::abort();
        times.push_back(milliseconds_since(began));
    }
    return percentile(times, 0.95);
}

}  // namespace

void fill(testing::World& world, std::size_t count) {
    const auto began = Clock::now();
    std::deque<std::future<std::vector<Result<AnyOutcome>>>> outstanding;
    for (std::size_t n = 0; n < count;) {
        std::vector<Operation> batch;
        for (; batch.size() < batch_size && n < count; ++n) batch.push_back(filling(world, n));
        outstanding.push_back(testing::submit_batch(*world.coordinator, std::move(batch)));
        if (outstanding.size() >= 4) {
            for (const auto& outcome : outstanding.front().get())
                if (!outcome) std::abort();
            outstanding.pop_front();
        }
        if (n % (batch_size * 400) == 0)
            std::printf("%-9s filling: %zu of %zu, %.0f/s\n", world.place.kind().c_str(), n, count,
                        static_cast<double>(n) * 1'000 / milliseconds_since(began));
        std::fflush(stdout);
    }
    for (auto& batch : outstanding) batch.wait();
}

void run_queries(testing::World& world, std::size_t count, Report& report) {
    const std::string& kind = world.place.kind();
    if (kind == "postgres") world.place.execute("vacuum analyze");
    std::vector<InstanceId> ids;
    const auto newest = world.store->ask(InstanceQuery{.limit = 200});
    for (const auto& found : newest->items) ids.push_back(found.instance.id);
    const double floor = find_p95(world, ids);
    std::vector<QueryKind> all(std::begin(query_kinds), std::end(query_kinds));
    if (kind == "postgres") all.push_back(metadata_query);
    for (const QueryKind& query : all) {
        std::vector<double> times = time_queries(world, query, count);
        const double p50 = percentile(times, 0.50);
        report.add({query.name, kind, "query_p50_ms", p50, "ms", std::nullopt});
        report.add({query.name, kind, "query_p95_ms", percentile(times, 0.95), "ms", floor});
    }
}

}  // namespace holdfast::bench
