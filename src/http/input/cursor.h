// Opaque page cursors: where a page ended, bound to the filters of its query.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::http {

std::string make_cursor(std::string_view position, std::string_view filters);
// invalid_argument: malformed, or made for other filters.
Result<std::string> read_cursor(std::string_view cursor, std::string_view filters);

}  // namespace holdfast::http
