// Whether the store's clock may be believed before something is deleted by it (I28): against the
// mark that the last run left, and against the steady clock of this process.
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

    // Why nothing may be deleted at `now`. `mark`: when the last run was; absent: there was none.
    // After an hour in which both clocks went on together the new time is believed.
    std::optional<std::string> refusal_reason(Moment now, std::optional<Moment> mark);
    // The time is believed, by this object or by an operator.
    void accept(Moment now);

private:
    struct Sight {
        Moment now;
        Steady::time_point at;
    };
    // How far the store's clock went on, more than time did.
    std::chrono::microseconds drift(const Sight& from, Moment now) const;

    std::function<Steady::time_point()> steady_;
    std::optional<Sight> believed_;
    std::optional<Sight>
        doubted_;  // since when the clock has gone on steadily, but is not believed
};

}  // namespace holdfast
