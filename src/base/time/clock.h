// The only source of "now" outside a database. Tests and the simulation drive their own.
#pragma once

#include <mutex>

#include "base/time/moment.h"

namespace holdfast {

class Clock {
public:
    virtual ~Clock() = default;
    virtual Moment now() const = 0;
};

// Time that never goes back: while the machine's clock is behind what it showed before, time goes
// on at the pace of the steady clock.
class ForwardTime {
public:
    using Steady = std::chrono::steady_clock::time_point;

    Moment at(Moment wall, Steady steady);

private:
    Moment last_{};
    Steady steady_{};
};

// Says when time has moved otherwise than the steady clock: the clock was set, or the machine
// slept.
class JumpWatch {
public:
    using Steady = ForwardTime::Steady;

    // Whether it did so since the last call; the first one only begins.
    bool has_jumped(Moment now, Steady steady);

private:
    std::optional<std::chrono::microseconds> ahead_;  // of the steady clock
};

// Safe from any thread.
class SystemClock final : public Clock {
public:
    Moment now() const override;

private:
    mutable std::mutex mutex_;
    mutable ForwardTime time_;
};

}  // namespace holdfast
