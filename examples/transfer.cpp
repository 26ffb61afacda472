// Transfers money between accounts of an external bank. The bank accepts each booking once, by the
// step's idempotency key, so that the balances are right even if this program is killed and
// restarted at any time.
//
//     transfer STORE DIRECTORY COUNT
#include <boost/describe.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "holdfast/node.h"

using holdfast::Attempt;
using holdfast::Context;
using holdfast::Flow;

// One file per booking, named by its key, so that a repeated booking has no effect.
class Bank {
public:
    explicit Bank(std::filesystem::path directory) : directory_(std::move(directory)) {
        std::filesystem::create_directories(directory_);
    }

    void book(const Attempt& attempt, const std::string& account, long amount) const {
        std::string key = attempt.idempotency_key;
        for (char& c : key)
            if (c == '/') c = '_';
        const auto draft = directory_ / (key + ".draft" + std::to_string(attempt.number));
        std::ofstream(draft) << account << ' ' << amount << '\n';
        std::filesystem::rename(draft, directory_ / key);
    }

    long balance(const std::string& account) const {
        long sum = 0;
        for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
            std::ifstream file(entry.path());
            std::string whose;
            long amount = 0;
            if (entry.path().extension() == "" && file >> whose >> amount && whose == account)
                sum += amount;
        }
        return sum;
    }

private:
    std::filesystem::path directory_;
};

struct Transfer {
    std::string from;
    std::string to;
    long amount = 0;
};
BOOST_DESCRIBE_STRUCT(Transfer, (), (from, to, amount))

int main(int argc, char** argv) {
    const std::string store = argc > 1 ? argv[1] : "memory:";
    const Bank bank(argc > 2 ? argv[2] : std::filesystem::temp_directory_path() / "holdfast-bank");
    const int count = argc > 3 ? std::atoi(argv[3]) : 20;

    holdfast::Node node{holdfast::NodeOptions{.store = store, .most_attempts = 1'000}};
    node.add("transfer", [&bank](Context& ctx, Transfer order) -> Flow<long> {
        // An attempt that is lost in a crash counts, so allow many.
        const holdfast::StepOptions many_attempts{.retry = {.attempts = 100}};
        co_await ctx.step(
            "withdraw",
            [&](const Attempt& attempt) { bank.book(attempt, order.from, -order.amount); },
            many_attempts);
        co_await ctx.step(
            "deposit", [&](const Attempt& attempt) { bank.book(attempt, order.to, order.amount); },
            many_attempts);
        co_return order.amount;
    });

    std::vector<std::string> ids;
    for (int i = 0; i < count; ++i) {
        const Transfer order{.from = "ann", .to = i % 2 ? "bob" : "eve", .amount = 1 + i};
        const holdfast::StartOptions once{.key = "transfer-" + std::to_string(i)};
        ids.push_back(node.start("transfer", order, once));
    }
    long moved = 0;
    for (const std::string& id : ids) moved += node.result<long>(id);
    std::printf("moved %ld: ann %ld, bob %ld, eve %ld\n", moved, bank.balance("ann"),
                bank.balance("bob"), bank.balance("eve"));
}
