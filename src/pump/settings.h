// Settings of the pump and of retention (004.9, 004.14).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace holdfast {

enum class DeadLetterPolicy {
    move,  // an unusable signal becomes a dead letter
    hold,  // the same, but it keeps its place: later signals of its instance wait behind it
};

std::string_view name_of(DeadLetterPolicy policy);
std::optional<DeadLetterPolicy> parse_dead_letter_policy(std::string_view text);

struct PumpSettings {
    std::size_t consumers = 4;              // threads that call handlers
    std::chrono::seconds receive_wait{30};  // longest wait in memory; its end runs no statement
    std::size_t max_concurrent_handlers = 256;
    std::uint32_t max_poison_retries = 5;  // attempts before the signal becomes a dead letter
    std::chrono::seconds lease{10};
    DeadLetterPolicy dead_letter_policy = DeadLetterPolicy::move;
    // Before the second attempt; twice as long before each further one, up to a minute.
    std::chrono::milliseconds retry_pause{200};
    std::size_t most_held = 10'000;  // continuations that this node leases to itself
    // How long no node may have the program of a running instance before it is an incident. 0: for
    // ever.
    std::chrono::microseconds missing_program_after = std::chrono::minutes(1);
};

// invalid_argument: names the flag of the setting that is wrong.
Result<void> check(const PumpSettings& settings);

// The pause before a signal may be claimed again after a failed attempt.
std::chrono::microseconds pause_after(const PumpSettings& settings, std::uint32_t attempts);

struct RetentionSettings {
    std::chrono::microseconds keep_ended{0};   // 0: for ever
    std::chrono::microseconds stale_after{0};  // 0: never
    // Rows that belong to no instance (any more): rounds, keys, fates, ended node lives. At least
    // as long as `keep_ended`.
    std::chrono::microseconds keep_records = std::chrono::hours(24);
    // The history of open instances, of which the newest 100 rows always stay. 0: for ever.
    std::chrono::microseconds keep_history{0};
    // What cleared instances leave. Absent: as long as `keep_ended`; 0: for ever.
    std::optional<std::chrono::microseconds> keep_cleared = {};
    // Conflicts, also of open instances. 0: as long as their instance.
    std::chrono::microseconds keep_conflicts = std::chrono::days(30);
};

// invalid_argument: names the flag of the setting that is wrong.
Result<void> check(const RetentionSettings& settings);

}  // namespace holdfast
