#include "bpmn/timer/cron.h"

#include <array>
#include <charconv>
#include <vector>

#include "feel/temporal/calendar.h"

namespace holdfast::bpmn {
namespace {

constexpr int first_cron_year = 1970;

std::unexpected<Error> bad_cron(std::string_view text, std::string_view why) {
    return fail(ErrorCode::invalid_argument,
                "'" + std::string(text.substr(0, 80)) + "' is no cron text: " + std::string(why));
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (true) {
        const auto begin = text.find_first_not_of(" \t");
        if (begin == std::string_view::npos) return words;
        text.remove_prefix(begin);
        const auto end = std::min(text.find_first_of(" \t"), text.size());
        words.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

constexpr std::array<std::string_view, 13> month_names{
    "", "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"};
constexpr std::array<std::string_view, 8> weekday_names{"",    "MON", "TUE", "WED",
                                                        "THU", "FRI", "SAT", "SUN"};

// One field: a list of values, ranges and steps over `least` to `most`.
struct CronField {
    int least;
    int most;
    enum class Names : std::uint8_t { none, months, weekdays } names = Names::none;
    // Quartz counts weekdays from Sunday 1, cron from Sunday 0 (and 7).
    bool quartz = false;

    std::optional<int> value(std::string_view text) const {
        int number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size()) return named(text);
        if (names != Names::weekdays) return number;
        if (quartz) return number < 1 || number > 7 ? -1 : number == 1 ? 7 : number - 1;
        return number == 0 ? 7 : number;
    }

    std::optional<int> named(std::string_view text) const {
        std::string upper(text);
        for (char& c : upper)
            if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        const auto find = [&](const auto& known) -> std::optional<int> {
            for (std::size_t i = 1; i < known.size(); ++i)
                if (known[i] == upper) return static_cast<int>(i);
            return std::nullopt;
        };
        if (names == Names::months) return find(month_names);
        if (names == Names::weekdays) return find(weekday_names);
        return std::nullopt;
    }

    // Calls `set` for every value; false: not a field.
    template <class Set>
    bool read(std::string_view text, const Set& set) const {
        while (true) {
            const auto comma = text.find(',');
            if (!item(text.substr(0, comma), set)) return false;
            if (comma == std::string_view::npos) return true;
            text.remove_prefix(comma + 1);
        }
    }

private:
    template <class Set>
    bool item(std::string_view text, const Set& set) const {
        int step = 1;
        const auto slash = text.find('/');
        if (slash != std::string_view::npos) {
            const std::string_view digits = text.substr(slash + 1);
            const auto [end, error] =
                std::from_chars(digits.data(), digits.data() + digits.size(), step);
            if (error != std::errc{} || end != digits.data() + digits.size() || step < 1)
                return false;
            text = text.substr(0, slash);
        }
        const bool all = text == "*" || text == "?" || text.empty();
        if (text.empty() && slash == std::string_view::npos) return false;
        int low = least;
        int high = most;
        if (!all && !range(text, low, high)) return false;
        if (!all && slash != std::string_view::npos && text.find('-') == std::string_view::npos)
            high = most;
        // A range of weekdays or months may wrap around: FRI-MON.
        const int span = high >= low ? high - low : high - low + (most - least + 1);
        for (int i = 0; i <= span; i += step) {
            int at = low + i;
            if (at > most) at -= most - least + 1;
            set(at);
        }
        return true;
    }

    bool range(std::string_view text, int& low, int& high) const {
        const auto dash = text.find('-');
        const auto first = value(text.substr(0, dash));
        const auto last = dash == std::string_view::npos ? first : value(text.substr(dash + 1));
        if (!first || !last) return false;
        low = *first;
        high = *last;
        const bool wraps = names != Names::none;
        return low >= least && high >= least && low <= most && high <= most &&
               (high >= low || wraps);
    }
};

// `L`, `LW` and `15W` need more than a set; of these only `L` is known.
bool read_days(std::string_view text, Cron& cron) {
    if (text == "L" || text == "l") {
        cron.last_day = true;
        return true;
    }
    cron.any_day = text == "*" || text == "?";
    return CronField{1, 31}.read(text,
                                 [&](int day) { cron.days.set(static_cast<std::size_t>(day)); });
}

bool read_weekdays(std::string_view text, const CronField& field, Cron& cron) {
    cron.any_weekday = text == "*" || text == "?";
    const auto hash = text.find('#');
    if (hash != std::string_view::npos) {
        const std::string_view nth = text.substr(hash + 1);
        if (nth.size() != 1 || nth[0] < '1' || nth[0] > '5') return false;
        cron.nth_weekday = nth[0] - '0';
        text = text.substr(0, hash);
    } else if (text.size() > 1 && (text.back() == 'L' || text.back() == 'l')) {
        cron.nth_weekday = -1;
        text.remove_suffix(1);
    }
    if (cron.nth_weekday != 0 && text.find_first_of(",-/*?") != std::string_view::npos)
        return false;
    return field.read(text, [&](int day) { cron.weekdays.set(static_cast<std::size_t>(day)); });
}

std::string_view expanded_macro(std::string_view text) {
    if (text == "@hourly") return "0 * * * *";
    if (text == "@daily" || text == "@midnight") return "0 0 * * *";
    if (text == "@weekly") return "0 0 * * 0";
    if (text == "@monthly") return "0 0 1 * *";
    if (text == "@yearly" || text == "@annually") return "0 0 1 1 *";
    return text;
}

// Finds matches in wall-clock time, day by day.
class CronSearch {
public:
    explicit CronSearch(const Cron& cron) : cron_(cron) {}

    // Wall-clock seconds of the first match after `from`.
    std::optional<std::int64_t> after(std::int64_t from) const {
        const std::int64_t start = from + 1;
        std::int64_t day = feel::floor_divided(start, feel::day_seconds);
        std::int64_t second = start - day * feel::day_seconds;
        while (true) {
            const feel::Civil civil = feel::civil_of(day);
            const auto next = skip(civil);
            if (!next) return std::nullopt;
            if (*next == day) {
                if (const auto time = time_from(second)) return day * feel::day_seconds + *time;
                ++day;
            } else {
                day = *next;
            }
            second = 0;
        }
    }

private:
    // The day itself if it matches, otherwise a later day that may; absent: no year is left.
    std::optional<std::int64_t> skip(const feel::Civil& civil) const {
        const std::int64_t year = std::max<std::int64_t>(civil.year, first_cron_year);
        const auto index = static_cast<std::size_t>(year - first_cron_year);
        if (index >= cron_.years.size()) return std::nullopt;
        const std::int64_t today = feel::day_number(civil.year, civil.month, civil.day);
        if (civil.year < first_cron_year) return feel::day_number(first_cron_year, 1, 1);
        if (!cron_.years[index]) return feel::day_number(civil.year + 1, 1, 1);
        if (!cron_.months[static_cast<std::size_t>(civil.month)])
            return civil.month == 12 ? feel::day_number(civil.year + 1, 1, 1)
                                     : feel::day_number(civil.year, civil.month + 1, 1);
        return matches(civil, today) ? today : today + 1;
    }

    bool matches(const feel::Civil& civil, std::int64_t number) const {
        const int last = feel::days_in_month(civil.year, civil.month);
        const bool day =
            cron_.last_day ? civil.day == last : cron_.days[static_cast<std::size_t>(civil.day)];
        bool weekday = cron_.weekdays[static_cast<std::size_t>(feel::weekday(number))];
        if (cron_.nth_weekday > 0)
            weekday = weekday && (civil.day - 1) / 7 + 1 == cron_.nth_weekday;
        if (cron_.nth_weekday < 0) weekday = weekday && civil.day + 7 > last;
        if (cron_.any_day && !cron_.last_day) return weekday;
        if (cron_.any_weekday) return day;
        return day || weekday;
    }

    // The first matching second of a day, from `second` on.
    std::optional<std::int64_t> time_from(std::int64_t second) const {
        for (std::int64_t hour = second / 3600; hour < 24; ++hour) {
            if (!cron_.hours[static_cast<std::size_t>(hour)]) continue;
            for (std::int64_t minute = 0; minute < 60; ++minute) {
                if (!cron_.minutes[static_cast<std::size_t>(minute)]) continue;
                const std::int64_t begin = hour * 3600 + minute * 60;
                if (begin + 59 < second) continue;
                for (std::int64_t at = 0; at < 60; ++at)
                    if (cron_.seconds[static_cast<std::size_t>(at)] && begin + at >= second)
                        return begin + at;
            }
        }
        return std::nullopt;
    }

    const Cron& cron_;
};

}  // namespace

bool Cron::operator==(const Cron& other) const {
    return seconds == other.seconds && minutes == other.minutes && hours == other.hours &&
           days == other.days && months == other.months && weekdays == other.weekdays &&
           years == other.years && any_day == other.any_day && any_weekday == other.any_weekday &&
           last_day == other.last_day && nth_weekday == other.nth_weekday &&
           (zone ? zone->name() : "") == (other.zone ? other.zone->name() : "");
}

bool looks_like_cron(std::string_view text) {
    return text.starts_with('@') || text.find_first_of(" \t") != std::string_view::npos;
}

Result<Cron> parse_cron(std::string_view text) {
    std::vector<std::string_view> words = words_of(expanded_macro(text));
    Cron cron;
    if (!words.empty() && (words[0].starts_with("CRON_TZ=") || words[0].starts_with("TZ="))) {
        cron.zone = feel::Zone::find(words[0].substr(words[0].find('=') + 1));
        if (!cron.zone) return bad_cron(text, "the zone is not known");
        words.erase(words.begin());
        if (words.size() == 1) words = words_of(expanded_macro(words[0]));
    }
    if (words.size() < 5 || words.size() > 7)
        return bad_cron(text, "it has five, six or seven fields");
    const bool quartz = words.size() > 5;
    if (!quartz) words.insert(words.begin(), "0");
    if (words.size() == 6) words.emplace_back("*");
    const auto into = [](auto& set) {
        return [&set](int value) { set.set(static_cast<std::size_t>(value)); };
    };
    const CronField weekdays{1, 7, CronField::Names::weekdays, quartz};
    if (!CronField{0, 59}.read(words[0], into(cron.seconds))) return bad_cron(text, "seconds");
    if (!CronField{0, 59}.read(words[1], into(cron.minutes))) return bad_cron(text, "minutes");
    if (!CronField{0, 23}.read(words[2], into(cron.hours))) return bad_cron(text, "hours");
    if (!read_days(words[3], cron)) return bad_cron(text, "days");
    if (!CronField{1, 12, CronField::Names::months}.read(words[4], into(cron.months)))
        return bad_cron(text, "months");
    if (!read_weekdays(words[5], weekdays, cron)) return bad_cron(text, "weekdays");
    const auto year = [&](int value) { cron.years.set(static_cast<std::size_t>(value - 1970)); };
    if (!CronField{first_cron_year, 2169}.read(words[6], year)) return bad_cron(text, "years");
    return cron;
}

namespace {

// A time that a change skips keeps the offset before it, so it is due that much later: then it may
// come after times that are later by the clock on the wall.
std::optional<std::int64_t> next_in_zone(const Cron& cron, std::int64_t utc) {
    const feel::Zone& zone = *cron.zone;
    const CronSearch search(cron);
    std::optional<std::int64_t> first;
    std::int64_t clock_of_first = 0;  // what the clock on the wall shows when it is due
    // Also what the last change skipped: it has just become due, or will.
    std::int64_t local =
        utc + std::min(zone.offset_at(utc), zone.offset_at(utc - feel::day_seconds));
    while (const auto match = search.after(local)) {
        if (first && *match > clock_of_first) break;
        local = *match;
        const std::int64_t due = *match - zone.offset_at_local(*match);
        if (due <= utc) continue;  // also the second one of an hour that occurs twice
        if (!first || due < *first) {
            first = due;
            clock_of_first = due + zone.offset_at(due);
        }
        if (clock_of_first <= *match) break;
    }
    return first;
}

}  // namespace

std::optional<Moment> next_match(const Cron& cron, Moment from) {
    const std::int64_t utc =
        std::chrono::floor<std::chrono::seconds>(from).time_since_epoch().count();
    const auto due = cron.zone ? next_in_zone(cron, utc) : CronSearch(cron).after(utc);
    if (!due) return std::nullopt;
    return Moment(std::chrono::seconds(*due));
}

}  // namespace holdfast::bpmn
