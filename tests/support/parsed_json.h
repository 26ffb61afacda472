// JSON literals in tests of the JSON functions.
#pragma once

#include <gtest/gtest.h>

#include "base/json/parse.h"

namespace holdfast::json {

inline bj::value json(std::string_view text) {
    auto value = parse(text);
    EXPECT_TRUE(value) << text;
    return value ? *std::move(value) : bj::value();
}

}  // namespace holdfast::json
