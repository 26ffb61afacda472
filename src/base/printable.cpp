#include "base/printable.h"

#include "base/utf8.h"

namespace holdfast {
namespace {

bool is_control_code(std::uint32_t code) { return code < 0x20 || (code >= 0x7f && code < 0xa0); }
bool is_separator(std::uint32_t code) { return code == 0x2028 || code == 0x2029; }

void append_escaped(std::string& text, std::uint32_t code) {
    static constexpr std::string_view digits = "0123456789abcdef";
    switch (code) {
        case '\n': text += "\\n"; return;
        case '\r': text += "\\r"; return;
        case '\t': text += "\\t"; return;
        default: break;
    }
    text += "\\u";
    for (const unsigned shift : {12U, 8U, 4U, 0U}) text += digits[code >> shift & 0xfU];
}

}  // namespace

bool has_control(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const auto [code, size] = code_point_at(text, at);
        if (size > 0 && is_control_code(code)) return true;
        at += size > 0 ? size : 1;
    }
    return false;
}

std::string printable(std::string_view text) {
    std::string shown;
    shown.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto [code, size] = code_point_at(text, at);
        if (size == 0)
            append_escaped(shown, 0xfffd);
        else if (is_control_code(code) || is_separator(code))
            append_escaped(shown, code);
        else
            shown += text.substr(at, size);
        at += size > 0 ? size : 1;
    }
    return shown;
}

}  // namespace holdfast
