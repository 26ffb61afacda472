// A year of schedules in many zones, compared with a calculation of its own, and schedules on three
// nodes on PostgreSQL that are killed again and again.
//
//     campaign_schedules [--kills N] [--schedules N] [--seed S]
#include <boost/json.hpp>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "support/private_postgres.h"
#include "support/schedule_fleet.h"
#include "support/schedule_year.h"

namespace {

namespace bj = boost::json;
using namespace holdfast;
using namespace holdfast::testing;

// Both halves of the globe, changes of half an hour, at midnight, in Ramadan, and none at all.
constexpr const char* zones[] = {"Europe/Berlin",     "Europe/London",    "America/New_York",
                                 "America/St_Johns",  "America/Santiago", "Africa/Cairo",
                                 "Africa/Casablanca", "Asia/Kolkata",     "Australia/Lord_Howe",
                                 "Pacific/Auckland",  "Pacific/Chatham",  "Asia/Beirut"};
constexpr const char* crons[] = {"0 2 * * *",    "0,30 2 * * *",    "15,40 2 * * *",
                                 "30 1-3 * * *", "*/30 * * * *",    "59 23 * * *",
                                 "0 0 * * *",    "5 0 1 * *",       "0 9 * * MON-FRI",
                                 "45 2 * * SUN", "10 0-4/2 13 * 5", "20 3 29 2 *"};

struct Row {
    std::string zone;
    std::string cron;
};

const Moment begin = parse_iso8601("2025-12-31T23:59:30Z").value();
const Moment end = parse_iso8601("2026-12-31T23:59:30Z").value();

std::int64_t seconds(Moment moment) {
    return std::chrono::floor<std::chrono::seconds>(moment).time_since_epoch().count();
}

// By tests/campaign/due_times.py.
std::vector<std::vector<std::int64_t>> expected(const std::vector<Row>& rows) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("schedules-" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    {
        std::ofstream wanted(folder / "wanted");
        for (const Row& row : rows)
            wanted << row.zone << '\t' << seconds(begin) << '\t' << seconds(end) << '\t' << row.cron
                   << '\n';
    }
    const char* source = std::getenv("HOLDFAST_SOURCE");
    const std::string command = "python3 '" + std::string(source ? source : ".") +
                                "/tests/campaign/due_times.py' < '" + (folder / "wanted").string() +
                                "' > '" + (folder / "due").string() + "'";
    const int code = std::system(command.c_str());
    std::vector<std::vector<std::int64_t>> all;
    std::ifstream due(folder / "due");
    for (std::string line; std::getline(due, line);) {
        std::istringstream words(line);
        auto& times = all.emplace_back();
        for (std::int64_t at = 0; words >> at;) times.push_back(at);
    }
    std::filesystem::remove_all(folder);
    if (code != 0 || all.size() != rows.size())
        throw std::runtime_error("due_times.py failed; set HOLDFAST_SOURCE to the source folder");
    return all;
}

// Timers are late, and nothing runs for up to half a day now and then: all is made up for.
std::vector<std::int64_t> simulated(const Row& row, std::uint64_t seed) {
    const YearPlan plan{.spec = {{"cron", row.cron}, {"timeZone", row.zone}, {"catchUp", "24h"}},
                        .begin = begin,
                        .end = end,
                        .latest = std::chrono::seconds(5),
                        .outage = std::chrono::hours(12),
                        .seed = seed};
    std::vector<std::int64_t> times;
    for (const Moment due : fire_through(plan)) times.push_back(seconds(due));
    return times;
}

bool year(std::uint64_t seed) {
    std::vector<Row> rows;
    for (const char* zone : zones)
        for (const char* cron : crons) rows.push_back({zone, cron});
    const auto wanted = expected(rows);
    std::size_t firings = 0;
    std::size_t different = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto times = simulated(rows[i], seed + i);
        firings += times.size();
        if (times == wanted[i]) continue;
        ++different;
        const auto [ours, theirs] = std::ranges::mismatch(times, wanted[i]);
        std::printf(
            "%s in %s: %zu firings, %zu expected; first difference at %lld, expected %lld\n",
            rows[i].cron.c_str(), rows[i].zone.c_str(), times.size(), wanted[i].size(),
            static_cast<long long>(ours == times.end() ? 0 : *ours),
            static_cast<long long>(theirs == wanted[i].end() ? 0 : *theirs));
    }
    std::printf("2026 in %zu zones, %zu schedules, %zu firings: %zu differences\n",
                std::size(zones), rows.size(), firings, different);
    return different == 0;
}

bool nodes(const SchedulePlan& plan) {
    PrivatePostgres database;
    std::vector<std::unique_ptr<ServerProcess>> servers;
    std::vector<ServerProcess*> all;
    for (int i = 0; i < 3; ++i)
        all.push_back(
            servers
                .emplace_back(std::make_unique<ServerProcess>(
                    database.url(), std::vector<std::string>{"--pump-lease-seconds", "2"}))
                .get());
    const ScheduleReport report = fire_through_kills(all, plan);
    std::printf("3 nodes, %d kills: %s\n", plan.kills, report.figures().c_str());
    return report.is_clean();
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc{} && rest == text.data() + text.size();
}

bool read_arguments(int count, char** values, SchedulePlan& plan) {
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string_view name = values[i];
        if (name == "--kills" && read_number(values[i + 1], plan.kills)) continue;
        if (name == "--schedules" && read_number(values[i + 1], plan.schedules)) continue;
        if (name == "--seed" && read_number(values[i + 1], plan.seed)) continue;
        return false;
    }
    return count % 2 == 1;
}

}  // namespace

int main(int count, char** values) {
    SchedulePlan plan{.schedules = 20, .kills = 60};
    plan.seed = static_cast<std::uint64_t>(
        std::chrono::steady_clock::now().time_since_epoch().count() % 1'000'000);
    if (!read_arguments(count, values, plan)) {
        std::fprintf(stderr, "usage: campaign_schedules [--kills N] [--schedules N] [--seed S]\n");
        return 2;
    }
    try {
        std::printf("seed %llu\n", static_cast<unsigned long long>(plan.seed));
        const bool right = year(plan.seed);
        const bool once = plan.kills == 0 || nodes(plan);
        std::printf("%s\n", right && once ? "passed" : "FAILED");
        return right && once ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "campaign_schedules: %s\n", error.what());
        return 1;
    }
}
