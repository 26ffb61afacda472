#include "http/cursor.h"

#include "base/digest.h"

namespace holdfast::http {
namespace {

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::size_t seal_size = 6;

std::string encode(std::string_view bytes) {
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

std::optional<std::string> decode(std::string_view text) {
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

std::string seal(std::string_view filters) {
    const Digest digest = sha256(filters);
    return {reinterpret_cast<const char*>(digest.bytes.data()), seal_size};
}

}  // namespace

std::string make_cursor(std::string_view position, std::string_view filters) {
    return encode(seal(filters) + std::string(position));
}

Result<std::string> read_cursor(std::string_view cursor, std::string_view filters) {
    const auto bytes = decode(cursor);
    if (!bytes || bytes->size() <= seal_size)
        return fail(ErrorCode::invalid_argument,
                    "this cursor is not one of ours: start without it");
    if (bytes->substr(0, seal_size) != seal(filters))
        return fail(ErrorCode::invalid_argument,
                    "this cursor belongs to other filters: repeat the query that gave it, or start "
                    "without it");
    return bytes->substr(seal_size);
}

}  // namespace holdfast::http
