// UTF-8 by code points.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace holdfast::feel {

// 0 to 9, whatever the locale.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& text, std::uint32_t code);
// `text` is valid.
std::size_t code_points(std::string_view text);
// Byte offset of the code point with this index; the size of the text past the end.
std::size_t offset_of(std::string_view text, std::size_t code_point);

}  // namespace holdfast::feel
