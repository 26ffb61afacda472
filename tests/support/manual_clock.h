// A clock that only the test advances.
#pragma once

#include <atomic>
#include <chrono>

#include "base/time/clock.h"

namespace holdfast::testing {

class ManualClock final : public Clock {
public:
    using Steady = std::chrono::steady_clock;

    Moment now() const override { return Moment(std::chrono::microseconds(now_.load())); }
    // The matching steady clock.
    Steady::time_point steady() const {
        return Steady::time_point(std::chrono::microseconds(steady_.load()));
    }

    // Advances both clocks.
    void pass(std::chrono::microseconds time) {
        now_ += time.count();
        steady_ += time.count();
    }
    // Sets the system clock, without the steady clock.
    void jump(std::chrono::microseconds by) { now_ += by.count(); }

private:
    std::atomic<std::int64_t> now_{1'800'000'000'000'000};
    std::atomic<std::int64_t> steady_{1'000'000'000'000};
};

}  // namespace holdfast::testing
