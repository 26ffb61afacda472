// Translates XPath's regular expressions to RE2's syntax.
#include <algorithm>
#include <array>

#include "feel/builtins/pattern.h"
#include "feel/builtins/pattern_blocks.h"
#include "feel/values/letter_case.h"
#include "feel/values/utf8.h"

namespace holdfast::feel {
namespace {

using Spans = std::vector<CodeSpan>;

constexpr std::size_t most_folded = 0x3000;

std::unexpected<Error> refuse(std::string message) {
    return fail(ErrorCode::invalid_argument, "invalid pattern: " + std::move(message));
}

void append_code(std::string& text, std::uint32_t code) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "\\x{%X}", code);
    text += digits;
}

void append_spans(std::string& text, const Spans& spans) {
    for (const CodeSpan& span : spans) {
        append_code(text, span.first);
        text += '-';
        append_code(text, span.last);
    }
}

// The expansion of \d, \s, \w, \i and \c, as the inside of a class.
std::string_view class_of(char letter) {
    switch (letter) {
        case 'd': return "\\p{Nd}";
        case 'D': return "\\P{Nd}";
        case 's': return " \\t\\n\\r";
        case 'S': return "\\x{0}-\\x{8}\\x{B}\\x{C}\\x{E}-\\x{1F}\\x{21}-\\x{10FFFF}";
        case 'w': return "\\p{L}\\p{M}\\p{N}\\p{S}";
        case 'W': return "\\p{P}\\p{Z}\\p{C}";
        case 'i': return "\\p{L}\\p{Nl}_:";
        case 'c': return "\\p{L}\\p{Nl}\\p{Nd}\\p{M}_:.\\-\\x{B7}";
        default: return {};
    }
}

// `from` minus `without`; both are lists of spans in any order.
Spans difference(Spans from, const Spans& without) {
    for (const CodeSpan& cut : without) {
        Spans left;
        for (const CodeSpan& span : from) {
            if (cut.last < span.first || cut.first > span.last) {
                left.push_back(span);
                continue;
            }
            if (span.first < cut.first) left.push_back({span.first, cut.first - 1});
            if (span.last > cut.last) left.push_back({cut.last + 1, span.last});
        }
        from = std::move(left);
    }
    return from;
}

Spans with_both_cases(const Spans& spans) {
    Spans both = spans;
    for (const CodeSpan& span : spans) {
        if (span.last - span.first > most_folded) continue;
        for (std::uint32_t code = span.first; code <= span.last; ++code)
            for (const std::uint32_t other : {upper(code), lower(code)})
                if (other != code) both.push_back({other, other});
    }
    return both;
}

std::string without_space(std::string_view pattern) {
    std::string text;
    int depth = 0;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
        if (space && depth == 0) continue;
        text += c;
        if (c == '\\' && i + 1 < pattern.size() && pattern[i + 1] != ' ') text += pattern[++i];
        if (c == '[') ++depth;
        if (c == ']') --depth;
    }
    return text;
}

class Translator {
public:
    Translator(std::string_view pattern, std::string_view flags)
        : pattern_(pattern),
          any_(flags.find('s') != std::string_view::npos),
          fold_(flags.find('i') != std::string_view::npos) {}

    Result<std::string> run() {
        while (at_ < pattern_.size()) HF_CHECK(next());
        return std::move(out_);
    }

private:
    struct Group {
        std::size_t begin;
        std::size_t end = 0;  // 0: still open
    };

    Result<void> next() {
        const char c = pattern_[at_];
        if (c == '\\') return escape();
        if (c == '[') return class_here();
        ++at_;
        if (c == '(') return open_group();
        if (c == ')' && !open_.empty()) {
            if (open_.back() >= 0) groups_[static_cast<std::size_t>(open_.back())].end = at_ - 1;
            open_.pop_back();
        }
        if (c == '.') {
            out_ += any_ ? "(?s:.)" : "[^\\n\\r]";
        } else {
            out_ += c;
        }
        return {};
    }

