// Containment and paths with PostgreSQL's jsonb semantics, so that every store answers a query
// alike.
#pragma once

#include <boost/json/value.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace holdfast::json {

namespace bj = boost::json;

// `whole @> part`: objects by member, arrays as sets, scalars by value; at the top an array also
// contains a bare scalar that is one of its elements.
bool contains(const bj::value& whole, const bj::value& part);

// A dotted path into a document: "agentContext.currentAgent".
struct Path {
    std::vector<std::string> segments;

    auto operator<=>(const Path&) const = default;
};

// 1 to 16 segments of [A-Za-z0-9_-]{1,64}. invalid_argument otherwise.
Result<Path> parse_path(std::string_view text);
std::string to_string(const Path& path);

// What `#>` finds: a segment that is an integer also indexes an array (negative: from its end).
const bj::value* find(const bj::value& value, const Path& path);
// What `#>>` shows of a scalar there (see scalar_text); objects, arrays, null and nothing: absent.
std::optional<std::string> text_at(const bj::value& value, const Path& path);

// The scalars inside `part` that containment requires at a fixed path: objects are walked, arrays
// are not. Left out is what has no text (null) or no Path (a key with a dot, say).
struct Leaf {
    Path path;
    std::string text;
};
std::vector<Leaf> leaves(const bj::value& part);

}  // namespace holdfast::json
