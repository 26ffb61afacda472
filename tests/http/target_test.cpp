#include "http/wire/target.h"

#include <gtest/gtest.h>

namespace holdfast::http {
namespace {

using Path = std::vector<std::string>;
using Query = std::vector<std::pair<std::string, std::string>>;

TEST(Target, APathIsSplitIntoSegments) {
    const auto target = parse_target("/api/v1/workflows");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->path, (Path{"api", "v1", "workflows"}));
    EXPECT_TRUE(target->query.empty());
}

TEST(Target, TheRootHasNoSegments) {
    const auto target = parse_target("/");
    ASSERT_TRUE(target);
    EXPECT_TRUE(target->path.empty());
}

TEST(Target, SegmentsAreDecodedOnce) {
    const auto target = parse_target("/a%20b/%2541/%3B/+");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->path, (Path{"a b", "%41", ";", "+"}));
}

TEST(Target, NonAsciiTextIsKept) {
    const auto target = parse_target("/%C3%A4/%F0%9F%98%80");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->path, (Path{"ä", "😀"}));
}

TEST(Target, QueryPairsAreDecodedInOrder) {
    const auto target = parse_target("/a?x=1&y=a+b%2Bc%2F&x=2&flag&&empty=");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->query,
              (Query{{"x", "1"}, {"y", "a b+c/"}, {"x", "2"}, {"flag", ""}, {"empty", ""}}));
}

TEST(Target, TheFirstQuestionMarkBeginsTheQuery) {
    const auto target = parse_target("/a?b=?/../;");
    ASSERT_TRUE(target);
    EXPECT_EQ(target->query, (Query{{"b", "?/../;"}}));
}

TEST(Target, ATrailingSlashIsNotFound) {
    const auto target = parse_target("/healthz/");
    ASSERT_FALSE(target);
    EXPECT_EQ(target.error().code, ErrorCode::not_found);
}

TEST(Target, EightKibibytesAreTheEnd) {
    EXPECT_TRUE(parse_target("/" + std::string(8 * 1024 - 1, 'a')));
    EXPECT_FALSE(parse_target("/" + std::string(8 * 1024, 'a')));
}

class AmbiguousTarget : public ::testing::TestWithParam<std::string> {};

TEST_P(AmbiguousTarget, IsRefused) {
    const auto target = parse_target(GetParam());
    ASSERT_FALSE(target);
    EXPECT_EQ(target.error().code, ErrorCode::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Forms, AmbiguousTarget,
                         ::testing::Values("", "*", "a", "http://localhost/a", "?a=b", "//", "//a",
                                           "/a//b", "/a//", "/healthz;x", "/a;i18ntranslation/b",
                                           "/./a", "/a/..", "/a/../b", "/%2e%2e/a", "/.%2E", "/%2e",
                                           "/a%2fb", "/a%2Fb", "/a%5cb", "/a\\b", "/a%00",
                                           "/a%0d%0a", "/a%7f", "/%", "/%4", "/%zz", "/%4g", "/a#b",
                                           "/a?b=%", "/a?b=%zz", "/a?%00", "/a?b=%0a", "/%ff",
                                           "/%c0%af", "/%e0%80%af", "/%ed%a0%80", "/%f4%90%80%80",
                                           "/%c3", "/a?b=%ff", "/a\tb", "/a b\x01"));

}  // namespace
}  // namespace holdfast::http
