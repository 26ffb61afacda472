// bench retention: the size of a store under a steady load, with retention running beside it, and
// how long retention takes to find stale workflows among many that sleep.
#include "pump/retention/retention.h"

#include <CLI/CLI.hpp>
#include <iostream>

#include "base/log.h"
#include "base/threads/pause.h"
#include "base/threads/threads.h"
#include "report.h"
#include "support/store_size.h"

namespace holdfast::bench {
namespace {

using std::chrono::duration;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Steady = std::chrono::steady_clock;

struct Options {
    std::optional<std::string> json;
    std::vector<std::string> stores = {"sqlite", "postgres"};
    int seconds = 20;
    std::size_t sleepers = 100'000;
};

constexpr std::size_t at_once = 128;
constexpr std::size_t long_lived = 16;

std::unique_ptr<Pruner> make_pruner(testing::World& world, PumpMetrics& metrics,
                                    RetentionSettings settings) {
    return std::make_unique<Pruner>(
        Pruner::Parts{.store = *world.store,
                      .ids = world.ids,
                      .metrics = metrics,
                      .cancel =
                          [&world](std::vector<op::Cancel> operations) {
                              return world.coordinator->run_all(std::move(operations));
                          },
                      .node = "bench",
                      .pause = [](milliseconds time) { pause_for(time); }},
        settings);
}

// Workflows that start and end, some that are cleared, events that expire, and a few workflows that
// stay open and are edited all the time.
class Load {
public:
    explicit Load(testing::World& world) : world_(world) {
        world.define("orders");
        for (std::size_t i = 0; i < long_lived; ++i)
            open_.push_back(world.start("orders", R"({"n":0})").id);
    }

    void step() {
        std::vector<op::Start> starts(at_once);
        std::vector<op::Finish> ends;
        for (op::Start& start : starts) {
            start = {.cause = world_.cause(),
                     .client_key = op::ClientKey{"key " + std::to_string(++keys_), sha256("")},
                     .definition = "orders",
                     .state = testing::document(R"({"step":"packed"})")};
            ends.push_back(
                {.cause = world_.cause(), .instance = start.instance(), .run = {1, 0, {}}});
        }
        const InstanceId cleared = starts.front().instance();
        (void)world_.coordinator->run_all(std::move(starts));
        (void)world_.coordinator->run_all(std::move(ends));
        world_.run(op::Clear{.cause = world_.cause(), .instance = cleared});
        edit();
        world_.run(op::SendEvent{.cause = world_.cause(),
                                 .event = world_.ids.next<EventId>(),
                                 .event_name = "nobody",
                                 .value = testing::document("1"),
                                 .expire_after = seconds(1)});
        ended_ += at_once;
    }
    std::size_t ended() const { return ended_; }

private:
    void edit() {
        std::vector<op::EditState> edits;
        for (const InstanceId& id : open_)
            edits.push_back({.cause = world_.cause(),
                             .instance = id,
                             .edit = op::Replace{.state = testing::document(
                                                     R"({"n":)" + std::to_string(keys_) + "}")}});
        // Each of them is refused once more, which is a conflict.
        for (const InstanceId& id : open_)
            edits.push_back({.cause = world_.cause(),
                             .instance = id,
                             .expected = Version{1} << 40,
                             .edit = op::Replace{.state = testing::document("{}")}});
        (void)world_.coordinator->run_all(std::move(edits));
    }

