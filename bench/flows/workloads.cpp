#include "workloads.h"

#include "base/threads/pause.h"
#include "base/time/clock.h"
#include "measures/crowd.h"

namespace holdfast::bench {
namespace {

using Seconds = std::chrono::duration<double>;

Flow<int> steps(Context& ctx, int count) {
    int done = 0;
    for (int n = 0; n < count; ++n) done += co_await ctx.step("step", [] { return 1; });
    co_return done;
}

Flow<int> waiter(Context& ctx) { co_return co_await ctx.event<int>("go"); }

// Returns how late it woke, in microseconds.
Flow<std::int64_t> sleeper(Context& ctx, std::int64_t due) {
    const Moment until{std::chrono::microseconds(due)};
    co_await ctx.sleep_until(until);
    co_return std::chrono::duration_cast<std::chrono::microseconds>(ctx.now() - until).count();
}

std::vector<std::string> start_many(const std::string& flow, std::size_t count,
                                    const std::function<std::string(const std::string&)>& start) {
    std::vector<std::string> ids(count);
    run_callers({.callers = std::min<std::size_t>(64, count), .workflows = count},
                [&](std::size_t i) { ids[i] = start(flow); });
    return ids;
}

std::vector<std::string> start_sleepers(Node& node, std::size_t count, Moment due) {
    const std::int64_t at = due.time_since_epoch().count();
    std::vector<std::string> ids(count);
    Outstanding outstanding({.callers = 256, .workflows = count}, [&](std::size_t n, Ended ended) {
        node.start_async("sleeper", at).then([&, n, ended](Future<std::string> started) {
            guard(outstanding, [&] { ids[n] = started.get(); });
            ended();
        });
    });
    outstanding.run();
    return ids;
}

void expect(int value, int expected) {
    if (value != expected) throw std::runtime_error("a workflow returned the wrong result");
}

}  // namespace

void add_flows(Workflows& node) {
    node.add("steps", steps);
    node.add("waiter", waiter);
    node.add("sleeper", sleeper);
}

Rate run_steps(Node& node, const Callers& load, int count) {
    if (load.callers == 1)
        return run_callers(load, [&](std::size_t) {
            expect(node.result<int>(node.start("steps", count)), count);
        });
    Outstanding outstanding(load, [&](std::size_t, Ended ended) {
        node.start_async("steps", count).then([&, ended](Future<std::string> started) {
            node.result_async<int>(started.get()).then([&, ended](Future<int> result) {
                guard(outstanding, [&] { expect(result.get(), count); });
                ended();
            });
        });
    });
    return outstanding.run();
}

std::vector<std::string> suspend_many(Workflows& node, std::size_t count) {
    return start_many("waiter", count, [&](const std::string& flow) { return node.start(flow); });
}

Rate run_events(Node& node, const Callers& load, const std::function<void()>& begin) {
    const auto ids = suspend_many(node, load.workflows);
    for (const std::string& id : ids)
        while (node.status(id) != "suspended") pause_for(std::chrono::milliseconds(1));
    begin();
    if (load.callers == 1)
        return run_callers(load, [&](std::size_t n) {
            node.send(ids[n], "go", 7);
            expect(node.result<int>(ids[n]), 7);
        });
    Outstanding outstanding(load, [&](std::size_t n, Ended ended) {
        node.send_async(ids[n], "go", 7).then([&, n, ended](Future<Sent> sent) {
            guard(outstanding, [&] { (void)sent.get(); });
            node.result_async<int>(ids[n]).then([&, ended](Future<int> result) {
                guard(outstanding, [&] { expect(result.get(), 7); });
                ended();
            });
        });
    });
    return outstanding.run();
}

TimersRun run_timers(Node& node, std::size_t count) {
    const auto ahead = std::chrono::seconds(5) + std::chrono::microseconds(count * 150);
    const SystemClock clock;
    const Moment began = clock.now();
    const Moment due = began + ahead;
    const auto ids = start_sleepers(node, count, due);
    // Wait for a sample first: reading all results takes processor time from the running ones.
    for (std::size_t i = 0; i < ids.size(); i += 100) (void)node.result<std::int64_t>(ids[i]);
    // From their histories, not from this clock: reading them takes longer than the run.
    TimersRun run;
    Moment armed = began;
    Moment done = due;
    for (const std::string& id : ids) {
        run.late_s.push_back(static_cast<double>(node.result<std::int64_t>(id)) / 1e6);
        for (const HistoryEntry& entry : node.history(id)) {
            if (entry.type == "Suspended") armed = std::max(armed, entry.at);
            done = std::max(done, entry.at);
        }
    }
    if (armed >= due) throw std::runtime_error("timers were due before all were armed");
    run.armed_per_second = static_cast<double>(count) / Seconds(armed - began).count();
    run.all_done_s = Seconds(done - due).count();
    return run;
}

}  // namespace holdfast::bench
