// One attack on a server that serves its normal clients meanwhile.
#pragma once

#include "attack/attacks.h"
#include "attack/normal_load.h"
#include "support/server_process.h"

namespace holdfast::testing {

inline constexpr std::size_t most_resident = 512 * 1024 * 1024;

struct AssaultReport {
    NormalLoad::Figures alone;
    NormalLoad::Figures attacked;
    std::vector<std::string> complaints;  // about the answers to the attackers
    std::vector<std::string> lost;        // acknowledged changes of the normal clients
    std::size_t resident = 0;             // at most, in bytes
};

// Each normal client makes `rounds` of requests, first alone, then under the attack.
AssaultReport run_assault(const ServerProcess& server, const Attack& attack, int rounds);

// Tells the server to stop while the attack goes on: its exit code. Throws if it does not stop in
// time.
int stop_under(ServerProcess& server, const Attack& attack);

}  // namespace holdfast::testing
