#include "attack/assault.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace holdfast::testing {
namespace {

// Attackers have machines of their own; here they share one with the server and its clients, and
// must not be measured by the processor time that they take themselves.
constexpr int lowest_priority = 19;

constexpr std::chrono::seconds longest_stop{10};  // what the server promises

constexpr int settling = 5;  // rounds while the server does what the attack has left to do

std::size_t peak_memory(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) * 1024;
    return 0;
}

std::vector<std::jthread> begin(const Attack& attack, Victim& victim) {
    std::vector<std::jthread> attackers;
    for (int i = 0; i < attack.attackers; ++i)
        attackers.emplace_back([&](const std::stop_token& stop) {
            [[maybe_unused]] const int nice_value = ::nice(lowest_priority);
            attack.run(victim, stop);
        });
    return attackers;
}

}  // namespace

AssaultReport run_assault(const ServerProcess& server, const Attack& attack, int rounds) {
    Victim victim(server.url());
    NormalLoad load(server.url());
    AssaultReport report;
    attack.prepare(victim);
    load.run(1);  // connections, prepared statements
    // Half before and half after: the machine may have more to do at one time than at the other.
    const int half = std::max(1, rounds / 2);
    report.alone = load.run(half);
    {
        std::vector<std::jthread> attackers = begin(attack, victim);
        report.attacked = load.run(rounds, &victim.requests());
        for (std::jthread& attacker : attackers) attacker.request_stop();
    }
    load.run(settling);
    report.alone.add(load.run(half));
    report.complaints = victim.complaints();
    report.lost = load.lost();
    report.resident = peak_memory(server.pid());
    return report;
}

int stop_under(ServerProcess& server, const Attack& attack) {
    Victim victim(server.url());
    NormalLoad load(server.url());
    attack.prepare(victim);
    std::vector<std::jthread> attackers = begin(attack, victim);
    load.run(2);
    return server.terminate(longest_stop);
}

}  // namespace holdfast::testing
