#include <cstdio>
#include <string>

#include "holdfast/node.h"

holdfast::Flow<std::string> greet(holdfast::Context& ctx, std::string name) {
    co_return co_await ctx.step("greet", [&] { return "hello " + name; });
}

int main() {
    holdfast::Node node{"memory:"};
    node.add("greet", greet);
    const std::string id = node.start("greet", std::string("world"));
    std::printf("%s\n", node.result<std::string>(id).c_str());
}
