// XPath regular expressions, run by RE2 in time linear in the text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace re2 {
class RE2;
}

namespace holdfast::feel {

class Pattern {
public:
    // `flags` are any of i, m, q, s and x. invalid_argument: not a pattern, or not supported by
    // RE2.
    static Result<Pattern> compile(std::string_view pattern, std::string_view flags);

    bool occurs_in(std::string_view text) const;
    bool matches_empty() const { return occurs_in({}); }
    // Replaces every match; $0 to $9 refer to groups. Absent: `replacement` is invalid, or the
    // result is longer than `most` bytes.
    std::optional<std::string> replaced(std::string_view text, std::string_view replacement,
                                        std::size_t most) const;
    // The parts between the matches. Absent: more than `most` parts.
    std::optional<std::vector<std::string_view>> split(std::string_view text,
                                                       std::size_t most) const;
    // The size of the compiled program: a measure of the work per byte of text.
    std::size_t size() const;

private:
    explicit Pattern(std::shared_ptr<const re2::RE2> program) : program_(std::move(program)) {}

    std::shared_ptr<const re2::RE2> program_;
};

// The patterns that one evaluation compiled last.
class PatternCache {
public:
    // Null: not cached.
    const Pattern* find(std::string_view pattern, std::string_view flags) const;
    const Pattern& add(std::string_view pattern, std::string_view flags, Pattern compiled);

private:
    struct Known {
        std::string pattern;
        std::string flags;
        Pattern compiled;
    };

    std::vector<Known> known_;
};

// Translates a pattern to RE2's syntax; rejects what XPath does not define.
Result<std::string> to_re2(std::string_view pattern, std::string_view flags);

}  // namespace holdfast::feel
