// Where webhooks may post to, and how they are signed.
#include "http/webhooks/webhook_rules.h"

#include <gtest/gtest.h>
#include <netdb.h>

namespace holdfast::testing {
namespace {

bool may_post_to(const std::string& address) {
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST;
    addrinfo* found = nullptr;
    if (::getaddrinfo(address.c_str(), nullptr, &hints, &found) != 0)
        throw std::runtime_error(address + " is no address");
    const bool is = http::is_public(*found->ai_addr);
    ::freeaddrinfo(found);
    return is;
}

http::WebhookUrl url_of(const std::string& text) {
    auto url = http::parse_webhook_url(text);
    if (!url) throw std::runtime_error(text + ": " + url.error().message);
    return *std::move(url);
}

TEST(WebhookRules, AnAddressOfTheInternetIsPublic) {
    for (const char* address :
         {"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255",
          "172.32.0.0", "192.167.255.255", "223.255.255.255", "2606:4700::1111", "2a00:1450::1",
          "::ffff:1.1.1.1", "64:ff9b::1.1.1.1", "2002:101:101::1"})
        EXPECT_TRUE(may_post_to(address)) << address;
}

TEST(WebhookRules, AnAddressOfThisMachineOrOfAPrivateNetworkIsNot) {
    for (const char* address : {"0.0.0.0",
                                "10.1.2.3",
                                "100.64.0.1",
                                "127.0.0.1",
                                "127.255.255.255",
                                "169.254.169.254",
                                "172.16.0.1",
                                "172.31.255.255",
                                "192.0.2.1",
                                "192.168.1.1",
                                "198.18.0.1",
                                "203.0.113.1",
                                "224.0.0.1",
                                "255.255.255.255",
                                "::",
                                "::1",
                                "::127.0.0.1",
                                "::ffff:127.0.0.1",
                                "::ffff:10.0.0.1",
                                "64:ff9b::10.0.0.1",
                                "64:ff9b:1::1",
                                "2002:7f00:1::1",
                                "2002:a00:1::1",
                                "2001::1",
                                "2001:2::1",
                                "2001:db8::1",
                                "3fff::1",
                                "fc00::1",
                                "fd12::1",
                                "fe80::1",
                                "fec0::1",
                                "ff02::1",
                                "100::1",
                                "5f00::1"})
        EXPECT_FALSE(may_post_to(address)) << address;
}

TEST(WebhookRules, ANumberIsResolvedAndThenChecked) {
    const http::WebhookRules rules{.hosts = {"2130706433", "0x7f.1", "localhost"}, .secret = "s"};
    for (const char* text : {"http://2130706433/", "http://0x7f.1/", "http://localhost/"}) {
        const auto address = http::address_for(rules, url_of(text));
        ASSERT_FALSE(address) << text << " is " << *address;
        EXPECT_TRUE(address.error().message.contains("--webhook-allow-private"));
    }
}

TEST(WebhookRules, AHostIsAllowedByItsNameOrByItsDomain) {
    const http::WebhookRules rules{.hosts = {"hooks.test", "*.example.org"}, .secret = "s"};
    for (const char* text : {"http://hooks.test/", "http://HOOKS.test:8080/x?y",
                             "http://a.example.org", "http://a.b.example.org/"})
        EXPECT_TRUE(http::check_webhook(rules, url_of(text))) << text;
    for (const char* text :
         {"http://example.org/", "http://hooks.test.evil.org/", "http://badexample.org/",
          "http://a.hooks.test/", "http://hooks.test./"})
        EXPECT_FALSE(http::check_webhook(rules, url_of(text))) << text;
    const http::WebhookRules none{.hosts = {"hooks.test"}};
    EXPECT_FALSE(http::check_webhook(none, url_of("http://hooks.test/"))) << "without a secret";
}

TEST(WebhookRules, AUrlIsTakenApart) {
    const auto url = url_of("HTTP://Example.org:8080/a/b?c=d");
    EXPECT_EQ(url.host, "example.org");
    EXPECT_EQ(url.port, "8080");
    EXPECT_EQ(url.target, "/a/b?c=d");
    EXPECT_EQ(url.host_header(), "example.org:8080");
    EXPECT_EQ(url_of("http://example.org?x").target, "/?x");
    EXPECT_EQ(url_of("http://[::1]:81/").host, "::1");
    EXPECT_EQ(url_of("http://[::1]:81/").host_header(), "[::1]:81");
    EXPECT_EQ(url_of("http://[fd00::1]").port, "80");
}

TEST(WebhookRules, AUrlThatSaysSomethingElseIsRefused) {
    for (const std::string text : {"",
                                   "http://",
                                   "http:///x",
                                   "https://example.org/",
                                   "HTTPS://example.org/",
                                   "ftp://example.org/",
                                   "example.org",
                                   "http://u@example.org/",
                                   "http://u:p@example.org/",
                                   "http://example.org#x",
                                   "http://example.org\\@evil.org/",
                                   "http://example.org:0/",
                                   "http://example.org:65536/",
                                   "http://example.org:/",
                                   "http://example.org:8o/",
                                   "http://ex ample.org/",
                                   "http://example.org/\r\nX: y",
                                   "http://ex_ample.org/",
                                   "http://[::1",
                                   "http://[::1]x/"})
        EXPECT_FALSE(http::parse_webhook_url(text)) << text;
    EXPECT_FALSE(http::parse_webhook_url("http://example.org/" + std::string(2'000, 'x')));
}

TEST(WebhookRules, APatternIsAHostWithoutSchemeAndPort) {
    for (const char* pattern : {"example.org", "*.example.org", "10.0.0.1", "fd00::1"})
        EXPECT_TRUE(http::check_host_pattern(pattern)) << pattern;
    for (const char* pattern :
         {"", "*", "*.", "*.*.org", "http://example.org", "example.org:80", "Example.org"})
        EXPECT_FALSE(http::check_host_pattern(pattern)) << pattern;
}

// RFC 4231, test cases 2 and 6.
TEST(WebhookRules, ASignatureIsHmacSha256) {
    EXPECT_EQ(http::hmac_sha256("Jefe", "what do ya want for nothing?"),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(http::hmac_sha256(std::string(131, '\xaa'),
                                "Test Using Larger Than Block-Size Key - Hash Key First"),
              "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    EXPECT_EQ(http::signature_of("Jefe", 17, "body"),
              "t=17,v1=" + http::hmac_sha256("Jefe", "17.body"));
}

TEST(WebhookRules, EachWebhookHasItsOwnKey) {
    const http::WebhookRules rules{.secret = "0123456789abcdef"};
    const http::WebhookRules other{.secret = "0123456789abcdeg"};
    const InstanceId first = *parse_id<InstanceId>("01890a5d-ac96-774b-bcce-b302099a8057");
    const InstanceId second = *parse_id<InstanceId>("01890a5d-ac96-774b-bcce-b302099a8058");
    EXPECT_EQ(http::webhook_key(rules, first), http::webhook_key(rules, first));
    EXPECT_NE(http::webhook_key(rules, first), http::webhook_key(rules, second));
    EXPECT_NE(http::webhook_key(rules, first), http::webhook_key(other, first));
}

}  // namespace
}  // namespace holdfast::testing
