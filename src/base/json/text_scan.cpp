#include "base/json/text_scan.h"

#include <span>

#include "base/json/canonical.h"
#include "base/json/parse.h"

namespace holdfast::json {
namespace {

// Never reads behind the end, whatever the text is.
class Scan {
public:
    explicit Scan(std::string_view text) : text_(text) {}

    char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    // A member's name has no escapes if it can be a segment of a path.
    bool enter_member(std::string_view name) {
        for (++at_; next() == '"'; ++at_) {
            const std::string_view found = take_string();
            if (next() != ':') return false;
            ++at_;
            if (found.substr(1, found.size() - 2) == name) return true;
            skip_value();
            if (next() != ',') return false;
        }
        return false;
    }

    std::string_view take_value() {
        const std::size_t begin = at_;
        skip_value();
        return text_.substr(begin, at_ - begin);
    }

private:
    // With its quotes.
    std::string_view take_string() {
        const std::size_t begin = at_;
        do at_ = text_.find('"', at_ + 1);
        while (at_ != text_.npos && is_escaped(at_));
        at_ = at_ == text_.npos ? text_.size() : at_ + 1;
        return text_.substr(begin, at_ - begin);
    }

    bool is_escaped(std::size_t place) const {
        const std::size_t before = text_.find_last_not_of('\\', place - 1);
        return (place - before) % 2 == 0;
    }

    void skip_value() {
        std::size_t depth = 0;
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '"') {
                (void)take_string();
                if (depth == 0) return;
                continue;
            }
            if (depth == 0 && (c == ',' || c == '}' || c == ']')) return;
            ++at_;
            if (c == '{' || c == '[') ++depth;
            if ((c == '}' || c == ']') && --depth == 0) return;
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

// Numbers with an exponent have another text as scalars, and null has none.
bool is_its_own_text(std::string_view value) {
    return value == "true" || value == "false" ||
           (!value.empty() && value.find_first_not_of("-.0123456789") == value.npos);
}

// In quotes, without escapes.
bool is_plain_string(std::string_view text) {
    return text.size() >= 2 && text.front() == '"' && text.back() == '"' &&
           text.find('\\') == std::string_view::npos;
}

}  // namespace

std::optional<std::string> text_in(std::string_view canonical, const Path& path) {
    Scan scan(canonical);
    std::size_t entered = 0;
    for (; entered < path.segments.size() && scan.next() == '{'; ++entered)
        if (!scan.enter_member(path.segments[entered])) return std::nullopt;
    const auto left = std::span(path.segments).subspan(entered);
    const bool in_list = scan.next() == '[' && !left.empty();
    const bool is_scalar = scan.next() != '[' && scan.next() != '{' && left.empty();
    if (!in_list && !is_scalar) return std::nullopt;
    const std::string_view found = scan.take_value();
    if (is_plain_string(found)) return std::string(found.substr(1, found.size() - 2));
    if (is_its_own_text(found)) return std::string(found);
    const auto value = parse(found, Limits{.depth = 1'000, .nodes = 10'000'000});
    if (!value) return std::nullopt;
    return text_at(*value, {{left.begin(), left.end()}});
}

}  // namespace holdfast::json
