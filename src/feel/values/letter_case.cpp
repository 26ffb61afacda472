#include "feel/values/letter_case.h"

#include <locale.h>
#include <wctype.h>

#include "feel/values/utf8.h"

namespace holdfast::feel {
namespace {

// The C library's Unicode tables, independent of the locale of the process. Null if the locale
// C.UTF-8 is missing: then only ASCII letters change.
locale_t unicode() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
}

template <class Map>
std::string mapped(std::string_view text, Map map) {
    std::string result;
    result.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const CodePoint point = code_point_at(text, at);
        if (point.size == 0) break;
        append_utf8(result, map(point.code));
        at += point.size;
    }
    return result;
}

}  // namespace

std::uint32_t upper(std::uint32_t code) {
    if (code < 0x80) return code >= 'a' && code <= 'z' ? code - 32 : code;
    return unicode() ? towupper_l(code, unicode()) : code;
}

std::uint32_t lower(std::uint32_t code) {
    if (code < 0x80) return code >= 'A' && code <= 'Z' ? code + 32 : code;
    return unicode() ? towlower_l(code, unicode()) : code;
}

std::string upper(std::string_view text) {
    return mapped(text, [](std::uint32_t code) { return upper(code); });
}

std::string lower(std::string_view text) {
    return mapped(text, [](std::uint32_t code) { return lower(code); });
}

}  // namespace holdfast::feel
