#include "base/time/clock.h"

#include <utility>

namespace holdfast {
namespace {

using std::chrono::floor;
using std::chrono::microseconds;

// Larger than the gradual corrections that NTP makes.
constexpr microseconds smallest_jump = std::chrono::milliseconds(250);

}  // namespace

Moment ForwardTime::at(Moment wall, Steady steady) {
    const bool is_behind = wall < last_;
    last_ = is_behind ? last_ + floor<microseconds>(steady - steady_) : wall;
    steady_ = steady;
    return last_;
}

bool JumpWatch::has_jumped(Moment now, Steady steady) {
    const microseconds ahead =
        now.time_since_epoch() - floor<microseconds>(steady.time_since_epoch());
    const auto before = std::exchange(ahead_, ahead);
    return before && abs(ahead - *before) >= smallest_jump;
}

Moment SystemClock::now() const {
    const std::lock_guard lock(mutex_);
    return time_.at(floor<microseconds>(std::chrono::system_clock::now()),
                    std::chrono::steady_clock::now());
}

}  // namespace holdfast
