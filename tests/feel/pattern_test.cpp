#include "feel/builtins/pattern.h"

#include <gtest/gtest.h>

namespace holdfast::feel {
namespace {

bool occurs(std::string_view pattern, std::string_view text, std::string_view flags = "") {
    const auto compiled = Pattern::compile(pattern, flags);
    EXPECT_TRUE(compiled) << pattern << ": " << compiled.error().message;
    return compiled && compiled->occurs_in(text);
}

TEST(Pattern, APointMatchesLineEndsOnlyWithTheFlagS) {
    EXPECT_FALSE(occurs("a.b", "a\rb"));
    EXPECT_FALSE(occurs("a.b", "a\nb"));
    EXPECT_TRUE(occurs("a.b", "a\nb", "s"));
}

TEST(Pattern, LinesAndCaseAreFlags) {
    EXPECT_TRUE(occurs("^b$", "a\nb\nc", "m"));
    EXPECT_FALSE(occurs("^b$", "a\nb\nc"));
    EXPECT_TRUE(occurs("straSSE", "Strasse", "i"));
    EXPECT_TRUE(occurs("a.c", "xa.c", "q"));
    EXPECT_FALSE(occurs("a.c", "abc", "q"));
}

TEST(Pattern, TheFlagXIgnoresSpaceOutsideClasses) {
    EXPECT_TRUE(occurs("he ll\to[ ]w", "hello w", "x"));
    EXPECT_TRUE(occurs("hello\\ sworld", "hello world", "x"));
    EXPECT_TRUE(occurs("\\p{ Is Basic Latin }", "a", "x"));
}

TEST(Pattern, ClassesCanBeSubtractedFromClasses) {
    EXPECT_TRUE(occurs("^[a-z-[aeiou]]+$", "xyz"));
    EXPECT_FALSE(occurs("^[a-z-[aeiou]]+$", "xaz"));
    EXPECT_FALSE(occurs("[A-Z-[OI]]", "o", "i"));
    EXPECT_TRUE(occurs("[^a-z-[0-9]]", "!"));
    EXPECT_FALSE(occurs("[^a-z-[0-9]]", "5"));
}

TEST(Pattern, KnowsXmlNamesCategoriesAndBlocks) {
    EXPECT_TRUE(occurs("^\\i\\c*$", "_a-1.é"));
    EXPECT_FALSE(occurs("^\\i", "1"));
    EXPECT_TRUE(occurs("^\\p{Lu}\\P{Lu}$", "Éa"));
    EXPECT_TRUE(occurs("^\\p{IsGreek}+$", "αβγ"));
    EXPECT_TRUE(occurs("^[\\d\\s]+$", "1 2"));
    EXPECT_TRUE(occurs("^\\w+$", "añ9"));
    EXPECT_FALSE(occurs("\\w", " -!"));
    EXPECT_TRUE(occurs("^[\\-\\[\\]^]+$", "-[]^"));
}

TEST(Pattern, GroupsOfPlainTextCanBeReferredTo) {
    EXPECT_TRUE(occurs("(ab)-\\1", "ab-ab"));
    EXPECT_FALSE(occurs("(ab)-\\1", "ab-ac"));
}

TEST(Pattern, RefusesWhatXPathDoesNotDefineOrRe2DoesNotSupport) {
    for (const char* pattern :
         {"(",          ")",      "[",        "[]",    "a\\",     "\\b",       "\\0",
          "(a)\\2",     "\\1(a)", "(a|b)\\1", "[\\1]", "(?=a)",   "(?i)a",     "\\p{IsNowhere}",
          "\\p{Latin}", "\\p",    "\\p{",     "[z-a]", "a{1001}", "[\\w-[a]]", "*",
          "[a[b]]"})
        EXPECT_FALSE(Pattern::compile(pattern, "")) << pattern;
    EXPECT_FALSE(Pattern::compile("a", "g"));
}

TEST(Pattern, ReplacesWithGroups) {
    const auto replaced = [](const char* pattern, const char* text, const char* with) {
        return Pattern::compile(pattern, "")->replaced(text, with, 1000);
    };
    EXPECT_EQ(replaced("(a)(b)?", "abac", "[$1$2$0]"), "[abab][aa]c");
    EXPECT_EQ(replaced("a", "banana", "\\$\\\\"), "b$\\n$\\n$\\");
    EXPECT_EQ(replaced("(a)", "a", "$12"), "a2");
    EXPECT_EQ(replaced("a", "a", "$"), std::nullopt);
    EXPECT_EQ(replaced("a", "a", "\\n"), std::nullopt);
    EXPECT_EQ(replaced("é", "caféé", "e"), "cafee");
    EXPECT_FALSE(Pattern::compile("a", "")->replaced("aaaa", "bbbbbbbb", 10));
}

TEST(Pattern, SplitsAtMatches) {
    const auto compiled = Pattern::compile("\\s*;\\s*", "");
    EXPECT_EQ(compiled->split("a ; b;c;", 10), (std::vector<std::string_view>{"a", "b", "c", ""}));
    EXPECT_FALSE(compiled->split("a;b;c;d", 2));
}

}  // namespace
}  // namespace holdfast::feel
