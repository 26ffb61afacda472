#include "feel/values/utf8.h"

#include <algorithm>

namespace holdfast::feel {
namespace {

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

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