    testing::World& world_;
    std::vector<InstanceId> open_;
    std::size_t keys_ = 0;
    std::size_t ended_ = 0;
};

enum class Keep { all, window };

// The size at each eighth of the time.
std::vector<double> sizes_under_load(testing::World& world, const Options& options, Keep keep,
                                     Load& load, Report& report) {
    PumpMetrics metrics(world.registry);
    const seconds window(2);
    const auto pruner = make_pruner(world, metrics,
                                    {.keep_ended = window,
                                     .keep_records = window,
                                     .keep_history = window,
                                     .keep_cleared = window,
                                     .keep_conflicts = window});
    std::jthread retention = named_thread("retention", [&](std::stop_token stop) {
        while (keep == Keep::window && !stop.stop_requested()) {
            if (!pruner->run(RunKind::real)) return;
            pause_for(milliseconds(200));
        }
    });
    const std::size_t before = load.ended();
    std::vector<double> sizes;
    const auto began = Steady::now();
    for (int part = 1; part <= 8; ++part) {
        const auto until = began + milliseconds(options.seconds * 1'000 * part / 8);
        while (Steady::now() < until) load.step();
        sizes.push_back(testing::mebibytes_of(world.place));
    }
    const std::string workload = keep == Keep::all ? "everything kept" : "windows of 2 s";
    const auto rate = static_cast<double>(load.ended() - before) / options.seconds;
    report.add({workload, world.place.kind(), "ended_per_second", rate, "1/s", {}});
    for (const std::size_t part : {1UL, 3UL, 5UL, 7UL})
        report.add({workload,
                    world.place.kind(),
                    "size_at_" + std::to_string((part + 1) * 100 / 8),
                    sizes[part],
                    "MiB",
                    {}});
    return sizes;
}

// Flat: what is left of the growth is noise beside that of a store which keeps everything.
constexpr double most_growth = 4;        // in MiB
constexpr double most_of_growth = 0.25;  // of the other

// Whether the size stays flat.
bool bench_size(const std::string& kind, const Options& options, Report& report) {
    std::map<Keep, double> growth;
    for (const Keep keep : {Keep::all, Keep::window}) {
        testing::World world(kind);
        testing::vacuum_often(world.place);
        Load load(world);
        const auto sizes = sizes_under_load(world, options, keep, load, report);
        growth[keep] = sizes[7] - sizes[3];
        report.add({keep == Keep::all ? "everything kept" : "windows of 2 s",
                    kind,
                    "growth_in_second_half",
                    growth[keep],
                    "MiB",
                    {}});
    }
    const double allowed = std::max(most_growth, most_of_growth * growth[Keep::all]);
    if (growth[Keep::window] <= allowed) return true;
    std::fprintf(stderr, "%s grew by %.1f MiB in the second half; %.1f MiB are allowed\n",
                 kind.c_str(), growth[Keep::window], allowed);
    return false;
}

// A few stale workflows among many that are not.
// Whether all of them are found.
bool bench_stale(const std::string& kind, const Options& options, Report& report) {
    testing::World world(kind);
    world.define("orders");
    constexpr std::size_t stale = 20;
    for (std::size_t i = 0; i < stale / 2; ++i) world.start("orders", "{}");
    world.coordinator.reset();
    world.store.reset();
    testing::add_sleepers(world.place, options.sleepers);
    world.restart();
    for (std::size_t i = 0; i < stale / 2; ++i) world.start("orders", "{}");
    pause_for(seconds(1));
    PumpMetrics metrics(world.registry);
    const auto pruner = make_pruner(world, metrics, {.stale_after = milliseconds(500)});
    const auto began = Steady::now();
    std::size_t cancelled = 0;
    bool more = true;
    while (more) {
        const auto run = pruner->run(RunKind::real);
        if (!run) throw std::runtime_error(run.error().message);
        cancelled += run->cancelled;
        more = run->more;
    }
    const duration<double> time = Steady::now() - began;
    const std::string workload = std::to_string(options.sleepers) + " sleepers";
    report.add({workload, kind, "stale_cancelled", static_cast<double>(cancelled), "1", {}});
    report.add({workload, kind, "time", time.count(), "s", {}});
    if (cancelled == stale) return true;
    std::fprintf(stderr, "%s: %zu of %zu stale workflows were cancelled\n", kind.c_str(), cancelled,
                 stale);
    return false;
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    CLI::App app{"The size of a store under a steady load with retention, on both stores"};
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--stores", options.stores, "sqlite, postgres or both")->delimiter(',');
    app.add_option("--seconds", options.seconds, "length of each load");
    app.add_option("--sleepers", options.sleepers, "sleeping workflows beside the stale ones");
    CLI11_PARSE(app, argc, argv);
    log::set_level(log::Level::warn);
    bench::Report report("retention", options.json);
    bool passed = true;
    for (const std::string& kind : options.stores) {
        passed = bench::bench_size(kind, options, report) && passed;
        passed = bench::bench_stale(kind, options, report) && passed;
    }
    return passed ? 0 : 1;
}
