// base64url without padding (RFC 4648): bytes as URL-safe text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

std::string to_base64url(std::string_view bytes);
// Absent: `text` has a character outside the base64url alphabet.
std::optional<std::string> from_base64url(std::string_view text);

}  // namespace holdfast
