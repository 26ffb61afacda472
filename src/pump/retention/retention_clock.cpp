#include "pump/retention/retention_clock.h"

namespace holdfast {
namespace {

constexpr std::chrono::microseconds tolerance = std::chrono::hours(1);
constexpr std::chrono::microseconds steady_for = std::chrono::hours(1);
constexpr std::chrono::microseconds steady_within = std::chrono::minutes(5);

std::string seconds(std::chrono::microseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace

std::chrono::microseconds RetentionClock::drift(const Reading& from, Moment now) const {
    return (now - from.now) -
           std::chrono::duration_cast<std::chrono::microseconds>(steady_() - from.at);
}

std::optional<std::string> RetentionClock::refusal_reason(Moment now, std::optional<Moment> mark) {
    if (!mark) return std::nullopt;
    const bool back = now < *mark - tolerance;
    const bool ahead = now > *mark + tolerance && !(trusted_ && drift(*trusted_, now) <= tolerance);
    if (!back && !ahead) return std::nullopt;

    if (!suspect_ || abs(drift(*suspect_, now)) > steady_within) suspect_ = Reading{now, steady_()};
    if (steady_() - suspect_->at >= steady_for) return std::nullopt;
    return "the store's clock shows " + to_iso8601(now) + ", " +
           seconds(back ? *mark - now : now - *mark) + (back ? " before" : " after") +
           " the last run of retention: nothing is deleted until the clock has run steadily for an "
           "hour, or until you accept the new time with acceptClock=true";
}

void RetentionClock::accept(Moment now) {
    trusted_ = Reading{now, steady_()};
    suspect_.reset();
}

}  // namespace holdfast
