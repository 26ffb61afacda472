// Character rules of HTTP's grammar (RFC 9110 section 5.6), independent of any locale.
#pragma once

#include <algorithm>
#include <string_view>

namespace holdfast::http {

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

constexpr bool same_ignoring_case(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, [](char x, char y) { return to_lower(x) == to_lower(y); });
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// -1: not a hex digit.
constexpr int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    const char lower = to_lower(c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// The characters of method and field names.
constexpr bool is_token_char(char c) {
    const char lower = to_lower(c);
    return is_digit(c) || (lower >= 'a' && lower <= 'z') ||
           std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

constexpr bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_token_char);
}

// Without spaces and tabs at either end.
constexpr std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace holdfast::http
