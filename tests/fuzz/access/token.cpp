// Any bytes as a token; then as the head and the claims of a token with a right signature, which
// reach the readers behind it. What is accepted keeps the policy.
#include <openssl/evp.h>

#include <cstdlib>

#include "base/ids/byte_text.h"
#include "http/access/jwt.h"

using namespace holdfast;

namespace {

struct Provider {
    EVP_PKEY* pair = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
    std::vector<http::VerifyingKey> keys{
        {.id = "a",
         .algorithm = http::JwtAlgorithm::eddsa,
         .key = std::shared_ptr<EVP_PKEY>(pair, [](EVP_PKEY* key) { EVP_PKEY_free(key); })}};
    http::JwtPolicy policy{.issuer = "i", .audience = "a"};

    std::string sign(const std::string& bytes) const {
        std::string signature(64, '\0');
        std::size_t size = signature.size();
        EVP_MD_CTX* context = EVP_MD_CTX_new();
        const auto* text = reinterpret_cast<const unsigned char*>(bytes.data());
        auto* into = reinterpret_cast<unsigned char*>(signature.data());
        if (EVP_DigestSignInit(context, nullptr, nullptr, nullptr, pair) != 1 ||
            EVP_DigestSign(context, into, &size, text, bytes.size()) != 1)
            std::abort();
        EVP_MD_CTX_free(context);
        return signature;
    }
};

void check(const Result<http::JwtClaims>& claims, Moment now) {
    if (!claims) {
        if (claims.error().message.empty()) std::abort();
        return;
    }
    if (claims->user.empty() || claims->user.size() > 256 || claims->expires_at <= now ||
        claims->groups.size() > 100 || claims->roles.size() > 100)
        std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Provider provider;
    const Moment now{std::chrono::seconds{1'000'000}};
    const std::string text(reinterpret_cast<const char*>(data), size);
    check(http::read_jwt(text, provider.keys, provider.policy, now), now);
    const std::size_t line = std::min(text.find('\n'), text.size());
    const std::string head = text.substr(0, line);
    const std::string claims = text.substr(std::min(line + 1, text.size()));
    std::string token = to_base64url(head) + '.' + to_base64url(claims);
    token += '.' + to_base64url(provider.sign(token));
    check(http::read_jwt(token, provider.keys, provider.policy, now), now);
    return 0;
}
