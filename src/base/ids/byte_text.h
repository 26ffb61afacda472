// Bytes as text that fits into an address: base64 with - and _ and without padding (RFC 4648).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

std::string to_base64url(std::string_view bytes);
// Absent: a character that does not belong there.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace holdfast
