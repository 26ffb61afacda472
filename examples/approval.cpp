// A request waits for a person with the role "manager", for three days at most.
#include <boost/json.hpp>
#include <cstdio>

#include "holdfast/node.h"

using namespace std::chrono_literals;
using holdfast::Context;
using holdfast::Flow;
using holdfast::Json;

Flow<std::string> leave(Context& ctx, std::string who, int days) {
    holdfast::TaskRequest request{.name = "approve leave"};
    request.roles.push_back("manager");
    request.outputs.push_back("approved");
    request.payload = boost::json::object{{"who", who}, {"days", days}};

    const auto answer = co_await ctx.any(ctx.human_task(request), ctx.sleep(72h));
    if (answer.index() == 1) co_return who + ": nobody answered";
    const Json& outputs = std::get<0>(answer);
    co_return who + (outputs.at("approved").as_bool() ? ": approved" : ": refused");
}

// Waits for the task and completes it, as a person would over HTTP or with the command line.
void answer(holdfast::Node& node, const std::string& id, bool approved) {
    for (const holdfast::OpenTask& task : node.wait_for_tasks(id)) {
        std::printf("%s: %s\n", task.name.c_str(), boost::json::serialize(task.payload).c_str());
        const boost::json::object outputs{{"approved", approved}};
        node.complete_task(task.id, {.user = "ann", .roles = {"manager"}}, outputs);
    }
}

int main(int argc, char** argv) {
    holdfast::Node node{argc > 1 ? argv[1] : "memory:"};
    node.add("leave", leave);

    const std::string bob = node.start("leave", std::string("bob"), 3);
    const std::string eve = node.start("leave", std::string("eve"), 300);
    answer(node, bob, true);
    answer(node, eve, false);
    std::printf("%s\n", node.result<std::string>(bob).c_str());
    std::printf("%s\n", node.result<std::string>(eve).c_str());
}
