#include "feel/values/decimal.h"

#include <gtest/gtest.h>

namespace holdfast::feel {
namespace {

Decimal number(std::string_view text) { return *Decimal::parse(text); }

TEST(Decimal, KeepsThirtyFourDigits) {
    EXPECT_EQ(divide(1, 3)->text(), "0.3333333333333333333333333333333333");
    EXPECT_EQ(add(number("0.1"), number("0.2"))->text(), "0.3");
    EXPECT_EQ(multiply(number("1234567890123456789"), number("1000000007"))->text(),
              "1234567898765432019864197523");
}

TEST(Decimal, KeepsTheZerosItWasComputedWith) {
    EXPECT_EQ(add(number("1.50"), number("1.50"))->text(), "3.00");
    EXPECT_EQ(rounded(5, 2, Rounding::half_even).text(), "5.00");
    EXPECT_EQ(number("1.0"), Decimal(1));
}

TEST(Decimal, WritesHugeAndTinyNumbersWithAnExponent) {
    EXPECT_EQ(number("1e30").text(), "1000000000000000000000000000000");
    EXPECT_EQ(number("1e100").text(), "1E100");
    EXPECT_EQ(number("1.5e-50").text(), "1.5E-50");
    EXPECT_EQ(Decimal::parse(number("1.5e-50").text()), number("1.5e-50"));
    EXPECT_EQ(number("-0").text(), "0");
}

TEST(Decimal, RefusesOtherTexts) {
    for (const char* text :
         {"", "-", ".", "1.", "e1", "1e", "1e+", "0x1", "1 ", "+1", "nan", "inf", "1,5", "1e99999"})
        EXPECT_FALSE(Decimal::parse(text)) << text;
}

TEST(Decimal, HasNoInfinity) {
    EXPECT_FALSE(divide(1, 0));
    EXPECT_FALSE(multiply(number("1e6000"), number("1e6000")));
    EXPECT_FALSE(power(0, -1));
    EXPECT_FALSE(square_root(-1));
    EXPECT_FALSE(logarithm(0));
}

TEST(Decimal, TheShortcutForSmallNumbersGivesWhatTheLibraryGives) {
    // 1.0 goes through the library, 1 takes the shortcut.
    const auto slow = [](std::int64_t n) { return multiply(Decimal(n), number("1.0")); };
    for (const std::int64_t a : {0L, 1L, 7L, 1000L, 4294967296L, INT64_MAX})
        for (const std::int64_t b : {0L, 1L, 3L, 999L, 4294967295L, INT64_MAX}) {
            EXPECT_EQ(add(a, b), add(*slow(a), *slow(b))) << a << ' ' << b;
            EXPECT_EQ(subtract(a, b), subtract(*slow(a), *slow(b))) << a << ' ' << b;
            EXPECT_EQ(multiply(a, b), multiply(*slow(a), *slow(b))) << a << ' ' << b;
            EXPECT_EQ(Decimal(a) < Decimal(b), *slow(a) < *slow(b)) << a << ' ' << b;
        }
    EXPECT_EQ(add(INT64_MAX, INT64_MAX)->text(), "18446744073709551614");
}

TEST(Decimal, RoundsSevenWays) {
    const auto to = [](const char* text, Rounding rounding) {
        return rounded(*Decimal::parse(text), 0, rounding).text();
    };
    EXPECT_EQ(to("2.5", Rounding::half_even), "2");
    EXPECT_EQ(to("-2.5", Rounding::half_up), "-3");
    EXPECT_EQ(to("-2.5", Rounding::half_down), "-2");
    EXPECT_EQ(to("2.51", Rounding::half_down), "3");
    EXPECT_EQ(to("-2.1", Rounding::up), "-3");
    EXPECT_EQ(to("-2.9", Rounding::down), "-2");
    EXPECT_EQ(to("-2.1", Rounding::floor), "-3");
    EXPECT_EQ(to("-2.9", Rounding::ceiling), "-2");
}

TEST(Decimal, ARoundingThatNeedsTooManyDigitsLeavesTheNumber) {
    EXPECT_EQ(rounded(number("5.5"), 6176, Rounding::up), number("5.5"));
}

TEST(Decimal, AModuloHasTheSignOfTheDivisor) {
    EXPECT_EQ(*modulo(-12, 5), Decimal(3));
    EXPECT_EQ(*modulo(12, -5), Decimal(-3));
    EXPECT_EQ(*modulo(number("-10.1"), number("4.5")), number("3.4"));
    EXPECT_FALSE(modulo(1, 0));
}

TEST(Decimal, KnowsWhatIsWhole) {
    EXPECT_EQ(number("12.0").whole(), 12);
    EXPECT_EQ(number("12.5").whole(), std::nullopt);
    EXPECT_EQ(number("-12.9").truncated(), -12);
    EXPECT_EQ(number("1e30").truncated(), std::nullopt);
    EXPECT_EQ(Decimal(INT64_MIN).whole(), INT64_MIN);
}

TEST(Decimal, TakesTheShortestDecimalOfADouble) {
    EXPECT_EQ(Decimal::of(0.1), number("0.1"));
    EXPECT_EQ(Decimal::of(1e300), number("1e300"));
    EXPECT_EQ(Decimal::of(-2.5), number("-2.5"));
}

}  // namespace
}  // namespace holdfast::feel
