#include "feel/temporal/temporal.h"

#include <gtest/gtest.h>

#include "feel/temporal/temporal_text.h"
#include "feel/temporal/zone_file.h"

namespace holdfast::feel {
namespace {

class Temporal : public ::testing::Test {
protected:
    DateTime moment(std::string_view text) { return *parse_date_time(text, zones_); }
    Time time(std::string_view text) { return *parse_time(text, zones_); }

    ZoneCache zones_;
};

TEST_F(Temporal, TheCalendarGoesBothWaysThroughLeapYearsAndNegativeYears) {
    for (const std::int64_t day :
         {-365'000'000'000L, -719'529L, -1L, 0L, 59L, 11'016L, 19'782L, 365'000'000'000L}) {
        const Civil civil = civil_of(day);
        EXPECT_EQ(day_number(civil.year, civil.month, civil.day), day);
    }
    EXPECT_EQ(text_of(*Date::of_day(19'782)), "2024-02-29");
    EXPECT_EQ(weekday(day_number(2024, 2, 29)), 4);
    EXPECT_EQ(weekday(day_number(-1, 1, 1)), weekday(day_number(399, 1, 1)));
}

TEST_F(Temporal, TheFirstWeekHasMostOfItsDaysInTheYear) {
    EXPECT_EQ(week_of_year({2010, 1, 1}), 53);
    EXPECT_EQ(week_of_year({2003, 12, 29}), 1);
    EXPECT_EQ(week_of_year({2020, 12, 31}), 53);
}

TEST_F(Temporal, ADateHasFourToNineDigitsForItsYear) {
    EXPECT_EQ(text_of(*parse_date("-0044-03-15")), "-0044-03-15");
    EXPECT_EQ(text_of(*parse_date("999999999-12-31")), "999999999-12-31");
    for (const char* text : {"998-12-31", "01211-12-31", "+2012-12-02", "2017-02-29", "2017-13-01",
                             "2017-00-01", "2017-1-01", "2017-01-01T", "9999999999-01-01"})
        EXPECT_FALSE(parse_date(text)) << text;
}

TEST_F(Temporal, ATimeIsLocalOrHasAnOffsetOrAZone) {
    for (const char* text : {"10:30:11", "10:30:11.5", "10:30:11Z", "10:30:11-05:30",
                             "10:30:11+02:45:55", "10:30:11@Europe/Paris"})
        EXPECT_EQ(text_of(time(text)), text);
    EXPECT_EQ(text_of(time("11:22:33-00:00")), "11:22:33Z");
    EXPECT_EQ(text_of(time("24:00:00")), "00:00:00");
    for (const char* text :
         {"24:00:01", "7:00:00", "07:00", "13:20:00+19:00", "13:20:00+5", "13:20:00@No/Where",
          "13:20:00@../etc/passwd", "13:20:00.", "13:20:00+02:00@Europe/Paris", "13:20:00@"})
        EXPECT_FALSE(parse_time(text, zones_)) << text;
}

TEST_F(Temporal, TheEndOfADayIsTheBeginningOfTheNext) {
    EXPECT_EQ(text_of(moment("2021-12-31T24:00:00")), "2022-01-01T00:00:00");
}

TEST_F(Temporal, DurationsAreMonthsOrSeconds) {
    EXPECT_EQ(text_of(*parse_months("P1Y27M")), "P3Y3M");
    EXPECT_EQ(text_of(*parse_months("-P0M")), "P0M");
    EXPECT_EQ(text_of(*parse_seconds("-P1DT25H61M0.5S")), "-P2DT2H1M0.5S");
    EXPECT_EQ(text_of(*parse_seconds("PT0.S")), "PT0S");
    for (const char* text :
         {"P", "PT", "P1H", "P1DT", "1D", "P1S", "P-1D", "P1M1D", "P999999999999999999D"})
        EXPECT_FALSE(parse_seconds(text)) << text;
    EXPECT_FALSE(parse_months("P1D"));
    EXPECT_FALSE(parse_months("P999999999999999999Y"));
}

TEST_F(Temporal, AMonthThatLacksTheDayEndsEarlier) {
    EXPECT_EQ(text_of(*add(*parse_date("2024-01-31"), Months{1})), "2024-02-29");
    EXPECT_EQ(text_of(*add(*parse_date("2024-02-29"), Months{-12})), "2023-02-28");
    EXPECT_FALSE(add(*parse_date("999999999-12-31"), Months{1}));
}

TEST_F(Temporal, InAZoneAnHourIsAnHourAlsoWhenTheClocksChange) {
    // On 2024-03-31 the clocks in Berlin go from 02:00 to 03:00.
    EXPECT_EQ(text_of(*add(moment("2024-03-31T01:30:00@Europe/Berlin"), Seconds{3600})),
              "2024-03-31T03:30:00@Europe/Berlin");
    EXPECT_EQ(text_of(*add(moment("2024-03-31T01:30:00"), Seconds{3600})), "2024-03-31T02:30:00");
    EXPECT_EQ(text_of(*add(moment("2024-03-30T12:00:00@Europe/Berlin"), Months{1})),
              "2024-04-30T12:00:00@Europe/Berlin");
}

TEST_F(Temporal, AZoneKnowsThePastAndTheFarFuture) {
    const auto offset = [&](const char* text) { return *moment(text).offset(); };
    EXPECT_EQ(offset("2018-12-08T00:00:00@Europe/Paris"), 3600);
    EXPECT_EQ(offset("2018-06-08T00:00:00@Europe/Paris"), 7200);
    EXPECT_EQ(offset("2100-06-08T00:00:00@Europe/Paris"), 7200);
    EXPECT_EQ(offset("2100-12-08T00:00:00@Europe/Paris"), 3600);
    EXPECT_EQ(offset("2100-12-08T00:00:00@Australia/Melbourne"), 11 * 3600);
    EXPECT_EQ(offset("2100-06-08T00:00:00@Australia/Melbourne"), 10 * 3600);
    EXPECT_EQ(offset("2020-01-01T00:00:00@Etc/UTC"), 0);
    EXPECT_NE(offset("1800-01-01T00:00:00@Europe/Paris"), 3600);
}

TEST_F(Temporal, OfTwoEqualHoursTheFirstCounts) {
    // At 03:00 the clocks go back to 02:00.
    EXPECT_EQ(moment("2024-10-27T02:30:00@Europe/Berlin").offset(), 7200);
    EXPECT_EQ(moment("2024-10-27T03:30:00@Europe/Berlin").offset(), 3600);
}

TEST_F(Temporal, RulesForTheFutureAreReadInAllTheirForms) {
    EXPECT_EQ(parse_yearly_rule("UTC0")->standard, 0);
    EXPECT_EQ(parse_yearly_rule("<+0330>-3:30")->standard, 12'600);
    const auto rule = parse_yearly_rule("CET-1CEST,M3.5.0,M10.5.0/3");
    EXPECT_EQ(rule->summer, 7200);
    EXPECT_EQ(rule->end->second, 10'800);
    EXPECT_TRUE(parse_yearly_rule("EST5EDT4,J60/-2,300/25:30:15"));
    for (const char* text : {"", "C", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,0",
                             "CET-1CEST,M3.6.0,0", "CET-1CEST,0,0,", "<x"})
        EXPECT_FALSE(parse_yearly_rule(text)) << text;
}

TEST_F(Temporal, DamagedZoneFilesAreNone) {
    EXPECT_EQ(ZoneFile::decode("x", ""), nullptr);
    EXPECT_EQ(ZoneFile::decode("x", "TZif2"), nullptr);
    std::string content = "TZif2" + std::string(200, '\xff');
    EXPECT_EQ(ZoneFile::decode("x", content), nullptr);
}

TEST_F(Temporal, DifferencesNeedBothOrNeitherToHaveAnOffset) {
    EXPECT_EQ(text_of(*subtract(moment("2021-01-02T10:10:10@Europe/Paris"),
                                moment("2021-01-01T10:10:10@Asia/Dhaka"))),
              "P1DT5H");
    EXPECT_FALSE(subtract(moment("2021-01-02T10:10:10Z"), moment("2021-01-01T10:10:10")));
    EXPECT_EQ(text_of(*subtract(time("10:10:10"), time("11:10:10"))), "-PT1H");
}

TEST_F(Temporal, OrderGoesByWholeSecondsInUtc) {
    EXPECT_TRUE(*order(moment("2002-04-02T12:00:00-01:00"), moment("2002-04-02T17:00:00+04:00")) ==
                0);
    EXPECT_TRUE(*order(time("10:30:00.1"), time("10:30:00.2")) == 0);
    EXPECT_FALSE(order(time("10:30:00"), time("10:30:00Z")));
}

TEST_F(Temporal, MonthsBetweenDatesAreWhole) {
    const auto months = [](const char* a, const char* b) {
        return months_between(*parse_date(a), *parse_date(b)).count;
    };
    EXPECT_EQ(months("2011-12-22", "2013-08-24"), 20);
    EXPECT_EQ(months("2013-08-24", "2011-12-22"), -20);
    EXPECT_EQ(months("2024-01-31", "2024-02-29"), 0);
}

TEST_F(Temporal, ATimeGoesAroundTheClock) {
    EXPECT_EQ(text_of(add(time("23:30:00Z"), Seconds{3600})), "00:30:00Z");
    EXPECT_EQ(text_of(add(time("00:30:00"), Seconds{-3600})), "23:30:00");
    EXPECT_EQ(text_of(add(time("10:00:00.9"), *parse_seconds("PT0.2S"))), "10:00:01.1");
}

}  // namespace
}  // namespace holdfast::feel
