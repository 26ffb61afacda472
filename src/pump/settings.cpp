#include "pump/settings.h"

#include <algorithm>
#include <string>

#include "base/names.h"

namespace holdfast {
namespace {

constexpr Named<DeadLetterPolicy> policies[] = {{DeadLetterPolicy::move, "move"},
                                                {DeadLetterPolicy::hold, "hold"}};
constexpr std::chrono::microseconds longest_pause = std::chrono::minutes(1);

Result<void> within(std::string_view flag, std::int64_t value, std::int64_t least,
                    std::int64_t most) {
    if (value >= least && value <= most) return {};
    return fail(ErrorCode::invalid_argument, std::string(flag) + " must be a number from " +
                                                 std::to_string(least) + " to " +
                                                 std::to_string(most));
}

}  // namespace

std::string_view name_of(DeadLetterPolicy policy) { return name_in(policies, policy); }
std::optional<DeadLetterPolicy> parse_dead_letter_policy(std::string_view text) {
    return find_in(policies, text);
}

Result<void> check(const PumpSettings& settings) {
    const auto count = [](std::size_t value) {
        return static_cast<std::int64_t>(std::min<std::size_t>(value, INT32_MAX));
    };
    HF_CHECK(within("--pump-consumers", count(settings.consumers), 1, 256));
    HF_CHECK(within("--pump-receive-wait-seconds", settings.receive_wait.count(), 1, 3'600));
    HF_CHECK(within("--pump-max-concurrent-handlers", count(settings.max_concurrent_handlers), 1,
                    100'000));
    HF_CHECK(within("--pump-max-poison-retries", settings.max_poison_retries, 1, 1'000));
    return within("--pump-lease-seconds", settings.lease.count(), 1, 3'600);
}

Result<void> check(const RetentionSettings& settings) {
    // A commit whose answer was lost is looked up in them, also by a process that was stopped.
    if (settings.keep_records < std::chrono::hours(1))
        return fail(ErrorCode::invalid_argument, "--keep-records must be 1h or longer");
    return {};
}

std::chrono::microseconds pause_after(const PumpSettings& settings, std::uint32_t attempts) {
    const std::uint32_t doublings = std::min(attempts > 0 ? attempts - 1 : 0, 20U);
    return std::min<std::chrono::microseconds>(settings.retry_pause * (1U << doublings),
                                               longest_pause);
}

}  // namespace holdfast
