#include "base/json/contains.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <unordered_map>

#include "base/json/canonical.h"
#include "base/json/patch.h"

namespace holdfast::json {

namespace {

constexpr std::size_t max_segments = 16;
constexpr std::size_t max_segment_size = 64;
constexpr std::size_t most_compared_in_lists = 64;

bool is_segment_char(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

bool is_segment(std::string_view text) {
    return !text.empty() && text.size() <= max_segment_size &&
           std::ranges::all_of(text, is_segment_char);
}

// Its texts differ where the values do: a scalar is canonical JSON, strings are in quotes.
std::string key_of(const bj::value& scalar) { return canonical(scalar); }

std::size_t size_of(const bj::value& scalar) {
    return scalar.is_string() ? scalar.get_string().size() : 0;
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

enum class Inside { nothing, list };

// The objects and lists that are elements of a list.
std::size_t compared_in_lists(const bj::value& part, Inside inside) {
    std::size_t count = inside == Inside::list && part.is_structured() ? 1 : 0;
    if (const bj::object* object = part.if_object())
        for (const auto& member : *object)
            count += compared_in_lists(member.value(), Inside::nothing);
    if (const bj::array* array = part.if_array())
        for (const bj::value& element : *array) count += compared_in_lists(element, Inside::list);
    return count;
}

}  // namespace

// A wanted value, prepared: the scalars of a list are found by their text.
struct Containment::Wanted {
    enum class Kind { scalar, object, list };

    Kind kind = Kind::scalar;
    bj::value scalar;
    struct Member;
    std::vector<Member> members;
    std::unordered_map<std::string, std::size_t> scalars;  // of a list: the place of each
    std::vector<Wanted> others;                            // of a list: objects and lists
};

struct Containment::Wanted::Member {
    std::string name;
    Wanted value;
};

Containment::Wanted Containment::prepare(const bj::value& part) {
    Wanted wanted;
    if (const bj::object* object = part.if_object()) {
        wanted.kind = Wanted::Kind::object;
        for (const auto& member : *object)
            wanted.members.push_back({std::string(member.key()), prepare(member.value())});
    } else if (const bj::array* array = part.if_array()) {
        wanted.kind = Wanted::Kind::list;
        for (const bj::value& element : *array) {
            if (element.is_structured())
                wanted.others.push_back(prepare(element));
            else
                wanted.scalars.try_emplace(key_of(element), wanted.scalars.size());
        }
    } else {
        wanted.scalar = part;
    }
    return wanted;
}

Containment::Containment(const bj::value& part)
    : wanted_(std::make_unique<const Wanted>(prepare(part))) {}
Containment::Containment(Containment&&) noexcept = default;
Containment& Containment::operator=(Containment&&) noexcept = default;
Containment::~Containment() = default;

bool Containment::covers(const bj::value& whole, const Wanted& wanted, Effort& effort) {
    if (!effort.spend(1)) return false;
    switch (wanted.kind) {
        case Wanted::Kind::object:
            return whole.is_object() && covers_members(whole.get_object(), wanted, effort);
        case Wanted::Kind::list:
            return whole.is_array() && covers_elements(whole.get_array(), wanted, effort);
        case Wanted::Kind::scalar: break;
    }
    return effort.spend_on_bytes(size_of(wanted.scalar)) && equal(whole, wanted.scalar);
}

bool Containment::covers_members(const bj::object& whole, const Wanted& wanted, Effort& effort) {
    if (wanted.members.size() > whole.size()) return false;
    return std::ranges::all_of(wanted.members, [&](const auto& member) {
        const bj::value* found = whole.if_contains(member.name);
        return found && covers(*found, member.value, effort);
    });
}

// Lists compare as sets: order and duplicates do not matter.
bool Containment::covers_elements(const bj::array& whole, const Wanted& wanted, Effort& effort) {
    return covers_scalars(whole, wanted, effort) &&
           std::ranges::all_of(wanted.others, [&](const Wanted& one) {
               return std::ranges::any_of(
                   whole, [&](const bj::value& element) { return covers(element, one, effort); });
           });
}

// One pass over the list, whatever the number of wanted scalars.
bool Containment::covers_scalars(const bj::array& whole, const Wanted& wanted, Effort& effort) {
    if (wanted.scalars.size() > whole.size()) return false;
    std::size_t missing = wanted.scalars.size();
    std::vector<bool> found(missing);
    for (const bj::value& element : whole) {
        if (missing == 0) return true;
        if (element.is_structured()) continue;
        if (!effort.spend(4) || !effort.spend_on_bytes(size_of(element))) return false;
        const auto place = wanted.scalars.find(key_of(element));
        if (place == wanted.scalars.end() || found[place->second]) continue;
        found[place->second] = true;
        --missing;
    }
    return missing == 0;
}

bool Containment::is_in(const bj::value& whole, Effort& effort) const {
    if (!whole.is_array() || wanted_->kind != Wanted::Kind::scalar)
        return covers(whole, *wanted_, effort);
    return std::ranges::any_of(whole.get_array(), [&](const bj::value& element) {
        return !element.is_structured() && covers(element, *wanted_, effort);
    });
}

bool contains(const bj::value& whole, const bj::value& part) {
    Effort effort;
    return Containment(part).is_in(whole, effort);
}

Result<void> check_containment(const bj::value& part) {
    if (compared_in_lists(part, Inside::nothing) <= most_compared_in_lists) return {};
    return fail(ErrorCode::invalid_argument,
                "a containment filter has at most " + std::to_string(most_compared_in_lists) +
                    " objects and lists inside of its lists: each of them is compared with every "
                    "element; send several queries");
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
