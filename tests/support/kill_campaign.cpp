#include "support/kill_campaign.h"

#include <poll.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "support/server_process.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

constexpr std::size_t most_complaints = 10;

// Waits for a random time, so that the kill hits a random moment.
void let_pass(microseconds time) {
    const timespec duration{0, std::chrono::nanoseconds(time).count()};
    ::ppoll(nullptr, 0, &duration, nullptr);
}

class Campaign {
public:
    explicit Campaign(const CampaignOptions& options)
        : options_(options),
          random_(options.seed),
          place_(options.store),
          server_(place_.url()),
          load_({.writers = options.writers, .seed = options.seed}, server_.url()),
          judge_(load_.instances()) {}

    CampaignReport kills() {
        run(Unanswered::may_be_there, [this](Verdict&) {
            server_.kill9();
            load_.pause();
            if (random_() % 4 == 0) kill_while_starting();
            server_.restart();
        });
        return std::move(report_);
    }

    CampaignReport terminations() {
        run(Unanswered::must_be_absent, [this](Verdict& verdict) {
            if (const int code = server_.terminate(); code != 0)
                verdict.otherwise.push_back("the exit code is " + std::to_string(code));
            load_.pause();
            server_.restart();
        });
        return std::move(report_);
    }

private:
    void run(Unanswered unanswered, const std::function<void(Verdict&)>& strike) {
        const auto deadline = std::chrono::steady_clock::now() + options_.at_most;
        for (int i = 0; i < options_.rounds; ++i) {
            Verdict verdict;
            if (std::chrono::steady_clock::now() > deadline)
                verdict.otherwise.push_back("no time for round " + std::to_string(i + 1));
            else
                run_round(unanswered, strike, verdict);
            ++(verdict.violations() == 0 ? report_.passed : report_.failed);
            report_.verdict += verdict;
        }
        if (server_.terminate() != 0)
            report_.verdict.otherwise.push_back("the last exit code is not 0");
    }

    void run_round(Unanswered unanswered, const std::function<void(Verdict&)>& strike,
                   Verdict& verdict) {
        load_.resume(server_.url());
        if (!load_.wait_for_acknowledged(20 + random_() % 500, 30s))
            verdict.otherwise.push_back("too few requests were acknowledged in 30 s");
        let_pass(microseconds(random_() % 5'000));
        strike(verdict);
        report_.start_milliseconds.push_back(server_.start_time().count() * 1000);
        ServerClient client(server_.url());
        verdict += judge_.judge(client, load_.take_log(), unanswered);
    }

    void kill_while_starting() {
        server_.launch();
        let_pass(microseconds(random_() % 60'000));
        server_.kill9();
        ++report_.killed_while_starting;
    }

    const CampaignOptions options_;
    std::mt19937_64 random_;
    StorePlace place_;
    ServerProcess server_;
    EditLoad load_;
    LoadJudge judge_;
    CampaignReport report_;
};

}  // namespace

double CampaignReport::start_percentile(double share) const {
    if (start_milliseconds.empty()) return 0;
    std::vector<double> sorted = start_milliseconds;
    std::ranges::sort(sorted);
    return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5)];
}

std::string CampaignReport::figures() const {
    char line[400];
    std::snprintf(line, sizeof line,
                  "%d rounds, %d more killed while starting, %zu acknowledged edits, %zu "
                  "acknowledged starts, %zu unknown outcomes (%zu edits of them done), %zu lost, "
                  "%zu half, %zu otherwise wrong, serving after p50 %.0f ms p99 %.0f ms",
                  passed + failed, killed_while_starting, verdict.acknowledged_edits,
                  verdict.acknowledged_starts, verdict.unknown, verdict.unknown_done,
                  verdict.lost.size(), verdict.half.size(), verdict.otherwise.size(),
                  start_percentile(0.5), start_percentile(0.99));
    return line;
}

std::string CampaignReport::complaints() const {
    std::string text;
    for (const auto* list : {&verdict.lost, &verdict.half, &verdict.otherwise})
        for (std::size_t i = 0; i < std::min(list->size(), most_complaints); ++i)
            text += (*list)[i] + '\n';
    return text;
}

CampaignReport run_kills(const CampaignOptions& options) { return Campaign(options).kills(); }

CampaignReport run_terminations(const CampaignOptions& options) {
    return Campaign(options).terminations();
}

}  // namespace holdfast::testing
