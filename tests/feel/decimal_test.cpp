#include "feel/decimal.h"

#include <gtest/gtest.h>

namespace holdfast::feel {
namespace {

TEST(Decimal, KeepsThirtyFourDigits) {
    EXPECT_EQ(divide(1, 3)->text(), "0.3333333333333333333333333333333333");
}

}  // namespace
}  // namespace holdfast::feel
