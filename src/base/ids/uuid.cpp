#include "base/ids/uuid.h"

namespace holdfast {
namespace {

int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool is_dash_position(std::size_t at) { return at == 8 || at == 13 || at == 18 || at == 23; }

std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

}  // namespace

std::string to_string(const Uuid& id) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text(36, '-');
    std::size_t at = 0;
    for (const std::uint8_t byte : id.bytes) {
        if (is_dash_position(at)) ++at;
        text[at++] = digits[byte >> 4];
        text[at++] = digits[byte & 15];
    }
    return text;
}

std::optional<Uuid> parse_uuid(std::string_view text) {
    if (text.size() != 36) return std::nullopt;
    Uuid id;
    std::size_t at = 0;
    for (std::uint8_t& byte : id.bytes) {
        if (is_dash_position(at) && text[at++] != '-') return std::nullopt;
        const int high = hex_digit(text[at++]);
        const int low = hex_digit(text[at++]);
        if (high < 0 || low < 0) return std::nullopt;
        byte = static_cast<std::uint8_t>(high << 4 | low);
    }
    return id;
}

Uuid make_uuid_v7(Moment at, std::uint64_t random_high, std::uint64_t random_low,
                  std::uint16_t cell) {
    using namespace std::chrono;
    const auto ms = static_cast<std::uint64_t>(floor<milliseconds>(at).time_since_epoch().count());
    Uuid id;
    for (int i = 0; i < 6; ++i) id.bytes[i] = static_cast<std::uint8_t>(ms >> (40 - 8 * i));
    id.bytes[6] = static_cast<std::uint8_t>(0x70 | (random_high >> 8 & 0x0f));
    id.bytes[7] = static_cast<std::uint8_t>(random_high);
    for (int i = 0; i < 8; ++i)
        id.bytes[8 + i] = static_cast<std::uint8_t>(random_low >> (56 - 8 * i));
    // The cell: the 6 bits after the variant, and the 6 bits after these.
    id.bytes[8] = static_cast<std::uint8_t>(0x80 | (cell >> 6 & 0x3f));
    id.bytes[9] = static_cast<std::uint8_t>((cell & 0x3f) << 2 | (id.bytes[9] & 0x03));
    return id;
}

std::uint16_t cell_of(const Uuid& id) {
    return static_cast<std::uint16_t>((id.bytes[8] & 0x3f) << 6 | id.bytes[9] >> 2);
}

Uuid derive(const Uuid& parent, std::uint64_t n) {
    Uuid id = parent;
    const std::uint64_t salt = mix(n + 1);
    id.bytes[9] ^= static_cast<std::uint8_t>(salt & 0x03);
    for (int i = 1; i < 7; ++i) id.bytes[9 + i] ^= static_cast<std::uint8_t>(salt >> (8 * i));
    return id;
}

}  // namespace holdfast
