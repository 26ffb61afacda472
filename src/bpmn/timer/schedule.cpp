#include "bpmn/timer/schedule.h"

#include <charconv>
#include <limits>

#include "feel/temporal/temporal_text.h"

namespace holdfast::bpmn {
namespace {

constexpr std::size_t most_timer_bytes = 500;
constexpr std::int64_t second_micros = 1'000'000;
// The years that a Moment can hold, with room for sums.
constexpr std::int64_t latest_micros = std::numeric_limits<std::int64_t>::max() / 4;

std::unexpected<Error> bad_timer(std::string_view text, std::string_view wanted) {
    return fail(ErrorCode::invalid_argument,
                "'" + std::string(text.substr(0, 80)) + "' is no " + std::string(wanted));
}

std::optional<Moment> moment_of_seconds(std::int64_t seconds, std::int64_t nano) {
    if (seconds > latest_micros / second_micros || seconds < -latest_micros / second_micros)
        return std::nullopt;
    return Moment(std::chrono::microseconds(seconds * second_micros + nano / 1000));
}

// Reads the numbers of an ISO 8601 duration, each with its unit.
class PeriodReader {
public:
    explicit PeriodReader(std::string_view text) : text_(text) {}

    std::optional<Period> read() {
        if (!take('P') || text_.empty()) return std::nullopt;
        bool any = false;
        while (!text_.empty()) {
            if (!in_time_ && take('T')) {
                in_time_ = true;
                if (text_.empty()) return std::nullopt;
                continue;
            }
            if (!component()) return std::nullopt;
            any = true;
        }
        if (!any || period_.microseconds > latest_micros) return std::nullopt;
        return period_;
    }

private:
    bool take(char c) {
        if (text_.empty() || text_[0] != c) return false;
        text_.remove_prefix(1);
        return true;
    }

    bool component() {
        std::int64_t number = 0;
        const auto [end, error] =
            std::from_chars(text_.data(), text_.data() + text_.size(), number);
        if (error != std::errc{} || number < 0 || number > 1'000'000'000'000) return false;
        text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
        std::int64_t fraction = 0;
        const bool fractional = !text_.empty() && (text_[0] == '.' || text_[0] == ',');
        if (fractional && !read_fraction(fraction)) return false;
        if (text_.empty()) return false;
        const char unit = text_[0];
        text_.remove_prefix(1);
        if (fractional && !(in_time_ && unit == 'S')) return false;
        return add(unit, number, fraction);
    }

    // Microseconds; further digits are dropped.
    bool read_fraction(std::int64_t& fraction) {
        text_.remove_prefix(1);
        std::int64_t weight = 100'000;
        std::size_t digits = 0;
        for (; !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; text_.remove_prefix(1)) {
            fraction += (text_[0] - '0') * weight;
            weight /= 10;
            ++digits;
        }
        return digits > 0;
    }

    // Units come in this order, each at most once.
    bool add(char unit, std::int64_t number, std::int64_t fraction) {
        const std::string_view order = in_time_ ? "HMS" : "YMWD";
        const auto position = order.find(unit);
        if (position == std::string_view::npos) return false;
        const int rank = static_cast<int>(position) + (in_time_ ? 10 : 0);
        if (rank <= last_rank_) return false;
        last_rank_ = rank;
        if (!in_time_ && unit == 'Y') return add_months(number, 12);
        if (!in_time_ && unit == 'M') return add_months(number, 1);
        const std::int64_t seconds = unit == 'W'   ? 604'800
                                     : unit == 'D' ? 86'400
                                     : unit == 'H' ? 3600
                                     : unit == 'M' ? 60
                                                   : 1;
        if (number > latest_micros / second_micros / seconds) return false;
        period_.microseconds += number * seconds * second_micros + fraction;
        return period_.microseconds <= latest_micros;
    }

