#include "base/ids/byte_text.h"

namespace holdfast {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string to_base64url(std::string_view bytes) {
    std::string text;
    unsigned bits = 0;
    int held = 0;
    for (const unsigned char byte : bytes) {
        bits = bits << 8 | byte;
        for (held += 8; held >= 6; held -= 6) text += alphabet[bits >> (held - 6) & 63];
    }
    if (held > 0) text += alphabet[bits << (6 - held) & 63];
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    std::string bytes;
    unsigned bits = 0;
    int held = 0;
    for (const char c : text) {
        const std::size_t value = alphabet.find(c);
        if (value == std::string_view::npos) return std::nullopt;
        bits = bits << 6 | static_cast<unsigned>(value);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        bytes += static_cast<char>(bits >> held & 255);
    }
    return bytes;
}

}  // namespace holdfast
