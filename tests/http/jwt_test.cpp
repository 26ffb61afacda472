// Sign-in tokens: which are accepted and whose they are, and how they are forged.
#include <gtest/gtest.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "base/ids/byte_text.h"
#include "http/access/token_issuer.h"
#include "support/api_server.h"
#include "support/eventually.h"
#include "support/manual_clock.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using http::JwtAlgorithm;

const unsigned char* bytes_of(const std::string& text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

// A key pair of an identity provider.
class KeyPair {
public:
    explicit KeyPair(JwtAlgorithm algorithm, unsigned rsa_bits = 2048) : algorithm_(algorithm) {
        EVP_PKEY* made = nullptr;
        if (algorithm == JwtAlgorithm::rs256)
            made = EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", std::size_t{rsa_bits});
        else if (algorithm == JwtAlgorithm::es256)
            made = EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256");
        else
            made = EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519");
        pair_.reset(made, [](EVP_PKEY* key) { EVP_PKEY_free(key); });
    }

    std::string name() const {
        return algorithm_ == JwtAlgorithm::rs256   ? "RS256"
               : algorithm_ == JwtAlgorithm::es256 ? "ES256"
                                                   : "EdDSA";
    }
    bj::object jwk(const std::string& id) const {
        bj::object key{{"kid", id}, {"use", "sig"}, {"alg", name()}};
        if (algorithm_ == JwtAlgorithm::rs256) {
            key["kty"] = "RSA";
            key["n"] = number(OSSL_PKEY_PARAM_RSA_N, 0);
            key["e"] = number(OSSL_PKEY_PARAM_RSA_E, 0);
        } else if (algorithm_ == JwtAlgorithm::es256) {
            key["kty"] = "EC";
            key["crv"] = "P-256";
            key["x"] = number(OSSL_PKEY_PARAM_EC_PUB_X, 32);
            key["y"] = number(OSSL_PKEY_PARAM_EC_PUB_Y, 32);
        } else {
            key["kty"] = "OKP";
            key["crv"] = "Ed25519";
            std::string x(32, '\0');
            std::size_t size = x.size();
            EVP_PKEY_get_raw_public_key(pair_.get(), reinterpret_cast<unsigned char*>(x.data()),
                                        &size);
            key["x"] = to_base64url(x);
        }
        return key;
    }
    std::string sign(const std::string& text) const {
        EVP_MD_CTX* context = EVP_MD_CTX_new();
        const EVP_MD* digest = algorithm_ == JwtAlgorithm::eddsa ? nullptr : EVP_sha256();
        EVP_DigestSignInit(context, nullptr, digest, nullptr, pair_.get());
        std::size_t size = 0;
        EVP_DigestSign(context, nullptr, &size, bytes_of(text), text.size());
        std::string signature(size, '\0');
        EVP_DigestSign(context, reinterpret_cast<unsigned char*>(signature.data()), &size,
                       bytes_of(text), text.size());
        EVP_MD_CTX_free(context);
        signature.resize(size);
        return algorithm_ == JwtAlgorithm::es256 ? two_numbers(signature) : signature;
    }

private:
    // In base64url, with leading zeros up to `size`.
    std::string number(const char* name, int size) const {
        BIGNUM* value = nullptr;
        EVP_PKEY_get_bn_param(pair_.get(), name, &value);
        std::string bytes(static_cast<std::size_t>(std::max(size, BN_num_bytes(value))), '\0');
        BN_bn2binpad(value, reinterpret_cast<unsigned char*>(bytes.data()),
                     static_cast<int>(bytes.size()));
        BN_free(value);
        return to_base64url(bytes);
    }
    static std::string two_numbers(const std::string& der) {
        const unsigned char* at = bytes_of(der);
        ECDSA_SIG* numbers = d2i_ECDSA_SIG(nullptr, &at, static_cast<long>(der.size()));
        std::string both(64, '\0');
        auto* into = reinterpret_cast<unsigned char*>(both.data());
        BN_bn2binpad(ECDSA_SIG_get0_r(numbers), into, 32);
        BN_bn2binpad(ECDSA_SIG_get0_s(numbers), into + 32, 32);
        ECDSA_SIG_free(numbers);
        return both;
    }

    JwtAlgorithm algorithm_;
    std::shared_ptr<EVP_PKEY> pair_;
};

std::string jwks_of(const bj::array& keys) { return bj::serialize(bj::object{{"keys", keys}}); }

std::string token_of(const bj::object& head, const bj::object& claims, const KeyPair& pair) {
    const std::string text =
        to_base64url(bj::serialize(head)) + '.' + to_base64url(bj::serialize(claims));
    return text + '.' + to_base64url(pair.sign(text));
}

class Jwt : public ::testing::Test {
protected:
    static std::int64_t seconds(int later) {
        return std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count() +
               later;
    }
    static bj::object claims() {
        return {{"iss", "https://id.example"}, {"aud", "holdfast"}, {"sub", "ada"},
                {"exp", seconds(600)},         {"groups", {"it"}},  {"roles", {"viewer"}}};
    }
    static bj::object with(const char* name, const bj::value& value) {
        bj::object changed = claims();
        changed[name] = value;
        return changed;
    }
    static bj::object without(const char* name) {
        bj::object changed = claims();
        changed.erase(name);
        return changed;
    }
    static bj::object head_of(const KeyPair& pair, const std::string& id = "k") {
        return {{"alg", pair.name()}, {"kid", id}, {"typ", "JWT"}};
    }
    // The reason of a refusal; empty: accepted.
    std::string refusal(const std::string& token, const bj::array& keys) const {
        const auto set = http::read_jwks(jwks_of(keys));
        EXPECT_TRUE(set) << set.error().message;
        const auto read = http::read_jwt(token, *set, policy, now);
        return read ? "" : read.error().message;
    }
    std::string refusal_of(const bj::object& changed) const {
        return refusal(token_of(head_of(pair), changed, pair), {pair.jwk("k")});
    }

    static constexpr Moment now{std::chrono::seconds{1'800'000'000}};
    const KeyPair pair{JwtAlgorithm::eddsa};
    const http::JwtPolicy policy{.issuer = "https://id.example", .audience = "holdfast"};
};

TEST_F(Jwt, ATokenOfEachAlgorithmIsAccepted) {
    for (const JwtAlgorithm algorithm :
         {JwtAlgorithm::rs256, JwtAlgorithm::es256, JwtAlgorithm::eddsa}) {
        const KeyPair signer(algorithm);
        const KeyPair other(algorithm);
        const bj::array keys{signer.jwk("k"), other.jwk("o")};
        const std::string token = token_of(head_of(signer), claims(), signer);
        EXPECT_EQ(refusal(token, keys), "") << signer.name();
        EXPECT_NE(refusal(token_of(head_of(signer), claims(), other), keys), "") << signer.name();
        EXPECT_NE(refusal(token_of(head_of(signer, "o"), claims(), signer), keys), "");
        EXPECT_NE(refusal(token_of(head_of(signer, "x"), claims(), signer), keys), "");
        std::string changed = token;
        const std::size_t at = changed.find('.') + 5;
        changed[at] = changed[at] == 'A' ? 'B' : 'A';
        EXPECT_NE(refusal(changed, keys), "") << "a changed claim";
        EXPECT_NE(refusal(token.substr(0, token.size() - 4), keys), "") << "a cut signature";
    }
}

TEST_F(Jwt, TheClaimsSayWhoItIs) {
    const auto set = http::read_jwks(jwks_of({pair.jwk("k")}));
    const auto read = http::read_jwt(token_of(head_of(pair), claims(), pair), *set, policy, now);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->user, "ada");
    EXPECT_EQ(read->groups, std::vector<std::string>{"it"});
    EXPECT_EQ(read->roles, std::vector<std::string>{"viewer"});
    const http::JwtPolicy mapped{.issuer = policy.issuer,
                                 .audience = policy.audience,
                                 .user_claim = "email",
                                 .groups_claim = "teams",
                                 .roles_claim = "access"};
    bj::object others = claims();
    others["email"] = "ada@example";
    others["teams"] = "finance";
    others["access"] = bj::array{"operator"};
    const auto other = http::read_jwt(token_of(head_of(pair), others, pair), *set, mapped, now);
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_EQ(other->user, "ada@example");
    EXPECT_EQ(other->groups, std::vector<std::string>{"finance"});
    EXPECT_EQ(other->roles, std::vector<std::string>{"operator"});
}

TEST_F(Jwt, ItsTimesHoldWithinTheSkew) {
    EXPECT_EQ(refusal_of(with("exp", seconds(-59))), "");
    EXPECT_NE(refusal_of(with("exp", seconds(-60))), "");
    EXPECT_EQ(refusal_of(with("nbf", seconds(60))), "");
    EXPECT_NE(refusal_of(with("nbf", seconds(61))), "");
    EXPECT_NE(refusal_of(with("iat", seconds(61))), "");
    EXPECT_EQ(refusal_of(with("exp", static_cast<double>(seconds(1)) + 0.5)), "");
    for (const bj::value& wrong : {bj::value("tomorrow"), bj::value(nullptr), bj::value(-1),
                                   bj::value(1e300), bj::value(true)})
        EXPECT_NE(refusal_of(with("exp", wrong)), "") << wrong;
    EXPECT_NE(refusal_of(without("exp")), "");
}

TEST_F(Jwt, ItIsForThisServerByItsIssuer) {
    EXPECT_NE(refusal_of(with("iss", "https://id.example/")), "");
    EXPECT_NE(refusal_of(with("iss", bj::array{"https://id.example"})), "");
    EXPECT_NE(refusal_of(without("iss")), "");
    EXPECT_EQ(refusal_of(with("aud", bj::array{"other", "holdfast"})), "");
    EXPECT_NE(refusal_of(with("aud", "other")), "");
    EXPECT_NE(refusal_of(with("aud", "holdfast2")), "");
    EXPECT_NE(refusal_of(without("aud")), "");
}

TEST_F(Jwt, ItNamesItsUser) {
    for (const bj::value& wrong : {bj::value(""), bj::value(7), bj::value("a\nb"),
                                   bj::value(std::string(257, 'a')), bj::value(nullptr)})
        EXPECT_NE(refusal_of(with("sub", wrong)), "") << wrong;
    EXPECT_NE(refusal_of(without("sub")), "");
    EXPECT_NE(refusal_of(with("roles", bj::array{1})), "");
    EXPECT_NE(refusal_of(with("groups", bj::object{})), "");
    EXPECT_EQ(refusal_of(without("roles")), "") << "it may do nothing";
}

TEST_F(Jwt, TheKeyDecidesTheAlgorithmNeverTheToken) {
    const KeyPair rsa(JwtAlgorithm::rs256);
    const bj::object jwk = rsa.jwk("k");
    const bj::array keys{jwk};
    for (const char* name : {"none", "None", "NONE", "", "HS256", "HS512", "RS384", "PS256",
                             "ES256", "EdDSA", "rs256"})
        EXPECT_NE(refusal(token_of({{"alg", name}, {"kid", "k"}}, claims(), rsa), keys), "")
            << name;
    // Signed with the public key as if it were a shared secret.
    const std::string text =
        to_base64url(R"({"alg":"HS256","kid":"k"})") + '.' + to_base64url(bj::serialize(claims()));
    const std::string secret = bj::serialize(jwk);
    std::string mac(32, '\0');
    unsigned size = 32;
    HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes_of(text), text.size(),
         reinterpret_cast<unsigned char*>(mac.data()), &size);
    EXPECT_NE(refusal(text + '.' + to_base64url(mac), keys), "");
    EXPECT_NE(refusal(text + '.', keys), "") << "unsigned";
    // A key in the token is not looked at.
    const KeyPair own(JwtAlgorithm::rs256);
    EXPECT_NE(refusal(token_of({{"alg", "RS256"}, {"jwk", own.jwk("k")}}, claims(), own), keys),
              "");
    EXPECT_NE(
        refusal(token_of({{"alg", "RS256"}, {"kid", "k"}, {"crit", {"x"}}}, claims(), rsa), keys),
        "");
}

TEST_F(Jwt, WithoutAKidThereMustBeOneKeyOfItsKind) {
    const KeyPair other(JwtAlgorithm::eddsa);
    const std::string token = token_of({{"alg", "EdDSA"}}, claims(), pair);
    EXPECT_EQ(refusal(token, {pair.jwk("k")}), "");
    EXPECT_NE(refusal(token, {pair.jwk("k"), other.jwk("o")}), "");
    EXPECT_NE(refusal(token_of({{"alg", "EdDSA"}, {"kid", 7}}, claims(), pair), {pair.jwk("k")}),
              "");
    EXPECT_NE(refusal(token_of(head_of(pair, "../../etc/passwd"), claims(), pair), {pair.jwk("k")}),
              "");
}

TEST_F(Jwt, WhatIsNoTokenIsRefused) {
    const bj::array keys{pair.jwk("k")};
    for (const std::string& text :
         {std::string(), std::string("."), std::string(".."), std::string("a.b"),
          std::string("a.b.c.d"), std::string("e30.e30."), std::string("e30.e30.e30"),
          std::string("=.=.="), "W10." + to_base64url(bj::serialize(claims())) + ".x"})
        EXPECT_NE(refusal(text, keys), "") << text;
    bj::object large = claims();
    large["more"] = std::string(http::longest_jwt, 'x');
    EXPECT_NE(refusal(token_of(head_of(pair), large, pair), keys), "") << "over-long";
    const std::string twice = to_base64url(R"({"alg":"EdDSA","alg":"none"})") + '.' +
                              to_base64url(bj::serialize(claims()));
    EXPECT_NE(refusal(twice + '.' + to_base64url(pair.sign(twice)), keys), "");
}

TEST(Jwks, ABrokenSetIsRefusedWithItsReason) {
    const KeyPair rsa(JwtAlgorithm::rs256);
    const KeyPair shorter(JwtAlgorithm::rs256, 1024);
    const KeyPair curve(JwtAlgorithm::es256);
    bj::object off = curve.jwk("k");
    off["x"] = off["y"];
    bj::object even = rsa.jwk("k");
    even["e"] = "Ag";
    bj::object cut = KeyPair(JwtAlgorithm::eddsa).jwk("k");
    cut["x"] = "AAAA";
    bj::object missing = rsa.jwk("k");
    missing.erase("n");
    bj::object encrypting = rsa.jwk("k");
    encrypting["use"] = "enc";
    bj::object secret{{"kty", "oct"}, {"kid", "k"}, {"k", "c2VjcmV0"}};
    const std::pair<std::string, const char*> wrong[] = {
        {"", ""},
        {"[]", "keys"},
        {"{}", "keys"},
        {R"({"keys": []})", "no key"},
        {R"({"keys": [7]})", "no object"},
        {jwks_of({secret}), "no key"},
        {jwks_of({encrypting}), "no key"},
        {jwks_of({shorter.jwk("k")}), "2048"},
        {jwks_of({off}), "P-256"},
        {jwks_of({even}), "exponent"},
        {jwks_of({cut}), "32 bytes"},
        {jwks_of({missing}), "'n'"},
        {jwks_of({rsa.jwk("k"), rsa.jwk("k")}), "same 'kid'"}};
    for (const auto& [text, says] : wrong) {
        const auto keys = http::read_jwks(text);
        ASSERT_FALSE(keys) << text;
        EXPECT_NE(keys.error().message.find(says), std::string::npos) << keys.error().message;
    }
}

class TokenApi : public ::testing::Test {
protected:
    TokenApi() {
        std::string folder = std::filesystem::temp_directory_path() / "holdfast-jwks-XXXXXX";
        folder_ = ::mkdtemp(folder.data());
        write(jwks_of({pair_.jwk("k")}));
    }
    ~TokenApi() override { std::filesystem::remove_all(folder_); }

    // By a rename, as a careful writer does.
    void write(const std::string& text) const {
        std::ofstream(folder_ / "new") << text;
        std::filesystem::rename(folder_ / "new", file());
    }
    std::filesystem::path file() const { return folder_ / "jwks.json"; }
    ApiOptions options() const {
        return {.issuer = http::IssuerOptions{
                    .jwks_file = file(),
                    .policy = {.issuer = "https://id.example", .audience = "holdfast"},
                    .look_every = std::chrono::milliseconds{0}}};
    }
    static std::string token(const KeyPair& pair, const std::string& user,
                             const std::string& role) {
        const auto now = std::chrono::duration_cast<std::chrono::seconds>(
            SystemClock().now().time_since_epoch());
        return token_of({{"alg", pair.name()}, {"kid", "k"}},
                        {{"iss", "https://id.example"},
                         {"aud", "holdfast"},
                         {"sub", user},
                         {"exp", now.count() + 600},
                         {"groups", {"it"}},
                         {"roles", {role, "of-another-program"}}},
                        pair);
    }
    static Fields bearing(const std::string& token) {
        return {{"Authorization", "Bearer " + token}};
    }

    std::filesystem::path folder_;
    const KeyPair pair_{JwtAlgorithm::eddsa};
};

TEST_F(TokenApi, ATokenIsACredentialWithTheRolesThatItNames) {
    ApiServer server("memory", options());
    EXPECT_EQ(server.call(Method::get, "/version").status, 401);
    const Fields ada = bearing(token(pair_, "ada", "operator"));
    const Reply me = server.call(Method::get, "/api/v1/me", {}, ada);
    ASSERT_EQ(me.status, 200) << me;
    EXPECT_EQ(me.text_at("/user"), "ada");
    EXPECT_EQ(me.at("/groups"), (bj::array{"it"}));
    EXPECT_EQ(me.at("/roles"), (bj::array{"operator"}));
    server.call(Method::put, "/api/v1/definitions/order", "{}", ada);
    const Reply started = server.call(Method::post, workflows, R"({"definition": "order"})", ada);
    EXPECT_EQ(started.text_at("/startedBy"), "ada") << started;
    const Fields bob = bearing(token(pair_, "bob", "viewer"));
    EXPECT_EQ(server.call(Method::post, workflows, R"({"definition": "order"})", bob).status, 403);
    EXPECT_EQ(server.call(Method::get, workflows, {}, bearing(token(pair_, "eve", "none"))).status,
              403);
    EXPECT_EQ(server.call(Method::get, "/version", {}, bearing("e30.e30.e30")).status, 401);
}

// Also when it was accepted a moment before, and is not verified again.
TEST_F(TokenApi, AnAcceptedTokenIsRefusedOnceItHasExpiredAndOneLikeItAlways) {
    ManualClock clock;
    const auto issuer = *http::TokenIssuer::open(*options().issuer, clock);
    const auto seconds = std::chrono::floor<std::chrono::seconds>(clock.now()).time_since_epoch();
    const std::string token = token_of({{"alg", pair_.name()}, {"kid", "k"}},
                                       {{"iss", "https://id.example"},
                                        {"aud", "holdfast"},
                                        {"sub", "ada"},
                                        {"exp", seconds.count() + 100}},
                                       pair_);
    for (int i = 0; i < 2; ++i) {
        const auto found = issuer->identify(token);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->caller.user, "ada");
    }
    const std::string forged = token.substr(0, token.rfind('.') + 1) + to_base64url("forged");
    EXPECT_FALSE(issuer->identify(forged));
    EXPECT_FALSE(issuer->identify(token + "="));
    clock.pass(std::chrono::seconds(159));
    EXPECT_TRUE(issuer->identify(token)) << "within the skew";
    clock.pass(std::chrono::seconds(1));
    EXPECT_FALSE(issuer->identify(token));
}

TEST_F(TokenApi, ANewKeySetCountsFromTheNextTokenOnAndABrokenOneDoesNot) {
    ApiServer server("memory", options());
    const KeyPair next(JwtAlgorithm::es256);
    const Fields old = bearing(token(pair_, "ada", "viewer"));
    const Fields fresh = bearing(token(next, "ada", "viewer"));
    EXPECT_EQ(server.call(Method::get, "/version", {}, old).status, 200);
    EXPECT_EQ(server.call(Method::get, "/version", {}, fresh).status, 401);
    write(jwks_of({next.jwk("k")}));
    EXPECT_EQ(server.call(Method::get, "/version", {}, fresh).status, 200);
    EXPECT_EQ(server.call(Method::get, "/version", {}, old).status, 401) << "its key is gone";
    write("{");
    EXPECT_EQ(server.call(Method::get, "/version", {}, fresh).status, 200) << "the one before";
    std::filesystem::remove(file());
    EXPECT_EQ(server.call(Method::get, "/version", {}, fresh).status, 200);
}

}  // namespace
}  // namespace holdfast::testing
