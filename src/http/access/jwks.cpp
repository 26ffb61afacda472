#include "http/access/jwks.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/x509.h>

#include <boost/json.hpp>

#include "base/ids/byte_text.h"
#include "base/json/parse.h"

namespace holdfast::http {
namespace {

namespace bj = boost::json;

constexpr std::size_t largest_text = 256 * 1024;
constexpr std::size_t most_keys = 64;
constexpr int fewest_rsa_bits = 2048;
constexpr int most_rsa_bits = 8192;
constexpr std::size_t coordinate_size = 32;  // of P-256
constexpr std::size_t most_id_bytes = 256;

using PublicKey = std::shared_ptr<evp_pkey_st>;

template <auto free>
struct Freed {
    template <class T>
    void operator()(T* thing) const {
        free(thing);
    }
};
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using ParamList = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using Signature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;

const unsigned char* bytes_of(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

std::unexpected<Error> refuse_key(const std::string& why) {
    return fail(ErrorCode::invalid_argument, "the key set has a key that " + why);
}

PublicKey owned(EVP_PKEY* key) {
    return {key, [](EVP_PKEY* one) { EVP_PKEY_free(one); }};
}

// The decoded member of a key; empty: it is missing or not base64url.
std::string bytes_in(const bj::object& key, std::string_view name) {
    const bj::value* member = key.if_contains(name);
    if (!member || !member->is_string()) return {};
    return from_base64url(member->get_string()).value_or("");
}

std::string text_in(const bj::object& key, std::string_view name) {
    const bj::value* member = key.if_contains(name);
    return member && member->is_string() ? std::string(member->get_string()) : std::string();
}

// Null: the parameters are no key of that type.
PublicKey build(const char* type, OSSL_PARAM_BLD* builder) {
    const ParamList parameters(OSSL_PARAM_BLD_to_param(builder));
    const KeyContext context(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
    EVP_PKEY* made = nullptr;
    if (!parameters || !context || EVP_PKEY_fromdata_init(context.get()) != 1 ||
        EVP_PKEY_fromdata(context.get(), &made, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1)
        return nullptr;
    PublicKey key = owned(made);
    const KeyContext check(EVP_PKEY_CTX_new(key.get(), nullptr));
    return check && EVP_PKEY_public_check(check.get()) == 1 ? key : nullptr;
}

Result<PublicKey> rsa_key(const bj::object& jwk) {
    const std::string modulus = bytes_in(jwk, "n");
    const std::string exponent = bytes_in(jwk, "e");
    if (modulus.empty() || exponent.empty()) return refuse_key("lacks 'n' or 'e'");
    if (modulus.size() > most_rsa_bits / 8 || exponent.size() > 8)
        return refuse_key("is too long: RSA keys have at most 8192 bits");
    const Number n(BN_bin2bn(bytes_of(modulus), static_cast<int>(modulus.size()), nullptr));
    const Number e(BN_bin2bn(bytes_of(exponent), static_cast<int>(exponent.size()), nullptr));
    if (BN_num_bits(n.get()) < fewest_rsa_bits)
        return refuse_key("is too short: RSA keys have at least 2048 bits");
    if (!BN_is_odd(e.get()) || BN_is_one(e.get())) return refuse_key("has a weak exponent 'e'");
    const Builder builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get());
    PublicKey key = build("RSA", builder.get());
    if (!key) return refuse_key("is no RSA key");
    return key;
}

Result<PublicKey> p256_key(const bj::object& jwk) {
    const std::string x = bytes_in(jwk, "x");
    const std::string y = bytes_in(jwk, "y");
    if (x.size() != coordinate_size || y.size() != coordinate_size)
        return refuse_key("has no 'x' and 'y' of 32 bytes");
    const std::string point = "\x04" + x + y;
    const Builder builder(OSSL_PARAM_BLD_new());
    OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0);
    OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                     point.size());
    PublicKey key = build("EC", builder.get());
    if (!key) return refuse_key("is no point of P-256");
    return key;
}

Result<PublicKey> ed25519_key(const bj::object& jwk) {
    const std::string x = bytes_in(jwk, "x");
    if (x.size() != coordinate_size) return refuse_key("has no 'x' of 32 bytes");
    EVP_PKEY* made = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, bytes_of(x), x.size());
    if (!made) return refuse_key("is no Ed25519 key");
    return owned(made);
}

struct KeyType {
    std::string_view type;
    std::string_view curve;
    std::string_view algorithm;
    JwtAlgorithm meaning;
    Result<PublicKey> (*read)(const bj::object&);
};
constexpr KeyType key_types[] = {{"RSA", "", "RS256", JwtAlgorithm::rs256, rsa_key},
                                 {"EC", "P-256", "ES256", JwtAlgorithm::es256, p256_key},
                                 {"OKP", "Ed25519", "EdDSA", JwtAlgorithm::eddsa, ed25519_key}};

// Null: a key that is not for these tokens.
const KeyType* type_of(const bj::object& jwk) {
    const std::string use = text_in(jwk, "use");
    if (!use.empty() && use != "sig") return nullptr;
    const std::string algorithm = text_in(jwk, "alg");
    for (const KeyType& type : key_types)
        if (text_in(jwk, "kty") == type.type && text_in(jwk, "crv") == type.curve)
            return algorithm.empty() || algorithm == type.algorithm ? &type : nullptr;
    return nullptr;
}

Result<void> add_key(const bj::object& jwk, std::vector<VerifyingKey>& keys) {
    const KeyType* type = type_of(jwk);
    if (!type) return {};
    VerifyingKey added{.id = text_in(jwk, "kid"), .algorithm = type->meaning, .key = {}};
    if (added.id.size() > most_id_bytes) return refuse_key("has a 'kid' of more than 256 bytes");
    for (const VerifyingKey& known : keys)
        if (known.id == added.id && known.algorithm == added.algorithm)
            return refuse_key("has the same 'kid' and type as another one");
    HF_TRY(added.key, type->read(jwk));
    keys.push_back(std::move(added));
    return {};
}

// The two numbers of a signature as OpenSSL takes them; empty: they are not of that form.
std::string der_of(std::string_view signature) {
    if (signature.size() != 2 * coordinate_size) return {};
    const Signature numbers(ECDSA_SIG_new());
    const int half = static_cast<int>(coordinate_size);
    Number r(BN_bin2bn(bytes_of(signature), half, nullptr));
    Number s(BN_bin2bn(bytes_of(signature) + half, half, nullptr));
    ECDSA_SIG_set0(numbers.get(), r.release(), s.release());
    unsigned char* bytes = nullptr;
    const int size = i2d_ECDSA_SIG(numbers.get(), &bytes);
    std::string der;
    if (size > 0) der.assign(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    OPENSSL_free(bytes);
    return der;
}

}  // namespace

bool VerifyingKey::verifies(std::string_view bytes, std::string_view signature) const {
    const std::string der = algorithm == JwtAlgorithm::es256 ? der_of(signature) : std::string();
    const std::string_view signed_by = algorithm == JwtAlgorithm::es256 ? der : signature;
    if (signed_by.empty()) return false;
    const DigestContext context(EVP_MD_CTX_new());
    const EVP_MD* digest = algorithm == JwtAlgorithm::eddsa ? nullptr : EVP_sha256();
    return context &&
           EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, key.get()) == 1 &&
           EVP_DigestVerify(context.get(), bytes_of(signed_by), signed_by.size(), bytes_of(bytes),
                            bytes.size()) == 1;
}

Result<std::vector<VerifyingKey>> read_jwks(std::string_view text) {
    if (text.size() > largest_text)
        return fail(ErrorCode::invalid_argument, "the key set has more than 256 KiB");
    HF_TRY(const auto value, json::parse(text, {.depth = 8, .nodes = 10'000}));
    const bj::object* set = value.if_object();
    const bj::value* list = set ? set->if_contains("keys") : nullptr;
    if (!list || !list->is_array())
        return fail(ErrorCode::invalid_argument, "a key set is {\"keys\": [...]}");
    if (list->get_array().size() > most_keys)
        return fail(ErrorCode::invalid_argument, "the key set has more than 64 keys");
    std::vector<VerifyingKey> keys;
    for (const bj::value& one : list->get_array()) {
        if (!one.is_object()) return refuse_key("is no object");
        HF_CHECK(add_key(one.get_object(), keys));
    }
    if (keys.empty())
        return fail(ErrorCode::invalid_argument,
                    "the key set has no key for RS256, ES256 (P-256) or EdDSA (Ed25519)");
    return keys;
}

}  // namespace holdfast::http