    Result<void> open_group() {
        if (pattern_.substr(at_).starts_with("?:")) {
            at_ += 2;
            out_ += "(?:";
            open_.push_back(-1);
            return {};
        }
        if (pattern_.substr(at_).starts_with('?')) return refuse("'(?' must be followed by ':'");
        out_ += '(';
        open_.push_back(static_cast<int>(groups_.size()));
        groups_.push_back({at_});
        return {};
    }

    Result<void> escape() {
        if (at_ + 1 >= pattern_.size()) return refuse("it ends with a backslash");
        const char letter = pattern_[at_ + 1];
        if (letter >= '0' && letter <= '9') return back_reference();
        if (letter == 'p' || letter == 'P') {
            HF_TRY(const std::string property, this->property());
            out_ += "[" + property + "]";
            return {};
        }
        at_ += 2;
        if (letter == 'I' || letter == 'C') {
            out_ += "[^" + std::string(class_of(letter == 'I' ? 'i' : 'c')) + "]";
        } else if (const auto inside = class_of(letter); !inside.empty()) {
            out_ += "[" + std::string(inside) + "]";
        } else {
            HF_TRY(const std::uint32_t code, single(letter));
            append_code(out_, code);
        }
        return {};
    }

    // The character that a single-character escape denotes.
    static Result<std::uint32_t> single(char letter) {
        if (letter == 'n') return '\n';
        if (letter == 'r') return '\r';
        if (letter == 't') return '\t';
        if (std::string_view("\\|.-^?*+{}()[]$").find(letter) != std::string_view::npos)
            return static_cast<std::uint32_t>(letter);
        return refuse(std::string("unknown escape \\") + letter);
    }

    // RE2 has no back-references. One to a group of plain text is replaced by that text.
    Result<void> back_reference() {
        ++at_;
        std::size_t number = 0;
        while (at_ < pattern_.size() && std::isdigit(static_cast<unsigned char>(pattern_[at_]))) {
            const std::size_t longer = number * 10 + static_cast<std::size_t>(pattern_[at_] - '0');
            if (number > 0 && longer > groups_.size()) break;
            number = longer;
            ++at_;
        }
        if (number == 0 || number > groups_.size() || groups_[number - 1].end == 0)
            return refuse("\\" + std::to_string(number) + " does not refer to an earlier group");
        const Group& group = groups_[number - 1];
        const std::string_view inside = pattern_.substr(group.begin, group.end - group.begin);
        if (inside.find_first_of("\\[](){}.*+?|^$") != std::string_view::npos)
            return refuse("back-references are supported only to groups of plain text");
        out_ += "(?:" + std::string(inside) + ")";
        return {};
    }

    // \p{...} or \P{...} as the inside of a class.
    Result<std::string> property() {
        const bool negative = pattern_[at_ + 1] == 'P';
        const std::size_t end = pattern_.find('}', at_);
        if (at_ + 2 >= pattern_.size() || pattern_[at_ + 2] != '{' || end == std::string_view::npos)
            return refuse("\\p needs a name in braces");
        const std::string_view name = pattern_.substr(at_ + 3, end - at_ - 3);
        at_ = end + 1;
        if (name.starts_with("Is")) {
            const CodeSpan* block = find_block(name.substr(2));
            if (!block) return refuse("unknown block " + std::string(name));
            std::string inside;
            append_spans(inside, negative ? difference({{0, 0x10FFFF}}, {*block}) : Spans{*block});
            return inside;
        }
        const bool category = !name.empty() && name.size() <= 2 &&
                              std::ranges::all_of(name, [](char c) { return std::isalpha(c); });
        if (!category) return refuse("unknown property " + std::string(name));
        return (negative ? "\\P{" : "\\p{") + std::string(name) + "}";
    }

    // One class with its subtractions.
    struct Class {
        bool negative = false;
        std::string inside;  // for RE2, without the spans
        Spans spans;
    };

    Result<void> class_here() {
        HF_TRY(const Class found, read_class(0));
        out_ += found.negative ? "[^" : "[";
        append_spans(out_, found.spans);
        out_ += found.inside + "]";
        return {};
    }

