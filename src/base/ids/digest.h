// SHA-256, for checksums of state and for the hash chain of history.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace holdfast {

struct Digest {
    std::array<std::uint8_t, 32> bytes{};

    auto operator<=>(const Digest&) const = default;
};

Digest sha256(std::string_view bytes);
// The digest of `first` followed by `second`, without joining them.
Digest sha256(const Digest& first, std::string_view second);
std::string to_hex(const Digest& digest);
std::optional<Digest> parse_digest(std::string_view hex);

}  // namespace holdfast
