// Opaque page cursors: where a page ended, bound to the filters it was asked with.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::http {

std::string make_cursor(std::string_view position, std::string_view filters);
// invalid_argument: not ours, or made for other filters.
Result<std::string> read_cursor(std::string_view cursor, std::string_view filters);

}  // namespace holdfast::http