    Result<Class> read_class(int depth) {
        if (depth > 16) return refuse("character classes are nested too deep");
        Class result;
        ++at_;
        result.negative = at_ < pattern_.size() && pattern_[at_] == '^';
        if (result.negative) ++at_;
        while (at_ < pattern_.size() && pattern_[at_] != ']') {
            if (pattern_.substr(at_).starts_with("-[")) {
                ++at_;
                HF_TRY(const Class without, read_class(depth + 1));
                HF_TRY(result, subtracted(result, without));
                break;
            }
            HF_CHECK(class_item(result));
        }
        if (at_ >= pattern_.size() || pattern_[at_] != ']')
            return refuse("unterminated character class");
        ++at_;
        if (result.spans.empty() && result.inside.empty()) return refuse("empty character class");
        return result;
    }

    Result<Class> subtracted(const Class& from, const Class& without) const {
        if (!from.inside.empty() || !without.inside.empty() || without.negative)
            return refuse("only characters and ranges can be subtracted from a class");
        Spans first = fold_ ? with_both_cases(from.spans) : from.spans;
        if (from.negative) first = difference({{0, 0x10FFFF}}, first);
        return Class{
            false, {}, difference(first, fold_ ? with_both_cases(without.spans) : without.spans)};
    }

    Result<void> class_item(Class& result) {
        if (pattern_[at_] == '\\' && at_ + 1 < pattern_.size()) {
            const char letter = pattern_[at_ + 1];
            if (letter == 'p' || letter == 'P') {
                HF_TRY(const std::string property, this->property());
                result.inside += property;
                return {};
            }
            if (const auto inside = class_of(letter); !inside.empty()) {
                result.inside += inside;
                at_ += 2;
                return {};
            }
        }
        HF_TRY(const std::uint32_t first, class_character());
        std::uint32_t last = first;
        const std::string_view rest = pattern_.substr(at_);
        if (rest.size() > 1 && rest[0] == '-' && rest[1] != ']' && rest[1] != '[') {
            ++at_;
            HF_TRY(last, class_character());
        }
        if (last < first) return refuse("a range in a class starts after its end");
        result.spans.push_back({first, last});
        return {};
    }

    Result<std::uint32_t> class_character() {
        if (pattern_[at_] == '[') return refuse("'[' in a class must be escaped");
        if (pattern_[at_] == '\\') {
            if (at_ + 1 >= pattern_.size()) return refuse("it ends with a backslash");
            at_ += 2;
            return single(pattern_[at_ - 1]);
        }
        const CodePoint point = code_point_at(pattern_, at_);
        if (point.size == 0) return refuse("invalid UTF-8");
        at_ += point.size;
        return point.code;
    }

    std::string_view pattern_;
    bool any_;
    bool fold_;
    std::size_t at_ = 0;
    std::string out_;
    std::vector<int> open_;  // indices into groups_, -1 for those without a number
    std::vector<Group> groups_;
};

std::string quoted(std::string_view pattern) {
    std::string text;
    for (std::size_t at = 0; at < pattern.size();) {
        const CodePoint point = code_point_at(pattern, at);
        append_code(text, point.code);
        at += std::max<std::size_t>(point.size, 1);
    }
    return text;
}

}  // namespace

Result<std::string> to_re2(std::string_view pattern, std::string_view flags) {
    if (const auto unknown = flags.find_first_not_of("imqsx"); unknown != std::string_view::npos)
        return refuse("unknown flag '" + std::string(flags.substr(unknown, 1)) + "'");
    std::string prefix;
    if (flags.find('i') != std::string_view::npos) prefix += "(?i)";
    if (flags.find('m') != std::string_view::npos) prefix += "(?m)";
    if (flags.find('q') != std::string_view::npos) return prefix + quoted(pattern);
    const bool spaced = flags.find('x') != std::string_view::npos;
    const std::string stripped = spaced ? without_space(pattern) : std::string(pattern);
    HF_TRY(const std::string translated, Translator(stripped, flags).run());
    return prefix + translated;
}

}  // namespace holdfast::feel
