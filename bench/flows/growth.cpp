#include "growth.h"

#include "measures/crowd.h"

namespace holdfast::bench {
namespace {

constexpr std::size_t callers = 256;
constexpr std::size_t senders = 4;  // many rounds with few events each
constexpr std::size_t measured_workflows = 10'000;
constexpr std::size_t measured_events = 2'000;

// Takes events, then tells `watcher`. What else is queued for it is not taken.
Flow<void> taker(Context& ctx, std::string watcher, std::size_t count) {
    for (std::size_t n = 0; n < count; ++n) co_await ctx.event<int>("go");
    co_await ctx.send(std::move(watcher), "done", true);
    co_await ctx.event<int>("end");
}

Flow<bool> watcher(Context& ctx) { co_return co_await ctx.event<bool>("done"); }

void send_many(Node& node, const std::string& id, const std::string& event, const Callers& load) {
    if (load.workflows == 0) return;
    Outstanding outstanding(load, [&](std::size_t n, Ended ended) {
        node.send_async(id, event, static_cast<int>(n)).then([&, ended](Future<Sent> sent) {
            try {
                (void)sent.get();
            } catch (...) {
                outstanding.fail(std::current_exception());
            }
            ended();
        });
    });
    (void)outstanding.run();
}

}  // namespace

void add_growth_flows(Workflows& node) {
    node.add("taker", taker);
    node.add("watcher", watcher);
}

Rate beside_workflows(Node& node, std::size_t count, std::size_t& there) {
    if (there < count) {
        (void)run_steps(node, {callers, count - there}, 1);
        there = count;
    }
    there += measured_workflows;
    return run_steps(node, {callers, measured_workflows}, 1);
}

Rate beside_events(Node& node, std::size_t count) {
    const std::string done = node.start("watcher");
    const std::string id = node.start("taker", done, measured_events);
    send_many(node, id, "other", {callers, count});
    const CostOfCalls cost;
    send_many(node, id, "go", {senders, measured_events});
    (void)node.result<bool>(done);
    Rate rate = cost.of(std::vector<double>(measured_events), 0);
    (void)node.cancel(id);
    return rate;
}

}  // namespace holdfast::bench
