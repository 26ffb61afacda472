// Whether the store's clock can be trusted before retention deletes by it (I28): checked against
// the mark of the last run and the steady clock of this process.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "base/time/moment.h"

namespace holdfast {

// Belongs to one thread at a time.
class RetentionClock {
public:
    using Steady = std::chrono::steady_clock;

    explicit RetentionClock(std::function<Steady::time_point()> steady)
        : steady_(std::move(steady)) {}

    // Why nothing may be deleted at `now`; absent: it may. `mark`: the time of the last run, if
    // any. After an hour in which both clocks agree the new time is trusted.
    std::optional<std::string> refusal_reason(Moment now, std::optional<Moment> mark);
    // The time is trusted, by this object or by an operator.
    void accept(Moment now);

private:
    struct Reading {
        Moment now;
        Steady::time_point at;
    };
    // How much further the store's clock moved than the steady clock.
    std::chrono::microseconds drift(const Reading& from, Moment now) const;

    std::function<Steady::time_point()> steady_;
    std::optional<Reading> trusted_;
    std::optional<Reading> suspect_;  // since when the clock runs steadily but is not yet trusted
};

}  // namespace holdfast
