// What the server's clock shows now: a round that loads nothing needs the time before it reaches
// the server, which then checks the guess. The node's own clock counts as far as the server's
// answers allow.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "base/time/moment.h"

namespace holdfast::postgres {

class ClockGuess {
public:
    using Instant = std::chrono::steady_clock::time_point;

    // The server read its clock between these two instants, for a round of that time.
    void note(Instant sent, Moment shown, Instant received, Moment round) {
        const Range seen{ahead_of(received, shown), ahead_of(sent, shown)};
        const bool fits =
            ahead_ && seen.lowest <= ahead_->highest && ahead_->lowest <= seen.highest;
        ahead_ = fits ? Range{std::max(ahead_->lowest, seen.lowest),
                              std::min(ahead_->highest, seen.highest)}
                      : seen;
        latest_ = std::max(latest_, round);
    }
    // Not before the rounds so far. Absent: the server was not asked yet.
    std::optional<Moment> at(Instant instant, Moment own) const {
        if (!ahead_) return std::nullopt;
        const Time now = since_start(instant);
        return std::max(
            latest_, std::clamp(own, Moment(now + ahead_->lowest), Moment(now + ahead_->highest)));
    }
    void forget() { *this = {}; }

private:
    using Time = std::chrono::microseconds;
    struct Range {
        Time lowest;
        Time highest;
    };

    static Time since_start(Instant instant) {
        return std::chrono::floor<Time>(instant.time_since_epoch());
    }
    static Time ahead_of(Instant instant, Moment shown) {
        return shown.time_since_epoch() - since_start(instant);
    }

    std::optional<Range> ahead_;  // how far the server's clock is ahead of the steady one
    Moment latest_;
};

}  // namespace holdfast::postgres
