// A trip is booked in three steps. If one fails, or the trip is cancelled, the earlier ones are
// undone in reverse order.
#include <cstdio>
#include <mutex>

#include "holdfast/node.h"

using holdfast::Context;
using holdfast::Flow;

// An external service.
struct Agency {
    void book(const std::string& what) { note("book " + what); }
    void cancel(const std::string& what) { note("cancel " + what); }
    void note(const std::string& line) {
        const std::lock_guard lock(mutex);
        lines.push_back(line);
    }

    std::mutex mutex;
    std::vector<std::string> lines;
};

Agency agency;

Flow<std::string> trip(Context& ctx, std::string to, bool full) {
    co_await ctx.step("flight", [] { agency.book("flight"); }).undo([] {
        agency.cancel("flight");
    });
    co_await ctx.step("hotel", [] { agency.book("hotel"); }).undo([] { agency.cancel("hotel"); });
    co_await ctx.step("car", [&] {
        if (full) throw holdfast::NonRetryable("no car left in " + to);
        agency.book("car");
    });
    co_await ctx.event("departure");
    co_return "gone to " + to;
}

void print(const std::string& title) {
    std::printf("%s\n", title.c_str());
    for (const std::string& line : agency.lines) std::printf("  %s\n", line.c_str());
    agency.lines.clear();
}

std::string end_of(holdfast::Node& node, const std::string& id) {
    try {
        return node.result<std::string>(id);
    } catch (const holdfast::WorkflowFailed& failed) {
        return failed.status;
    }
}

int main(int argc, char** argv) {
    holdfast::Node node{argc > 1 ? argv[1] : "memory:"};
    node.add("trip", trip);

    const std::string happy = node.start("trip", std::string("Rome"), false);
    node.send(happy, "departure");
    print(end_of(node, happy));

    const std::string full = node.start("trip", std::string("Oslo"), true);
    print(end_of(node, full));
}
