// A log line is one line without control characters, and has a bounded length.
#include "base/log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>

#include "base/printable.h"

namespace holdfast {
namespace {

std::string logged(const std::string& text) {
    ::testing::internal::CaptureStderr();
    log::error("test.event", {{"text", text}});
    return ::testing::internal::GetCapturedStderr();
}

TEST(PrintableText, EscapesControlCharacters) {
    EXPECT_EQ(printable("plain \xc3\xa9 \xe2\x82\xac \\ \""), "plain \xc3\xa9 \xe2\x82\xac \\ \"");
    EXPECT_EQ(printable("a\x1b[31m\x07\r\n\t\x7f"), R"(a\u001b[31m\u0007\r\n\t\u007f)");
    EXPECT_EQ(printable("\xc2\x80\xc2\x9b\xc2\x9f\xc2\xa0"), "\\u0080\\u009b\\u009f\xc2\xa0");
    EXPECT_EQ(printable("\xe2\x80\xa8\xe2\x80\xa9"), R"(\u2028\u2029)") << "they end lines";
}

TEST(PrintableText, EscapesBytesThatAreNotUtf8) {
    EXPECT_EQ(printable("a\x9b"
                        "31m"),
              R"(a\ufffd31m)");
    EXPECT_EQ(printable("\xc3"), R"(\ufffd)");
    EXPECT_EQ(printable("\xe2\x82"), R"(\ufffd\ufffd)");
    EXPECT_EQ(printable("\xed\xa0\x80"), R"(\ufffd\ufffd\ufffd)") << "a surrogate";
    EXPECT_EQ(printable("\xf0\x9f\x98\x80\xf8"), "\xf0\x9f\x98\x80\\ufffd");
}

TEST(LogLine, HasNoControlCharacters) {
    const std::string line = logged(
        "a\x1b[31m\x07\n\x7f\xc2\x9b"
        "31m");
    EXPECT_EQ(std::ranges::count(line, '\n'), 1) << line;
    EXPECT_TRUE(line.ends_with("test.event text=\"a\\u001b[31m\\u0007\\n\\u007f\\u009b31m\"\n"))
        << line;
}

TEST(LogLine, HasABoundedLength) {
    const std::string short_line = logged(std::string(1'000, 'x'));
    EXPECT_TRUE(short_line.ends_with(std::string(1'000, 'x') + "\"\n"));
    const std::string line = logged(std::string(100'000, 'x'));
    EXPECT_LE(line.size(), log::longest_line);
    EXPECT_TRUE(line.ends_with("... (" + std::to_string(100'018 - 8'000) + " more bytes)\n"))
        << line.substr(line.size() - 60);
    EXPECT_EQ(std::ranges::count(line, '\n'), 1);
}

TEST(LogLine, IsNotCutInsideACharacter) {
    std::string text = "x";
    for (int i = 0; i < 10'000; ++i) text += "\xe2\x82\xac";
    for (int shift = 0; shift < 3; ++shift, text.insert(0, "x")) {
        const std::string line = logged(text);
        EXPECT_EQ(printable(line.substr(0, line.size() - 1)), line.substr(0, line.size() - 1));
        EXPECT_LE(line.size(), log::longest_line);
    }
}

TEST(JsonLine, IsOneObjectWithTimeLevelAndEvent) {
    const auto line = boost::json::parse(log::json_line(
        "2026-01-28T10:00:00.000000Z", log::Level::warn, "test.event",
        {{"text", "a\x1b\n\x7f"}, {"count", 3}, {"deep", {{"x", nullptr}}}, {"time", "mine"}}));
    EXPECT_EQ(line.at("time").as_string(), "2026-01-28T10:00:00.000000Z");
    EXPECT_EQ(line.at("level").as_string(), "warn");
    EXPECT_EQ(line.at("event").as_string(), "test.event");
    EXPECT_EQ(line.at("text").as_string(), "a\x1b\n\x7f");
    EXPECT_EQ(line.at("count").as_int64(), 3);
    EXPECT_TRUE(line.at("deep").at("x").is_null());
    EXPECT_EQ(line.at("field.time").as_string(), "mine") << "a field hides none of the three";
}

TEST(JsonLine, StaysAnObjectWhenItIsCut) {
    for (const char* piece : {"x", "\x1b", "\xe2\x82\xac", "\""}) {
        std::string text;
        for (int i = 0; i < 20'000; ++i) text += piece;
        const std::string line =
            log::json_line("t", log::Level::error, "e",
                           {{"a", text}, {"b", boost::json::array(9'000, 1)}, {"c", text}});
        EXPECT_LE(line.size(), log::longest_line) << piece;
        EXPECT_EQ(std::ranges::count(line, '\n'), 0);
        EXPECT_TRUE(boost::json::parse(line).at("a").as_string().ends_with(" more bytes)"));
    }
}

}  // namespace
}  // namespace holdfast
