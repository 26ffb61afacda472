// Kills a server under load, many times on each store, and checks that no acknowledged change is
// lost and none is partial.
//
//     campaign_state [--kills N] [--seed S] [--stores sqlite,postgres]
#include <charconv>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/kill_campaign.h"

namespace {

using holdfast::testing::CampaignOptions;
using holdfast::testing::CampaignReport;

struct Arguments {
    int kills = 50;
    std::uint64_t seed = std::chrono::steady_clock::now().time_since_epoch().count() % 1'000'000;
    std::vector<std::string> stores = {"sqlite", "postgres"};
};

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && end == text.data() + text.size();
}

bool read_stores(const std::string& text, std::vector<std::string>& stores) {
    stores.clear();
    std::istringstream list(text);
    for (std::string store; std::getline(list, store, ',');) {
        if (store != "sqlite" && store != "postgres") return false;
        stores.push_back(store);
    }
    return !stores.empty();
}

bool read_arguments(const std::vector<std::string>& given, Arguments& arguments) {
    if (given.size() % 2 != 0) return false;
    for (std::size_t i = 0; i < given.size(); i += 2) {
        const std::string& value = given[i + 1];
        if (given[i] == "--kills" && read_number(value, arguments.kills) && arguments.kills > 0)
            continue;
        if (given[i] == "--seed" && read_number(value, arguments.seed)) continue;
        if (given[i] == "--stores" && read_stores(value, arguments.stores)) continue;
        return false;
    }
    return true;
}

// Each round is one check.
struct Score {
    int passed = 0;
    int failed = 0;

    void add(const std::string& what, const CampaignReport& report) {
        std::printf("%s: %s\n%s", what.c_str(), report.figures().c_str(),
                    report.complaints().c_str());
        std::fflush(stdout);
        passed += report.passed;
        failed += report.failed;
        // Violations found after the last round count as one failure.
        if (report.failed == 0 && report.verdict.violations() > 0) ++failed;
    }
};

void run(const Arguments& arguments, Score& score) {
    for (const std::string& store : arguments.stores) {
        CampaignOptions options{.store = store,
                                .rounds = arguments.kills,
                                .seed = arguments.seed,
                                .at_most = std::chrono::seconds(60 + 10 * arguments.kills)};
        score.add(store + ", kill -9", run_kills(options));
        options.rounds = std::max(1, arguments.kills / 5);
        score.add(store + ", SIGTERM", run_terminations(options));
    }
}

}  // namespace

int main(int count, char** values) {
    Arguments arguments;
    if (!read_arguments({values + 1, values + count}, arguments)) {
        std::fputs("usage: campaign_state [--kills N] [--seed S] [--stores sqlite,postgres]\n",
                   stderr);
        return 2;
    }
    std::printf("seed %llu\n", static_cast<unsigned long long>(arguments.seed));
    Score score;
    try {
        run(arguments, score);
    } catch (const std::exception& failure) {
        std::printf("%s\n", failure.what());
        ++score.failed;
    }
    std::printf("%d passed, %d failed\n", score.passed, score.failed);
    return score.failed == 0 ? 0 : 1;
}
