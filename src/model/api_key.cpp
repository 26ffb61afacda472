#include "model/api_key.h"

#include <openssl/rand.h>

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace holdfast {
namespace {

// hf_<id>_<secret>, both in hex.
constexpr std::string_view prefix = "hf_";
constexpr std::size_t id_bytes = 8;
constexpr std::size_t secret_bytes = 32;
constexpr std::size_t id_end = prefix.size() + 2 * id_bytes;
constexpr std::size_t key_size = id_end + 1 + 2 * secret_bytes;

template <std::size_t size>
std::string random_hex() {
    std::array<unsigned char, size> bytes{};
    const int made = ::RAND_bytes(bytes.data(), static_cast<int>(size));
    HF_ASSERT(made == 1, "the system gives random bytes");
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const unsigned char byte : bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

}  // namespace

Roles ApiKey::role_set() const {
    Roles set;
    for (const std::string& name : roles)
        if (const auto role = parse_role(name)) set.add(*role);
    return set;
}

IssuedKey make_key() {
    IssuedKey key{.id = random_hex<id_bytes>(), .text = std::string(prefix), .secret = {}};
    key.text += key.id + '_' + random_hex<secret_bytes>();
    key.secret = sha256(key.text);
    return key;
}

std::string_view key_id_in(std::string_view text) {
    if (text.size() != key_size || !text.starts_with(prefix) || text[id_end] != '_') return {};
    const std::string_view id = text.substr(prefix.size(), 2 * id_bytes);
    return std::ranges::all_of(id, is_hex) ? id : std::string_view();
}

}  // namespace holdfast
