// Servers on one store with schedules that fire every second, killed again and again: whether every
// due time fired once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/server_process.h"

namespace holdfast::testing {

struct SchedulePlan {
    int schedules = 5;
    int kills = 6;
    std::uint64_t seed = 1;
};

struct ScheduleReport {
    std::uint64_t due = 0;      // times that were due
    std::uint64_t started = 0;  // workflows
    std::uint64_t missing = 0;  // due times without a workflow
    std::uint64_t doubled = 0;  // workflows of a due time that has one already
    std::uint64_t missed = 0;   // as the schedules count

    bool is_clean() const { return due > 0 && missing + doubled + missed == 0; }
    std::string figures() const;
};

// All servers are on one store. Throws std::runtime_error if they do not get anywhere.
ScheduleReport fire_through_kills(std::vector<ServerProcess*> servers, const SchedulePlan& plan);

}  // namespace holdfast::testing
