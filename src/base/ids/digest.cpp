#include "base/ids/digest.h"

#include <openssl/evp.h>

#include <memory>

#include "base/assert.h"

namespace holdfast {
namespace {

// One context and one fetched algorithm per thread: fetching them again costs more than hashing 300
// bytes.
class Hasher {
public:
    Hasher()
        : context_(EVP_MD_CTX_new(), &EVP_MD_CTX_free),
          algorithm_(EVP_MD_fetch(nullptr, "SHA256", nullptr), &EVP_MD_free) {}

    void begin() {
        HF_ASSERT(EVP_DigestInit_ex(context_.get(), algorithm_.get(), nullptr) == 1,
                  "SHA-256 works");
    }
    void add(const void* bytes, std::size_t size) { EVP_DigestUpdate(context_.get(), bytes, size); }
    Digest end() {
        Digest digest;
        EVP_DigestFinal_ex(context_.get(), digest.bytes.data(), nullptr);
        return digest;
    }

private:
    std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
    std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> algorithm_;
};

Hasher& hasher() {
    thread_local Hasher instance;
    return instance;
}

}  // namespace

Digest sha256(std::string_view bytes) {
    hasher().begin();
    hasher().add(bytes.data(), bytes.size());
    return hasher().end();
}

Digest sha256(const Digest& first, std::string_view second) {
    hasher().begin();
    hasher().add(first.bytes.data(), first.bytes.size());
    hasher().add(second.data(), second.size());
    return hasher().end();
}

std::string to_hex(const Digest& digest) {
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    text.reserve(64);
    for (const std::uint8_t byte : digest.bytes) {
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

std::optional<Digest> parse_digest(std::string_view hex) {
    if (hex.size() != 64) return std::nullopt;
    Digest digest;
    for (std::size_t i = 0; i < 64; ++i) {
        const char c = hex[i];
        const int value = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (value < 0) return std::nullopt;
        digest.bytes[i / 2] = static_cast<std::uint8_t>(digest.bytes[i / 2] << 4 | value);
    }
    return digest;
}

}  // namespace holdfast
