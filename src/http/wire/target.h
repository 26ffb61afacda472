// Parses a request target (origin-form): decodes it once and refuses ambiguous input.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace holdfast::http {

struct Target {
    std::vector<std::string> path;                           // decoded segments; "/" has none
    std::vector<std::pair<std::string, std::string>> query;  // decoded, in order

    bool operator==(const Target&) const = default;
};

// invalid_argument: longer than 8 KiB, not beginning with '/', a fragment, an empty, `.` or `..`
// segment, a `;` or backslash in the path, a bad percent escape, an encoded slash or backslash in
// the path, a control character, or text that is not UTF-8 once decoded. not_found: a trailing
// slash.
Result<Target> parse_target(std::string_view target);

}  // namespace holdfast::http
