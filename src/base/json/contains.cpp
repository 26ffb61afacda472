#include "base/json/contains.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/json/canonical.h"
#include "base/json/patch.h"

namespace holdfast::json {

namespace {

constexpr std::size_t max_segments = 16;
constexpr std::size_t max_segment_size = 64;

bool is_segment_char(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool is_segment(std::string_view text) {
    return !text.empty() && text.size() <= max_segment_size &&
           std::ranges::all_of(text, is_segment_char);
}

bool covers(const bj::value& whole, const bj::value& part);

bool covers_members(const bj::object& whole, const bj::object& part) {
    if (part.size() > whole.size()) return false;
    return std::ranges::all_of(part, [&whole](const bj::key_value_pair& wanted) {
        const bj::value* member = whole.if_contains(wanted.key());
        return member && covers(*member, wanted.value());
    });
}

// Arrays compare as sets: order and duplicates do not matter.
bool covers_elements(const bj::array& whole, const bj::array& part) {
    return std::ranges::all_of(part, [&whole](const bj::value& wanted) {
        return std::ranges::any_of(
            whole, [&wanted](const bj::value& element) { return covers(element, wanted); });
    });
}

bool covers(const bj::value& whole, const bj::value& part) {
    if (whole.is_object() && part.is_object())
        return covers_members(whole.get_object(), part.get_object());
    if (whole.is_array() && part.is_array())
        return covers_elements(whole.get_array(), part.get_array());
    return !part.is_structured() && equal(whole, part);
}

// A negative index counts from the end, as in PostgreSQL.
const bj::value* element_at(const bj::array& array, std::string_view segment) {
    std::int64_t index = 0;
    const auto read = std::from_chars(segment.data(), segment.data() + segment.size(), index);
    if (read.ec != std::errc{} || read.ptr != segment.data() + segment.size()) return nullptr;
    if (index < 0) index += static_cast<std::int64_t>(array.size());
    return index < 0 ? nullptr : array.if_contains(static_cast<std::size_t>(index));
}

void collect_leaves(const bj::value& part, Path& path, std::vector<Leaf>& found) {
    const bj::object* object = part.if_object();
    if (!object) {
        if (auto text = scalar_text(part)) found.push_back({path, *std::move(text)});
        return;
    }
    if (path.segments.size() == max_segments) return;
    for (const auto& member : *object) {
        if (!is_segment({member.key().data(), member.key().size()})) continue;
        path.segments.emplace_back(member.key());
        collect_leaves(member.value(), path, found);
        path.segments.pop_back();
    }
}

}  // namespace

bool contains(const bj::value& whole, const bj::value& part) {
    if (whole.is_array() && !part.is_structured())
        return std::ranges::any_of(
            whole.get_array(), [&part](const bj::value& element) { return equal(element, part); });
    return covers(whole, part);
}

Result<Path> parse_path(std::string_view text) {
    Path path;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find('.', begin), text.size());
        const std::string_view segment = text.substr(begin, end - begin);
        if (!is_segment(segment) || path.segments.size() == max_segments)
            return fail(ErrorCode::invalid_argument,
                        "a path has 1 to 16 segments separated by dots, each 1 to 64 characters "
                        "of A-Z a-z 0-9 _ -");
        path.segments.emplace_back(segment);
        begin = end + 1;
    }
    return path;
}

std::string to_string(const Path& path) {
    std::string text;
    for (const std::string& segment : path.segments) {
        if (&segment != &path.segments.front()) text += '.';
        text += segment;
    }
    return text;
}

const bj::value* find(const bj::value& value, const Path& path) {
    const bj::value* found = &value;
    for (const std::string& segment : path.segments) {
        if (const bj::object* object = found->if_object()) {
            found = object->if_contains(segment);
        } else if (const bj::array* array = found->if_array()) {
            found = element_at(*array, segment);
        } else {
            found = nullptr;
        }
        if (!found) return nullptr;
    }
    return found;
}

std::optional<std::string> text_at(const bj::value& value, const Path& path) {
    const bj::value* found = find(value, path);
    return found ? scalar_text(*found) : std::nullopt;
}

std::vector<Leaf> leaves(const bj::value& part) {
    std::vector<Leaf> found;
    Path path;
    if (part.is_object()) collect_leaves(part, path, found);
    return found;
}

}  // namespace holdfast::json
