#include "feel/values/utf8.h"

#include <algorithm>

namespace holdfast::feel {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

CodePoint code_point_at(std::string_view text, std::size_t at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) return {byte, 1};
    const std::size_t size = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    if (byte < 0xC2 || byte > 0xF4 || at + size > text.size()) return {};
    std::uint32_t code = byte & (0xFFu >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if (!is_continuation(text[at + i])) return {};
        code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 0x3Fu);
    }
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    const std::uint32_t least = size == 2 ? 0x80 : size == 3 ? 0x800 : 0x10000;
    if (surrogate || code < least || code > 0x10FFFF) return {};
    return {code, size};
}

void append_utf8(std::string& text, std::uint32_t code) {
    const auto tail = [&](int shift) {
        text += static_cast<char>(0x80 | ((code >> shift) & 0x3F));
    };
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0 | code >> 6);
        tail(0);
    } else if (code < 0x10000) {
        text += static_cast<char>(0xE0 | code >> 12);
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xF0 | code >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

std::size_t find_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = code_point_at(text, at);
        if (point.size == 0) return at;
        at += point.size;
    }
    return std::string_view::npos;
}

std::size_t code_points(std::string_view text) {
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, is_continuation));
}

std::size_t offset_of(std::string_view text, std::size_t code_point) {
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        if (is_continuation(text[at])) continue;
        if (code_point == 0) break;
        --code_point;
    }
    return at;
}

}  // namespace holdfast::feel
