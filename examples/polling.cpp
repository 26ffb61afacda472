// Polls until a report is ready. Each round is a new run, so that the journal stays short.
#include <atomic>
#include <cstdio>

#include "holdfast/node.h"

using namespace std::chrono_literals;
using holdfast::Context;
using holdfast::Flow;

std::atomic<int> polls = 0;

Flow<std::string> wait_for_report(Context& ctx, std::string name, int round) {
    const bool ready = co_await ctx.step("poll", [] { return ++polls >= 25; });
    if (ready) co_return name + " was ready in round " + std::to_string(round);
    const auto stopped = co_await ctx.any(ctx.event("stop"), ctx.sleep(2ms));
    if (stopped.index() == 0) co_return name + " was stopped";
    co_return co_await ctx.continue_as(name, round + 1);
}

int main(int argc, char** argv) {
    holdfast::Node node{argc > 1 ? argv[1] : "memory:"};
    node.add("wait_for_report", wait_for_report);

    const std::string id = node.start("wait_for_report", std::string("report"), 1);
    std::printf("%s\n", node.result<std::string>(id).c_str());
}
