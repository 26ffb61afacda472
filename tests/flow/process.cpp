// A process that runs flows until the test, or one of its steps, kills it.
//
//     flow_process STORE LEDGER hold|explode|serve ROLE
//
// Every started step writes a line to the ledger: name, idempotency key, attempt. A `holder` never
// returns from the second step of `hold`; a `runner` does.
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "holdfast/node.h"

namespace {

using holdfast::Attempt;
using holdfast::Context;
using holdfast::Flow;

void note(const std::string& ledger, const std::string& step, const Attempt& attempt) {
    const std::string line =
        step + " " + attempt.idempotency_key + " " + std::to_string(attempt.number) + "\n";
    const int file = ::open(ledger.c_str(), O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (::write(file, line.data(), line.size()) < 0) std::abort();
    ::close(file);
}

void block_forever() {
    for (;;) ::pause();
}

}  // namespace

int main(int count, char** values) {
    if (count != 5) return 2;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const std::string ledger = values[2];
    const std::string flow = values[3];
    const bool holder = std::string(values[4]) == "holder";
    holdfast::Node node{holdfast::NodeOptions{
        .store = values[1], .workers = 2, .lease = std::chrono::seconds(1), .log_level = "off"}};
    node.add("hold", [&](Context& ctx) -> Flow<int> {
        const int first = co_await ctx.step("first", [&](const Attempt& attempt) {
            note(ledger, "first", attempt);
            return 40;
        });
        co_return co_await ctx.step("second", [&](const Attempt& attempt) {
            note(ledger, "second", attempt);
            if (holder) block_forever();
            return first + attempt.number;
        });
    });
    node.add("explode", [&](Context& ctx) -> Flow<> {
        co_await ctx.step("explode", [&](const Attempt& attempt) {
            note(ledger, "explode", attempt);
            std::abort();
        });
    });
    try {
        if (flow == "serve") {
            std::printf("%s\n", node.serve("127.0.0.1:0").c_str());
            std::fflush(stdout);
            block_forever();
        }
        const std::string id = node.start(flow, holdfast::StartOptions{.key = "one"});
        std::printf("result %d\n", node.result<int>(id));
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
