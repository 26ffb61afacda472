#include "bpmn/xml/encoding.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.h"

namespace holdfast::bpmn {
namespace {

// WINDOWS-1252 from 0x80 to 0x9F; 0: unassigned. ISO-8859-1 has control characters there, which no
// text contains, so that one table serves both.
constexpr std::array<std::uint16_t, 32> windows_1252{
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

std::unexpected<Error> bad_encoding(std::string message, std::string_view text, std::size_t at) {
    const auto line = 1 + std::ranges::count(text.substr(0, at), '\n');
    return fail(ErrorCode::invalid_argument, std::move(message), {{"line", line}});
}

// The name in `<?xml version="1.0" encoding="NAME"?>`, in capitals; empty: none.
std::string declared_encoding(std::string_view text) {
    if (!text.starts_with("<?xml")) return {};
    const std::string_view declaration = text.substr(0, text.find("?>"));
    const auto at = declaration.find("encoding");
    if (at == std::string_view::npos) return {};
    const auto open = declaration.find_first_of("\"'", at);
    if (open == std::string_view::npos) return {};
    const auto close = declaration.find(declaration[open], open + 1);
    if (close == std::string_view::npos) return {};
    std::string name(declaration.substr(open + 1, close - open - 1));
    for (char& c : name)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return name;
}

Result<std::string> checked_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = code_point_at(text, at);
        if (point.size == 0) return bad_encoding("the text is not valid UTF-8", text, at);
        const bool control =
            point.code < 0x20 && point.code != '\t' && point.code != '\n' && point.code != '\r';
        if (control || point.code == 0xFFFE || point.code == 0xFFFF)
            return bad_encoding("the text has a character that XML does not allow", text, at);
        at += point.size;
    }
    return std::string(text);
}

void append_utf8(std::string& text, std::uint32_t code) {
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0 | code >> 6);
        text += static_cast<char>(0x80 | (code & 0x3F));
    } else {
        text += static_cast<char>(0xE0 | code >> 12);
        text += static_cast<char>(0x80 | (code >> 6 & 0x3F));
        text += static_cast<char>(0x80 | (code & 0x3F));
    }
}

Result<std::string> from_windows_1252(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() + bytes.size() / 8);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::uint32_t code = static_cast<unsigned char>(bytes[at]);
        if (code >= 0x80 && code < 0xA0) {
            code = windows_1252[code - 0x80];
            if (code == 0)
                return bad_encoding("the text has a byte that WINDOWS-1252 lacks", bytes, at);
        }
        append_utf8(text, code);
    }
    return checked_utf8(text);
}

}  // namespace

Result<std::string> as_utf8(std::string_view bytes) {
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF") ||
        bytes.substr(0, 4).find('\0') != std::string_view::npos)
        return bad_encoding("the encoding is UTF-16 or UTF-32: save the file as UTF-8", bytes, 0);
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    const std::string name = declared_encoding(bytes);
    if (name.empty() || name == "UTF-8" || name == "UTF8" || name == "US-ASCII" || name == "ASCII")
        return checked_utf8(bytes);
    if (name == "WINDOWS-1252" || name == "CP1252" || name == "ISO-8859-1" || name == "LATIN1")
        return from_windows_1252(bytes);
    return bad_encoding("the encoding " + name.substr(0, 40) + " is not known: save it as UTF-8",
                        bytes, 0);
}

}  // namespace holdfast::bpmn
