// Before a deploy: checks that the flows of this program match the open workflows. Changes nothing.
// Exits with 1 if some do not match.
#include <cstdio>

#include "holdfast/node.h"

using holdfast::Context;
using holdfast::Flow;

Flow<std::string> greet(Context& ctx, std::string name) {
    const auto greeting = co_await ctx.step("choose", [] { return std::string("good day"); });
    co_await ctx.event("go");
    co_return greeting + ", " + name;
}

int main(int argc, char** argv) {
    holdfast::Node node{argc > 1 ? argv[1] : "memory:"};
    node.add("greet", greet);

    const auto divergences = node.check();
    for (const holdfast::Divergence& one : divergences)
        std::printf("%s %s at %lu: the program has %s, the journal has %s\n", one.flow.c_str(),
                    one.id.c_str(), one.index, one.expected.c_str(), one.found.c_str());
    std::printf("%zu open workflows do not match\n", divergences.size());
    return divergences.empty() ? 0 : 1;
}
