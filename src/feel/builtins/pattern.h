// Regular expressions as XPath writes them, run by RE2 in time linear in the text.
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
    // `flags` are any of i, m, q, s and x. invalid_argument: not a pattern, or one that RE2 cannot
    // serve.
    static Result<Pattern> compile(std::string_view pattern, std::string_view flags);

    bool occurs_in(std::string_view text) const;
    bool matches_empty() const { return occurs_in({}); }
    // Every match replaced; $0 to $9 stand for groups. Absent: `replacement` is no replacement, or
    // the text became longer than `most` bytes.
    std::optional<std::string> replaced(std::string_view text, std::string_view replacement,
                                        std::size_t most) const;
    // What lies between the matches. Absent: more than `most` parts.
    std::optional<std::vector<std::string_view>> split(std::string_view text,
                                                       std::size_t most) const;
    // A measure of the work per byte of text.
    std::size_t size() const;

private:
    explicit Pattern(std::shared_ptr<const re2::RE2> program) : program_(std::move(program)) {}

    std::shared_ptr<const re2::RE2> program_;
};

// Patterns that were already compiled. Belongs to one evaluation.
class PatternCache {
public:
    // Null: not there.
    const Pattern* find(std::string_view pattern, std::string_view flags) const;
    const Pattern& add(std::string_view pattern, std::string_view flags, Pattern compiled);

private:
    struct Known {
        std::string pattern;
        std::string flags;
        Pattern compiled;
    };

    std::vector<Known> known_;  // the last few
};

// The pattern in RE2's syntax; what XPath does not know is refused.
Result<std::string> to_re2(std::string_view pattern, std::string_view flags);

}  // namespace holdfast::feel
