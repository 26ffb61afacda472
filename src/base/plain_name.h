// Names that stand in URLs and file names as they are: the keys of definitions.
#pragma once

#include <algorithm>
#include <string_view>

namespace holdfast {

inline constexpr std::string_view plain_name_rule =
    "must have 1 to 128 characters of A-Z, a-z, 0-9, '.', '_' and '-'";

constexpr bool is_plain_name(std::string_view text) {
    constexpr std::size_t longest = 128;
    return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '.' || c == '_' || c == '-';
    });
}

// The definitions of what the engine does itself: nobody else defines or starts one.
constexpr bool is_engine_key(std::string_view key) { return key.starts_with("holdfast."); }

}  // namespace holdfast