    bool add_months(std::int64_t number, std::int64_t each) {
        if (number > 12 * 10'000) return false;
        period_.months += number * each;
        return true;
    }

    std::string_view text_;
    Period period_;
    bool in_time_ = false;
    int last_rank_ = -1;
};

bool is_never(const Period& period) { return period.months == 0 && period.microseconds == 0; }

// The part before the next slash.
std::string_view cycle_part(std::string_view& rest) {
    const auto slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
    return part;
}

bool read_repetitions(std::string_view text, Cycle& cycle) {
    text.remove_prefix(1);
    if (text.empty() || text == "-1") return true;
    std::uint32_t count = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    cycle.repetitions = count;
    return error == std::errc{} && end == text.data() + text.size();
}

Result<Schedule> read_cycle(std::string_view text) {
    constexpr std::string_view wanted =
        "cycle; write R3/PT10S, R/2026-01-01T00:00:00Z/P1D or a cron text";
    std::string_view rest = text;
    Cycle cycle;
    if (!read_repetitions(cycle_part(rest), cycle)) return bad_timer(text, wanted);
    const std::string_view first = cycle_part(rest);
    const std::string_view second = cycle_part(rest);
    if (first.empty() || !rest.empty()) return bad_timer(text, wanted);
    if (first[0] != 'P') {
        HF_TRY(cycle.start, parse_timer_date(first));
        if (second.empty()) return bad_timer(text, wanted);
    }
    if (second.empty() || first[0] == 'P') {
        HF_TRY(cycle.period, parse_timer_duration(first));
        if (!second.empty()) {
            HF_TRY(cycle.end, parse_timer_date(second));
        }
    } else if (second[0] == 'P') {
        HF_TRY(cycle.period, parse_timer_duration(second));
    } else {
        HF_TRY(const Moment next, parse_timer_date(second));
        if (next <= *cycle.start) return bad_timer(text, wanted);
        cycle.period.microseconds = (next - *cycle.start).count();
    }
    if (is_never(cycle.period)) return bad_timer(text, wanted);
    return cycle;
}

std::optional<Moment> due_of(const Cycle& cycle, const TimerProgress& progress) {
    if (cycle.repetitions && progress.fired >= *cycle.repetitions) return std::nullopt;
    const auto due = cycle.start ? after(*cycle.start, cycle.period, progress.fired)
                                 : after(progress.armed, cycle.period, progress.fired + 1);
    if (due && cycle.end && *due > *cycle.end) return std::nullopt;
    return due;
}

}  // namespace

Result<Moment> parse_timer_date(std::string_view text) {
    feel::ZoneCache zones;
    auto parsed = feel::parse_date_time(text, zones);
    if (!parsed) {
        if (const auto date = feel::parse_date(text)) parsed = feel::midnight(*date);
    }
    // Without seconds, as ISO 8601 allows: 2026-01-31T10:00Z.
    if (!parsed && text.size() >= 16 && text[10] == 'T')
        parsed = feel::parse_date_time(
            std::string(text.substr(0, 16)) + ":00" + std::string(text.substr(16)), zones);
    if (!parsed) return bad_timer(text, "ISO 8601 date and time; write 2026-01-31T10:00:00Z");
    const std::int64_t offset = parsed->offset().value_or(0);
    const auto moment = moment_of_seconds(parsed->local_seconds() - offset, parsed->time.nano);
    if (!moment) return bad_timer(text, "date that a timer can reach");
    return *moment;
}

Result<Period> parse_timer_duration(std::string_view text) {
    const auto period = PeriodReader(text).read();
    if (!period) return bad_timer(text, "ISO 8601 duration; write PT10S or P1DT12H");
    return *period;
}

Result<Schedule> parse_timer_cycle(std::string_view text) {
    if (text.size() > most_timer_bytes) return bad_timer(text, "cycle: it is too long");
    if (looks_like_cron(text)) return parse_cron(text);
    if (text.starts_with('P')) {
        HF_TRY(const Period period, parse_timer_duration(text));
        if (is_never(period)) return bad_timer(text, "cycle: it repeats without a pause");
        return Cycle{.repetitions = {}, .start = {}, .end = {}, .period = period};
    }
    if (!text.starts_with('R')) return bad_timer(text, "ISO 8601 cycle; write R3/PT10S");
    return read_cycle(text);
}

std::optional<Moment> after(Moment from, const Period& period, std::uint32_t times) {
    const std::int64_t count = times;
    if (period.microseconds != 0 && count > latest_micros / period.microseconds)
        return std::nullopt;
    const std::int64_t micros = from.time_since_epoch().count();
    if (micros > latest_micros || micros < -latest_micros) return std::nullopt;
    const std::int64_t added = count * period.microseconds;
    if (period.months == 0) return Moment(std::chrono::microseconds(micros + added));
    const std::int64_t day_micros = feel::day_seconds * second_micros;
    const std::int64_t day = feel::floor_divided(micros, day_micros);
    const auto date = feel::Date::of_day(day);
    const auto moved = date ? feel::add(*date, feel::Months{period.months * count}) : date;
    if (!moved) return std::nullopt;
    const auto start = moment_of_seconds(moved->number() * feel::day_seconds, 0);
    if (!start) return std::nullopt;
    return *start + std::chrono::microseconds(micros - day * day_micros + added);
}

std::optional<Moment> next_due(const Schedule& schedule, const TimerProgress& progress) {
    if (const auto* cycle = std::get_if<Cycle>(&schedule)) return due_of(*cycle, progress);
    if (const auto* cron = std::get_if<Cron>(&schedule))
        return next_match(*cron, progress.fired > 0 ? progress.last_due : progress.armed);
    if (progress.fired > 0) return std::nullopt;
    if (const auto* date = std::get_if<Moment>(&schedule)) return *date;
    return after(progress.armed, std::get<Period>(schedule), 1);
}

}  // namespace holdfast::bpmn
