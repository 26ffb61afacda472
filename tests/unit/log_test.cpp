// A log line is one line without control characters, and has a bounded length.
#include "base/log.h"

#include <gtest/gtest.h>

#include <algorithm>

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

}  // namespace
}  // namespace holdfast
