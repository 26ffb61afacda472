// Kills processes that run flows, many times on each store, and checks that every workflow ends,
// that no step starts again after its record was committed, and that effects reconcile by their
// keys.
//
//     campaign_flows [--kills N] [--seed S] [--stores sqlite,postgres]
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "base/threads/pause.h"
#include "holdfast/node.h"
#include "support/world.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;

constexpr int trips = 30;
constexpr int transfers = 30;
constexpr int parts = 60;

// The external effects: one line for each start of a step, in order, from all processes.
class Ledger {
public:
    explicit Ledger(const std::string& path)
        : file_(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT, 0600)) {}

    void note(const Attempt& attempt, const std::string& effect) const {
        const std::string line = attempt.idempotency_key + " " + effect + "\n";
        if (::write(file_, line.data(), line.size()) < 0) std::abort();
    }

private:
    int file_;
};

void add_flows(Node& node, const Ledger& ledger) {
    static const StepOptions many_attempts{.retry = {.attempts = 10'000}};
    const auto effect = [&ledger](std::string what) {
        return [&ledger, what](const Attempt& attempt) { ledger.note(attempt, what); };
    };
    node.add("part", [effect](Context& ctx, int n) -> Flow<int> {
        const auto first = effect("part");
        const auto second = effect("part");
        co_await ctx.step("first", first, many_attempts);
        co_await ctx.step("second", second, many_attempts);
        co_return n;
    });
    node.add("fan_out", [](Context& ctx, int count) -> Flow<int> {
        std::vector<Context::Wait<int>> children;
        for (int i = 0; i < count; ++i) children.push_back(ctx.child<int>("part", i));
        int sum = 0;
        for (const int each : co_await ctx.all(children)) sum += each;
        co_return sum;
    });
    node.add("trip", [effect](Context& ctx, bool full) -> Flow<> {
        const auto book = effect("book");
        const auto cancel = effect("cancel");
        co_await ctx.step("flight", book, many_attempts).undo(cancel);
        co_await ctx.step("hotel", book, many_attempts).undo(cancel);
        if (full) throw NonRetryable("no car left");
        co_await ctx.sleep(20ms);
    });
    node.add("transfer", [effect](Context& ctx, int amount) -> Flow<int> {
        const auto withdraw = effect("withdraw");
        const auto deposit = effect("deposit");
        co_await ctx.step("withdraw", withdraw, many_attempts);
        co_await ctx.sleep(5ms);
        co_await ctx.step("deposit", deposit, many_attempts);
        co_return amount;
    });
}

// Starts the workflows unless they exist and runs until all have ended. 0: all ended as expected.
int run_victim(const std::string& store, const std::string& ledger_path) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const Ledger ledger(ledger_path);
    Node node(NodeOptions{
        .store = store, .workers = 4, .most_attempts = 1'000, .lease = 1s, .log_level = "error"});
    add_flows(node, ledger);
    const auto key = [](const std::string& name, int i) {
        return StartOptions{.key = name + std::to_string(i)};
    };
    const std::string fan = node.start("fan_out", parts, key("fan", 0));
    std::vector<std::string> trip_ids;
    std::vector<std::string> transfer_ids;
    for (int i = 0; i < trips; ++i)
        trip_ids.push_back(node.start("trip", i % 2 == 1, key("trip", i)));
    for (int i = 0; i < transfers; ++i)
        transfer_ids.push_back(node.start("transfer", i, key("transfer", i)));
    int wrong = node.result<int>(fan) != parts * (parts - 1) / 2;
    for (int i = 0; i < transfers; ++i) wrong += node.result<int>(transfer_ids[i]) != i;
    for (int i = 0; i < trips; ++i) {
        bool failed = false;
        try {
            node.result(trip_ids[i]);
        } catch (const WorkflowFailed&) {
            failed = true;
        }
        wrong += failed != (i % 2 == 1);
    }
    return wrong == 0 ? 0 : 1;
}

pid_t start_victim(const std::string& store, const std::string& ledger) {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    const char* self = "/proc/self/exe";
    ::execl(self, "campaign_flows", "--victim", store.c_str(), ledger.c_str(), nullptr);
    ::_exit(127);
}

// Checks the ledger, workflow by workflow.
std::vector<std::string> judge(const std::string& ledger) {
    std::vector<std::string> complaints;
    std::map<std::string, int> last_index;
    std::map<std::string, std::set<std::string>> keys;  // by effect
    std::ifstream file(ledger);
    for (std::string key, effect; file >> key >> effect;) {
        keys[effect].insert(key);
        const std::string workflow = key.substr(0, key.find('/'));
        const std::string tail = key.substr(key.rfind('/') + 1);
        const bool undo = key.find("/undo/") != std::string::npos;
        const int index = std::atoi(tail.c_str()) + (undo ? 1'000 : 0);
        int& last = last_index[workflow];
        if (index < last) complaints.push_back(key + " started after a later step of its workflow");
        last = std::max(last, index);
    }
    const auto expect = [&](const std::string& effect, std::size_t count) {
        if (keys[effect].size() != count)
            complaints.push_back(effect + ": " + std::to_string(keys[effect].size()) +
                                 " effects instead of " + std::to_string(count));
    };
    expect("part", 2 * parts);
    expect("book", 2 * trips);
    expect("cancel", 2 * (trips / 2));
    expect("withdraw", transfers);
    expect("deposit", transfers);
    return complaints;
}

struct Arguments {
    int kills = 10;
    unsigned seed = static_cast<unsigned>(::getpid());
    std::vector<std::string> stores = {"sqlite", "postgres"};
};

// On a shared store two processes run concurrently and are killed in turn; the last ones finish.
std::vector<std::string> run_campaign(const std::string& kind, const Arguments& arguments) {
    const testing::StorePlace place(kind);
    const testing::StorePlace ledger_place("sqlite");
    const std::string ledger =
        ledger_place.url().substr(ledger_place.url().find(':') + 1) + ".ledger";
    std::mt19937 random(arguments.seed);
    std::vector<pid_t> victims(kind == "postgres" ? 2 : 1);
    for (pid_t& victim : victims) victim = start_victim(place.url(), ledger);
    for (int kill = 0; kill < arguments.kills; ++kill) {
        pause_for(std::chrono::milliseconds(20 + random() % 400));
        pid_t& victim = victims[kill % victims.size()];
        ::kill(victim, SIGKILL);
        ::waitpid(victim, nullptr, 0);
        victim = start_victim(place.url(), ledger);
    }
    std::vector<std::string> complaints;
    for (const pid_t victim : victims) {
        int status = 0;
        ::waitpid(victim, &status, 0);
        if (status != 0)
            complaints.push_back("a process ended with status " + std::to_string(status));
    }
    for (std::string& one : judge(ledger)) complaints.push_back(std::move(one));
    std::remove(ledger.c_str());
    return complaints;
}

bool read_arguments(const std::vector<std::string>& given, Arguments& arguments) {
    if (given.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < given.size(); i += 2) {
        if (given[i] == "--kills") {
            arguments.kills = std::atoi(given[i + 1].c_str());
        } else if (given[i] == "--seed") {
            arguments.seed = static_cast<unsigned>(std::atoll(given[i + 1].c_str()));
        } else if (given[i] == "--stores") {
            arguments.stores.clear();
            std::istringstream list(given[i + 1]);
            for (std::string one; std::getline(list, one, ',');) arguments.stores.push_back(one);
        } else {
            return false;
        }
    }
    return true;
}

}  // namespace
}  // namespace holdfast

int main(int count, char** values) {
    const std::vector<std::string> given(values + 1, values + count);
    if (given.size() == 3 && given[0] == "--victim")
        return holdfast::run_victim(given[1], given[2]);
    holdfast::Arguments arguments;
    if (!holdfast::read_arguments(given, arguments)) {
        std::fputs("usage: campaign_flows [--kills N] [--seed S] [--stores sqlite,postgres]\n",
                   stderr);
        return 2;
    }
    std::printf("seed %u\n", arguments.seed);
    int passed = 0;
    int failed = 0;
    for (const std::string& store : arguments.stores) {
        const auto complaints = holdfast::run_campaign(store, arguments);
        for (std::size_t i = 0; i < complaints.size() && i < 10; ++i)
            std::printf("  %s\n", complaints[i].c_str());
        std::printf("%s, %d kills: %s\n", store.c_str(), arguments.kills,
                    complaints.empty() ? "every workflow ended, every effect once" : "failed");
        ++(complaints.empty() ? passed : failed);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
