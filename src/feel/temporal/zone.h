// An IANA time zone, read from the system's compiled zone files. Immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::feel {

// When summer time begins or ends in a year: day and second of that day in local time.
struct YearlyChange {
    enum class Form { day_of_year, day_without_leap, month_week_day };

    Form form = Form::day_of_year;
    int month = 0;
    int week = 0;  // 5 is the last one
    int day = 0;   // of the year, or of the week with Sunday 0
    std::int32_t second = 7200;
};

// Applies after the last transition of a zone file.
struct YearlyRule {
    std::int32_t standard = 0;
    std::int32_t summer = 0;
    std::optional<YearlyChange> begin;  // absent: standard time all year
    std::optional<YearlyChange> end;
};

class Zone {
public:
    // Null: no zone of this name, or its file is not a zone file.
    static std::shared_ptr<const Zone> find(std::string_view name);

    const std::string& name() const { return name_; }
    // Seconds east of Greenwich. For an ambiguous local time, the offset before the change.
    std::int32_t offset_at_local(std::int64_t local_seconds) const;
    std::int32_t offset_at(std::int64_t epoch_seconds) const;
    // The current offset without summer time, for times that have no date.
    std::int32_t standard_offset() const { return rule_.standard; }

private:
    friend class ZoneFile;

    struct Transition {
        std::int64_t at;  // seconds since 1970, UTC
        std::int32_t offset;
    };

    std::string name_;
    std::int32_t first_offset_ = 0;
    std::vector<Transition> transitions_;
    YearlyRule rule_;
};

}  // namespace holdfast::feel
