#include <cstring>

#include "feel/builtins/builtins.h"
#include "feel/builtins/call.h"
#include "feel/builtins/pattern.h"
#include "feel/values/letter_case.h"
#include "feel/values/utf8.h"

namespace holdfast::feel {
namespace {

// glibc's memmem is linear, std::string_view::find is not.
std::size_t find(std::string_view text, std::string_view match) {
    if (match.empty()) return 0;
    const void* found = memmem(text.data(), text.size(), match.data(), match.size());
    if (!found) return std::string_view::npos;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

bool read_both(Call& call) { return call.meter().read(call.text(0).size() + call.text(1).size()); }

Value substring(Call& call) {
    const std::string_view text = call.text(0);
    if (!call.meter().read(text.size())) return Null{};
    const auto size = static_cast<std::int64_t>(code_points(text));
    const auto start = call.number(1).truncated();
    if (!start || *start == 0 || *start < -size)
        return call.fail("the position is outside the string");
    const std::int64_t first = *start > 0 ? std::min(*start - 1, size) : size + *start;
    std::int64_t length = size - first;
    if (call.has(2)) {
        const auto wanted = call.number(2).truncated();
        if (!wanted || *wanted < 0) return call.fail("the length is negative or out of range");
        length = std::min(length, *wanted);
    }
    const std::size_t begin = offset_of(text, static_cast<std::size_t>(first));
    const std::string_view rest = text.substr(begin);
    return call.make(rest.substr(0, offset_of(rest, static_cast<std::size_t>(length))));
}

Value length(Call& call) {
    if (!call.meter().read(call.text(0).size())) return Null{};
    return Decimal(static_cast<std::int64_t>(code_points(call.text(0))));
}

Value upper_case(Call& call) {
    if (!call.meter().read(call.text(0).size() * 4)) return Null{};
    return call.make(upper(call.text(0)));
}

Value lower_case(Call& call) {
    if (!call.meter().read(call.text(0).size() * 4)) return Null{};
    return call.make(lower(call.text(0)));
}

Value before(Call& call) {
    if (!read_both(call)) return Null{};
    const std::size_t at = find(call.text(0), call.text(1));
    return call.make(at == std::string_view::npos ? "" : call.text(0).substr(0, at));
}

Value after(Call& call) {
    if (!read_both(call)) return Null{};
    const std::size_t at = find(call.text(0), call.text(1));
    if (at == std::string_view::npos) return Text();
    return call.make(call.text(0).substr(at + call.text(1).size()));
}

Value contains(Call& call) {
    if (!read_both(call)) return Null{};
    return find(call.text(0), call.text(1)) != std::string_view::npos;
}

Value starts_with(Call& call) { return call.text(0).starts_with(call.text(1)); }

Value ends_with(Call& call) { return call.text(0).ends_with(call.text(1)); }

// Charges for the worst case: RE2's slowest engine visits the whole program for every byte.
bool read_with(Call& call, const Pattern& pattern) {
    return call.meter().step(call.text(0).size() * pattern.size() / 8);
}

// Null, with the reason recorded: not a pattern, or no budget for it.
const Pattern* pattern(Call& call, std::size_t flags_at) {
    const std::string_view text = call.text(1);
    const std::string_view flags = call.has(flags_at) ? call.text(flags_at) : "";
    PatternCache& cache = call.evaluator().patterns();
    const Pattern* known = cache.find(text, flags);
    if (!known) {
        if (!call.meter().step(1000 + text.size() * 10)) return nullptr;
        auto compiled = Pattern::compile(text, flags);
        if (!compiled) {
            call.fail(compiled.error().message);
            return nullptr;
        }
        if (!call.meter().step(compiled->size())) return nullptr;
        known = &cache.add(text, flags, *std::move(compiled));
    }
    return read_with(call, *known) ? known : nullptr;
}

Value matches(Call& call) {
    const Pattern* compiled = pattern(call, 2);
    if (!compiled) return Null{};
    return compiled->occurs_in(call.text(0));
}

Value replace(Call& call) {
    const Pattern* compiled = pattern(call, 3);
    if (!compiled) return Null{};
    if (compiled->matches_empty()) return call.fail("the pattern must not match an empty string");
    const auto text = compiled->replaced(call.text(0), call.text(2), call.meter().memory_left());
    if (!text) return call.fail("invalid replacement (write \\$ for $), or the result is too long");
    if (!call.meter().read(text->size())) return Null{};
    return call.make(*text);
}

Value split(Call& call) {
    const Pattern* compiled = pattern(call, 2);
    if (!compiled) return Null{};
    if (compiled->matches_empty()) return call.fail("the delimiter must not match an empty string");
    const auto found = compiled->split(call.text(0), call.meter().memory_left() / sizeof(Value));
    if (!found) call.meter().stop(Trouble::Kind::memory);
    if (!found || !call.prepare(found->size())) return Null{};
    std::vector<Value> parts;
    parts.reserve(found->size());
    for (const std::string_view part : *found) parts.push_back(call.make(part));
    return call.make(std::move(parts));
}

Value join(Call& call) {
    const std::string_view delimiter = call.has(1) ? call.text(1) : "";
    std::string text;
    bool first = true;
    for (const Value& item : call.list(0)) {
        const auto* part = item.get<Text>();
        if (!part && !item.is_null()) return call.fail("string join() needs a list of strings");
        if (!part) continue;
        const std::size_t size = part->size() + delimiter.size();
        if (!call.meter().step() || !call.meter().read(size) || !call.meter().allocate(size))
            return Null{};
        if (!first) text += delimiter;
        first = false;
        text += part->view();
    }
    return call.make(text);
}

constexpr Parameter flags = {"flags", Want::string, Given::maybe};

constexpr Builtin string_rows[] = {
    {"substring",
     {{"string", Want::string},
      {"start position", Want::number},
      {"length", Want::number, Given::maybe}},
     substring,
     "Characters from a position on; the first is 1, the last -1",
     "substring(\"foobar\", 3, 3)"},
    {"string length",
     {{"string", Want::string}},
     length,
     "The number of characters",
     "string length(\"foo\")"},
    {"upper case", {{"string", Want::string}}, upper_case, "In upper case", "upper case(\"aBc4\")"},
    {"lower case", {{"string", Want::string}}, lower_case, "In lower case", "lower case(\"aBc4\")"},
    {"substring before",
     {{"string", Want::string}, {"match", Want::string}},
     before,
     "The text before the first occurrence; empty if there is none",
     "substring before(\"foobar\", \"bar\")"},
    {"substring after",
     {{"string", Want::string}, {"match", Want::string}},
     after,
     "The text after the first occurrence; empty if there is none",
     "substring after(\"foobar\", \"ob\")"},
    {"replace",
     {{"input", Want::string}, {"pattern", Want::string}, {"replacement", Want::string}, flags},
     replace,
     "Every match of a pattern replaced; $1 is the first group",
     "replace(\"banana\", \"a(n)\", \"<$1>\")"},
    {"contains",
     {{"string", Want::string}, {"match", Want::string}},
     contains,
     "Whether one string occurs in another",
     "contains(\"foobar\", \"of\")"},
    {"starts with",
     {{"string", Want::string}, {"match", Want::string}},
     starts_with,
     "Whether a string begins with another",
     "starts with(\"foobar\", \"fo\")"},
    {"ends with",
     {{"string", Want::string}, {"match", Want::string}},
     ends_with,
     "Whether a string ends with another",
     "ends with(\"foobar\", \"r\")"},
    {"matches",
     {{"input", Want::string}, {"pattern", Want::string}, flags},
     matches,
     "Whether a pattern occurs in a string",
     "matches(\"foobar\", \"^fo*b\")"},
    {"split",
     {{"string", Want::string}, {"delimiter", Want::string}},
     split,
     "The parts between the matches of a pattern",
     "split(\"a;b;;c\", \";\")"},
    {"string join",
     {{"list", Want::list}, {"delimiter", Want::string, Given::maybe}},
     join,
     "The strings of a list joined; nulls are skipped",
     "string join([\"a\", null, \"c\"], \", \")"},
};

}  // namespace

std::span<const Builtin> string_builtins() { return string_rows; }

}  // namespace holdfast::feel
