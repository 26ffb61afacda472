#include "support/schedule_fleet.h"

#include <boost/json.hpp>
#include <map>
#include <random>
#include <set>
#include <stdexcept>

#include "base/time/moment.h"
#include "support/eventually.h"
#include "support/server_client.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;

constexpr std::uint64_t firings_between_kills = 2;

std::string name_of(int schedule) { return "each-second-" + std::to_string(schedule); }

std::string target_of(int schedule) { return "/api/v1/schedules/" + name_of(schedule); }

Moment moment_in(const bj::value& object, const char* name) {
    return parse_iso8601(object.at(name).as_string()).value();
}

std::uint64_t number_in(const bj::value& object, const char* name) {
    return object.at(name).to_number<std::uint64_t>();
}

void create(ServerClient& client, int schedule) {
    const bj::object spec{
        {"every", "1s"},
        {"overlap", "allow"},
        {"start", bj::object{{"definition", "ticked"}, {"businessKey", "${due}"}}}};
    const auto reply = client.put(target_of(schedule), bj::serialize(spec));
    if (!reply || reply->status != 201) throw std::runtime_error("a schedule was not created");
}

// Of all schedules, by the first server that answers.
std::uint64_t fired(const std::vector<ServerProcess*>& servers, const SchedulePlan& plan) {
    ServerClient client(servers.front()->url());
    std::uint64_t all = 0;
    for (int i = 0; i < plan.schedules; ++i)
        all += number_in(client.must_get(target_of(i)), "fired");
    return all;
}

void kill_one(const std::vector<ServerProcess*>& servers, const SchedulePlan& plan,
              std::mt19937_64& random) {
    const std::uint64_t before = fired(servers, plan);
    const auto goal = before + firings_between_kills * static_cast<std::uint64_t>(plan.schedules);
    if (!eventually([&] { return fired(servers, plan) >= goal; }, std::chrono::minutes(2)))
        throw std::runtime_error("the schedules do not fire any more");
    servers[random() % servers.size()]->restart();
}

// The due times of what was started, by schedule.
std::map<std::string, std::multiset<std::string>> started_times(ServerClient& client) {
    std::map<std::string, std::multiset<std::string>> times;
    std::string cursor;
    do {
        const bj::value page =
            client.must_get("/api/v1/workflows?definition=ticked&limit=200" + cursor);
        for (const bj::value& one : page.at("items").as_array()) {
            const bj::value& business = one.at("businessReference");
            times[std::string(business.at("parts").at("schedule").as_string())].emplace(
                business.at("key").as_string());
        }
        const bj::value& next = page.at("nextCursor");
        cursor = next.is_null() ? "" : "&cursor=" + std::string(next.as_string());
    } while (!cursor.empty());
    return times;
}

// From its first due time to the last one that it fired for.
void judge(const bj::value& schedule, const std::multiset<std::string>& times,
           ScheduleReport& report) {
    report.missed += number_in(schedule, "missed");
    report.started += times.size();
    const Moment last = moment_in(schedule.at("recent").at(0), "due");
    const Moment created = moment_in(schedule, "createdAt");
    for (Moment due = created + std::chrono::seconds(1); due <= last;
         due += std::chrono::seconds(1)) {
        ++report.due;
        report.missing += times.count(to_iso8601(due)) == 0;
    }
    report.doubled += times.size() - std::set(times.begin(), times.end()).size();
}

}  // namespace

std::string ScheduleReport::figures() const {
    return std::to_string(due) + " times due, " + std::to_string(started) + " workflows, " +
           std::to_string(missing) + " missing, " + std::to_string(doubled) + " doubled, " +
           std::to_string(missed) + " missed";
}

ScheduleReport fire_through_kills(std::vector<ServerProcess*> servers, const SchedulePlan& plan) {
    std::mt19937_64 random(plan.seed);
    {
        ServerClient client(servers.front()->url());
        if (client.define("ticked")->status >= 300)
            throw std::runtime_error("the definition was not put");
        for (int i = 0; i < plan.schedules; ++i) create(client, i);
    }
    for (int i = 0; i < plan.kills; ++i) kill_one(servers, plan, random);
    ServerClient client(servers.back()->url());
    for (int i = 0; i < plan.schedules; ++i)
        if (client.post(target_of(i) + "/pause", "{}")->status != 200)
            throw std::runtime_error("a schedule was not paused");
    const auto times = started_times(client);
    ScheduleReport report;
    for (int i = 0; i < plan.schedules; ++i)
        if (const auto its = times.find(name_of(i)); its != times.end())
            judge(client.must_get(target_of(i)), its->second, report);
    return report;
}

}  // namespace holdfast::testing
