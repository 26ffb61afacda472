// UTF-8 by code points. Header only: FEEL links no source of base.
#pragma once

#include <cstdint>
#include <string_view>

namespace holdfast {

// The code point that begins at `at`, and its size in bytes; size 0: not UTF-8.
struct CodePoint {
    std::uint32_t code = 0;
    std::size_t size = 0;
};

constexpr CodePoint code_point_at(std::string_view text, std::size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) return {byte, 1};
    const std::size_t size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    if (byte < 0xC2 || byte > 0xF4 || at + size > text.size()) return {};
    std::uint32_t code = byte & (0xFFu >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        const auto next = static_cast<unsigned char>(text[at + i]);
        if ((next & 0xC0u) != 0x80u) return {};
        code = code << 6 | (next & 0x3Fu);
    }
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    const std::uint32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
    if (surrogate || code < least || code > 0x10FFFF) return {};
    return {code, size};
}

// Where it stops being UTF-8; npos: nowhere.
constexpr std::size_t find_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = code_point_at(text, at);
        if (point.size == 0) return at;
        at += point.size;
    }
    return std::string_view::npos;
}

constexpr bool is_utf8(std::string_view text) {
    return find_invalid_utf8(text) == std::string_view::npos;
}

}  // namespace holdfast
