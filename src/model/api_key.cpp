#include "model/api_key.h"

#include <openssl/rand.h>

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "base/names.h"

namespace holdfast {
namespace {

// <prefix><id>_<secret>, both in hex. A text of one kind is none of another.
constexpr Named<KeyKind> prefixes[] = {
    {KeyKind::key, "hf_"}, {KeyKind::session, "hfs_"}, {KeyKind::link, "hfl_"}};
constexpr Named<KeyKind> kinds[] = {
    {KeyKind::key, "key"}, {KeyKind::session, "session"}, {KeyKind::link, "link"}};
constexpr std::size_t id_bytes = 8;
constexpr std::size_t secret_bytes = 32;

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

std::string_view name_of(KeyKind kind) { return name_in(kinds, kind); }
std::optional<KeyKind> parse_name(std::string_view text, std::type_identity<KeyKind>) {
    return find_in(kinds, text);
}

IssuedKey make_key(KeyKind kind) {
    IssuedKey key{
        .id = random_hex<id_bytes>(), .text = std::string(name_in(prefixes, kind)), .secret = {}};
    key.text += key.id + '_' + random_hex<secret_bytes>();
    key.secret = sha256(key.text);
    return key;
}

std::string_view key_id_in(std::string_view text, KeyKind kind) {
    const std::string_view prefix = name_in(prefixes, kind);
    if (!text.starts_with(prefix)) return {};
    text.remove_prefix(prefix.size());
    if (text.size() != 2 * (id_bytes + secret_bytes) + 1 || text[2 * id_bytes] != '_') return {};
    const std::string_view id = text.substr(0, 2 * id_bytes);
    return std::ranges::all_of(id, is_hex) ? id : std::string_view();
}

}  // namespace holdfast
