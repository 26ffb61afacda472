// bench signals: two nodes on one PostgreSQL. One starts workflows whose program it does not have,
// which queues a signal; the other has the program and finishes them. Measures the time from the
// answer to the start until the handler receives the signal, and until the commit that handled it;
// one signal at a time, and many at once.
#include <CLI/CLI.hpp>
#include <condition_variable>
#include <iostream>
#include <latch>
#include <map>

#include "base/log.h"
#include "node/engine.h"
#include "program/flow.h"
#include "raw.h"
#include "report.h"
#include "support/world.h"

namespace holdfast::bench {
namespace {

using Steady = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

struct Options {
    std::optional<std::string> json;
    std::size_t one_by_one = 500;
    std::size_t at_once = 20'000;
    std::size_t outstanding = 512;
};

// The program: finishes each instance that it receives, and records the times.
class Finisher final : public SignalHandler {
public:
    struct Times {
        Steady::time_point received;
        Steady::time_point handled;
    };

    void use(Engine& engine) { engine_ = &engine; }

    void handle(Work work, Done done) override {
        const auto received = Steady::now();
        op::Finish finish{.cause = {.operation = engine_->ids().next<OperationId>()},
                          .instance = work.instance,
                          .run = {1, 1, work.lease},
                          .result = {}};
        engine_->coordinator().submit(
            std::move(finish), [this, id = work.instance, received,
                                done = std::move(done)](Result<op::Finish::Outcome> out) mutable {
                if (out && std::holds_alternative<op::Finished>(*out)) record(id, received);
                done({});
            });
    }

    // Empty: fewer than `count` within a minute.
    std::map<InstanceId, Times> wait_for(std::size_t count) {
        std::unique_lock lock(mutex_);
        if (!changed_.wait_for(lock, std::chrono::minutes(1),
                               [&] { return times_.size() >= count; }))
            return {};
        return std::exchange(times_, {});
    }

private:
    void record(const InstanceId& id, Steady::time_point received) {
        const std::lock_guard lock(mutex_);
        times_[id] = {received, Steady::now()};
        changed_.notify_all();
    }

    Engine* engine_ = nullptr;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<InstanceId, Times> times_;
};

struct Fleet {
    explicit Fleet(const std::string& url) {
        programs.add("job", finisher);
        sender = *Engine::open({.store = url, .node = "a"}, sender_metrics);
        worker = *Engine::open({.store = url,
                                .node = "b",
                                .programs = &programs,
                                .prepare = [this](Engine& engine) { finisher.use(engine); }},
                               worker_metrics);
        const auto defined =
            sender->coordinator()
                .submit(op::Define{
                    .cause = cause(), .key = "job", .kind = "flow", .program = flow_program()})
                .get();
        if (!defined) throw std::runtime_error(defined.error().message);
    }
    Cause cause() { return {.operation = sender->ids().next<OperationId>()}; }

    Finisher finisher;
    Programs programs;
    prometheus::Registry sender_metrics;
    prometheus::Registry worker_metrics;
    std::unique_ptr<Engine> sender;
    std::unique_ptr<Engine> worker;
};

void one_by_one(Fleet& fleet, const Options& options, const RawSignals& raw, Report& report) {
    std::vector<double> received;
    std::vector<double> handled;
    for (std::size_t n = 0; n < options.one_by_one; ++n) {
        op::Start start{.cause = fleet.cause(), .definition = "job"};
        const InstanceId id = start.instance();
        if (!fleet.sender->coordinator().submit(std::move(start)).get())
            throw std::runtime_error("a start failed");
        const auto answered = Steady::now();
        const auto times = fleet.finisher.wait_for(1);
        if (!times.contains(id)) throw std::runtime_error("a signal was not handled");
        received.push_back(Milliseconds(times.at(id).received - answered).count());
        handled.push_back(Milliseconds(times.at(id).handled - answered).count());
    }
    const std::string workload = "one signal at a time";
    report.add({workload, "postgres", "received_p50_ms", percentile(received, 0.5), "ms",
                raw.round_trip_ms});
    report.add({workload, "postgres", "received_p99_ms", percentile(received, 0.99), "ms", {}});
    report.add({workload, "postgres", "p50_ms", percentile(handled, 0.5), "ms", raw.round_trip_ms});
    report.add({workload, "postgres", "p99_ms", percentile(handled, 0.99), "ms", {}});
}

void at_once(Fleet& fleet, const Options& options, const RawSignals& raw, Report& report) {
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t open = 0;
    const auto began = Steady::now();
    for (std::size_t n = 0; n < options.at_once; ++n) {
        {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return open < options.outstanding; });
            ++open;
        }
        fleet.sender->coordinator().submit(op::Start{.cause = fleet.cause(), .definition = "job"},
                                           [&](const Result<op::Start::Outcome>&) {
                                               const std::lock_guard lock(mutex);
                                               --open;
                                               changed.notify_one();
                                           });
    }
    const auto times = fleet.finisher.wait_for(options.at_once);
    const double seconds = std::chrono::duration<double>(Steady::now() - began).count();
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return open == 0; });
    const std::string workload = std::to_string(options.at_once) + " signals at once";
    report.add({workload, "postgres", "handled", static_cast<double>(times.size()), "1", {}});
    report.add({workload, "postgres", "signals_per_second",
                static_cast<double>(times.size()) / seconds, "1/s", raw.transactions_per_second});
}

}  // namespace
}  // namespace holdfast::bench

int main(int argc, char** argv) {
    using namespace holdfast;
    bench::Options options;
    CLI::App app{"Signals from one node to another, through one PostgreSQL"};
    app.add_option("--json", options.json, "write one JSON object per line to this file");
    app.add_option("--one-by-one", options.one_by_one, "signals whose latency is measured");
    app.add_option("--at-once", options.at_once, "signals whose rate is measured");
    app.add_option("--outstanding", options.outstanding, "most starts in flight at once");
    CLI11_PARSE(app, argc, argv);
    log::set_level(log::Level::warn);
    bench::Report report("signals", options.json);
    const holdfast::testing::StorePlace place("postgres");
    const bench::RawSignals raw = bench::raw_signals(place.url(), 1'000);
    report.add({"raw NOTIFY there and back", "postgres", "p50_ms", raw.round_trip_ms, "ms", {}});
    report.add({"raw two-table transaction",
                "postgres",
                "transactions_per_second",
                raw.transactions_per_second,
                "1/s",
                {}});
    bench::Fleet fleet(place.url());
    bench::one_by_one(fleet, options, raw, report);
    bench::at_once(fleet, options, raw, report);
    return 0;
}
