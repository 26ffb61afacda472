// Text from outside as something that a terminal or a log can show: it cannot act on either.
#pragma once

#include <string>
#include <string_view>

namespace holdfast {

// Whether UTF-8 has a control character: of ASCII, or U+0080 to U+009F.
bool has_control(std::string_view text);

// One line: control characters, line and paragraph separators as JSON escapes them (\n, \u001b),
// bytes that are not UTF-8 as \ufffd. Everything else is unchanged, so that printable JSON is the
// same JSON.
std::string printable(std::string_view text);

}  // namespace holdfast
