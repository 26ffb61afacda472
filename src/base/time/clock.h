// The only source of the current time outside a database. Tests and the simulation bring their own.
#pragma once

#include <mutex>

#include "base/time/moment.h"

namespace holdfast {

class Clock {
public:
    virtual ~Clock() = default;
    virtual Moment now() const = 0;
};

// Time that never goes back: after the system clock was set back, time advances with the steady
// clock until the system clock has caught up.
class ForwardTime {
public:
    using Steady = std::chrono::steady_clock::time_point;

    Moment at(Moment wall, Steady steady);

private:
    Moment last_{};
    Steady steady_{};
};

// Detects that the system clock moved differently from the steady clock: it was set, or the machine
// was suspended.
class JumpWatch {
public:
    using Steady = ForwardTime::Steady;

    // Whether time jumped since the last call. The first call returns false.
    bool has_jumped(Moment now, Steady steady);

private:
    std::optional<std::chrono::microseconds> ahead_;  // of the steady clock
};

// Thread-safe.
class SystemClock final : public Clock {
public:
    Moment now() const override;

private:
    mutable std::mutex mutex_;
    mutable ForwardTime time_;
};

}  // namespace holdfast
