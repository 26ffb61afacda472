// Many flows wait and are evicted, then wake, replay and end: memory use returns to its start.
//
//     campaign_memory [--flows N] [--stores sqlite,postgres]
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/threads/threads.h"
#include "holdfast/node.h"
#include "support/eventually.h"
#include "support/world.h"

namespace holdfast {
namespace {

using namespace std::chrono_literals;

constexpr int clients = 8;
// Fills caches before measuring: SQLite pages, recent open instances, pools.
constexpr int warm_up_ended = 10'000;
constexpr int warm_up_asleep = 3'000;  // per shard
constexpr long allowance_kb = 10 * 1'024;

long resident_kb() {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
        if (long kb = 0; word == "VmRSS:" && file >> kb) return kb;
    std::abort();
}

struct Arguments {
    int flows = 100'000;
    std::vector<std::string> stores = {"sqlite", "postgres"};
};

class WaitingFlows {
public:
    explicit WaitingFlows(const std::string& store)
        : node_(NodeOptions{
              .store = store, .workers = 4, .most_live = most_live, .log_level = "error"}) {
        node_.add("wait", [](Context& ctx, std::size_t n) -> Flow<std::size_t> {
            co_await ctx.step("prepare", [] { return std::string(500, 'x'); });
            const int more = co_await ctx.event<int>("go");
            co_return co_await ctx.step("add", [&] { return n + more; });
        });
    }

    // Starts one flow per id and returns when all wait and none is in memory.
    void start_and_evict(std::vector<std::string>& ids) {
        share(ids.size(), [&](std::size_t i) { ids[i].assign(node_.start("wait", i)); });
        for (const std::string& id : ids)
            if (!testing::eventually([&] { return node_.status(id) == "suspended"; })) std::abort();
        if (!testing::eventually([&] { return node_.live() <= most_live; })) std::abort();
        if (node_.live() == 0) std::abort();
        node_.evict();
        if (node_.live() != 0) std::abort();
    }

    // Wakes them all; returns the number of wrong results.
    int wake(const std::vector<std::string>& ids) {
        std::atomic<int> wrong = 0;
        share(ids.size(), [&](std::size_t i) { node_.send(ids[i], "go", 1); });
        share(ids.size(), [&](std::size_t i) {
            if (node_.result<std::size_t>(ids[i]) != i + 1) ++wrong;
            if (node_.history(ids[i]).empty()) ++wrong;
        });
        node_.evict();
        return wrong;
    }

private:
    static constexpr std::size_t most_live = 256;

    template <class Do>
    static void share(std::size_t count, Do one) {
        std::atomic<std::size_t> next = 0;
        std::vector<std::jthread> threads;
        for (int c = 0; c < clients; ++c)
            threads.push_back(named_thread("client", [&](std::stop_token) {
                for (std::size_t i = next++; i < count; i = next++) one(i);
            }));
    }

    Node node_;
};

// Allocated before anything is measured.
std::vector<std::string> reserve_ids(int count) {
    return std::vector<std::string>(count, std::string(36, '0'));
}

std::vector<std::string> run_campaign(const std::string& kind, int flows) {
    const testing::StorePlace place(kind);
    WaitingFlows flows_on_store(place.url());
    std::vector<std::string> complaints;
    std::vector<std::string> first = reserve_ids(warm_up_ended);
    std::vector<std::string> sleepers = reserve_ids(warm_up_asleep * (kind == "postgres" ? 2 : 1));
    std::vector<std::string> ids = reserve_ids(flows);
    flows_on_store.start_and_evict(first);
    if (flows_on_store.wake(first) != 0) complaints.push_back("a wrong end");
    flows_on_store.start_and_evict(sleepers);
    const long before = resident_kb();
    flows_on_store.start_and_evict(ids);
    const long asleep = resident_kb();
    if (flows_on_store.wake(ids) != 0) complaints.push_back("a wrong end");
    const long ended = resident_kb();
    std::printf("%s: %d flows, resident %.1f MB before, %+.1f MB evicted, %+.1f MB ended\n",
                kind.c_str(), flows, before / 1'024.0, (asleep - before) / 1'024.0,
                (ended - before) / 1'024.0);
    if (asleep - before > allowance_kb) complaints.push_back("evicted flows take memory");
    if (ended - before > allowance_kb) complaints.push_back("ended flows take memory");
    return complaints;
}

bool read_arguments(const std::vector<std::string>& given, Arguments& arguments) {
    if (given.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < given.size(); i += 2) {
        if (given[i] == "--flows") {
            arguments.flows = std::atoi(given[i + 1].c_str());
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
    holdfast::Arguments arguments;
    if (!holdfast::read_arguments({values + 1, values + count}, arguments)) {
        std::fputs("usage: campaign_memory [--flows N] [--stores sqlite,postgres]\n", stderr);
        return 2;
    }
    int passed = 0;
    int failed = 0;
    for (const std::string& store : arguments.stores) {
        const auto complaints = holdfast::run_campaign(store, arguments.flows);
        for (const std::string& one : complaints) std::printf("  %s\n", one.c_str());
        ++(complaints.empty() ? passed : failed);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
