// The header traceparent, as of the W3C's recommendation.
#include "http/input/trace_context.h"

#include <gtest/gtest.h>

namespace holdfast::testing {
namespace {

const std::string trace = "0af7651916cd43dd8448eb211c80319c";
const std::string span = "b7ad6b7169203331";

TEST(TraceContexts, AHeaderIsTakenApart) {
    EXPECT_EQ(http::parse_traceparent("00-" + trace + "-" + span + "-01"),
              (http::TraceContext{trace, span, true}));
    EXPECT_EQ(http::parse_traceparent("00-" + trace + "-" + span + "-02"),
              (http::TraceContext{trace, span, false}));
    EXPECT_EQ(http::parse_traceparent("00-" + trace + "-" + span + "-0f"),
              (http::TraceContext{trace, span, true}));
}

TEST(TraceContexts, ALaterVersionMayHaveMore) {
    EXPECT_TRUE(http::parse_traceparent("01-" + trace + "-" + span + "-01"));
    EXPECT_TRUE(http::parse_traceparent("01-" + trace + "-" + span + "-01-what"));
    EXPECT_FALSE(http::parse_traceparent("01-" + trace + "-" + span + "-01what"));
}

TEST(TraceContexts, WhatIsMalformedIsNone) {
    for (const std::string& text :
         {std::string(), "00-" + trace + "-" + span, "00-" + trace + "-" + span + "-01-what",
          "ff-" + trace + "-" + span + "-01", "0g-" + trace + "-" + span + "-01",
          "00-" + std::string(32, '0') + "-" + span + "-01",
          "00-" + trace + "-" + std::string(16, '0') + "-01", "00-" + trace + "_" + span + "-01",
          "00_" + trace + "-" + span + "-01", "00-" + trace + "-" + span + "_01",
          "00-" + trace + "-" + span + "-0G",
          "00-0AF7651916CD43DD8448EB211C80319C-" + span + "-01"})
        EXPECT_FALSE(http::parse_traceparent(text)) << text;
}

}  // namespace
}  // namespace holdfast::testing
