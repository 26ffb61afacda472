// Dates, times and durations as ISO 8601 text in FEEL notation.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "feel/temporal/temporal.h"

namespace holdfast::feel {

// The zones that one parse or one evaluation has read.
class ZoneCache {
public:
    // Null: unknown.
    std::shared_ptr<const Zone> find(std::string_view name);

private:
    std::vector<std::shared_ptr<const Zone>> known_;
};

// -?YYYY-MM-DD with four to nine digits for the year.
std::optional<Date> parse_date(std::string_view text);
// HH:MM:SS[.fraction], followed by nothing, Z, +HH:MM[:SS] or @Zone/Name.
std::optional<Time> parse_time(std::string_view text, ZoneCache& zones);
// A date and a time with T between them.
std::optional<DateTime> parse_date_time(std::string_view text, ZoneCache& zones);
// PnYnM
std::optional<Months> parse_months(std::string_view text);
// PnDTnHnMn.nS
std::optional<Seconds> parse_seconds(std::string_view text);

std::string text_of(Date date);
std::string text_of(const Time& time);
std::string text_of(const DateTime& moment);
std::string text_of(Months duration);
std::string text_of(Seconds duration);

}  // namespace holdfast::feel
