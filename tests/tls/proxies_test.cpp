#include "http/wire/proxies.h"

#include <gtest/gtest.h>

#include "http/router.h"

namespace holdfast::http {
namespace {

const Peer proxy_peer{.address = "10.0.0.7", .origin = Origin::proxy};

Proxies of_network_ten() { return *Proxies::parse({"10.0.0.0/8", "fd00::/8"}); }

Sender forwarded(const std::vector<std::pair<std::string, std::string>>& fields,
                 const Peer& peer = proxy_peer) {
    Headers headers;
    for (const auto& [name, value] : fields) headers.add(name, value);
    return of_network_ten().sender_of(peer, Scheme::http, headers);
}

TEST(Proxies, AreAddressesAndBlocks) {
    const auto some = Proxies::parse({"192.0.2.1", "10.1.0.0/16", "2001:db8::/33", "fd00::1"});
    ASSERT_TRUE(some);
    for (const char* inside :
         {"192.0.2.1", "10.1.255.255", "::ffff:10.1.2.3", "2001:db8:7fff::1", "fd00:0::0:1"})
        EXPECT_TRUE(some->include(inside)) << inside;
    for (const char* outside : {"192.0.2.2", "10.2.0.0", "2001:db8:8000::1", "fd00::2", "", "x"})
        EXPECT_FALSE(some->include(outside)) << outside;
    EXPECT_TRUE(Proxies::parse({"0.0.0.0/0"})->include("203.0.113.9"));
    EXPECT_FALSE(Proxies::parse({"0.0.0.0/0"})->include("2001:db8::1"));
    EXPECT_FALSE(Proxies::parse({})->include("10.0.0.1"));
}

TEST(Proxies, AnAddressThatIsNoneIsRefusedWithWhatToWrite) {
    for (const char* bad : {"", "proxy", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "/8",
                            "10.0.0.0/8/8", "fd00::/129", "10.0.0.1:80", "10.0.0.0/8 "}) {
        const auto refused = Proxies::parse({"10.0.0.1", bad});
        ASSERT_FALSE(refused) << bad;
        EXPECT_NE(refused.error().message.find("10.0.0.0/8"), std::string::npos);
    }
}

TEST(Proxies, TheClientIsTheLastOneThatIsNoProxyOfOurs) {
    EXPECT_EQ(forwarded({{"X-Forwarded-For", "203.0.113.9"}}).address, "203.0.113.9");
    EXPECT_EQ(forwarded({{"X-Forwarded-For", "198.51.100.1, 203.0.113.9, 10.9.9.9"}}).address,
              "203.0.113.9")
        << "what stands before is said by the client itself";
    EXPECT_EQ(forwarded({{"x-forwarded-for", "198.51.100.1"}, {"X-Forwarded-For", "203.0.113.9"}})
                  .address,
              "203.0.113.9")
        << "several fields are one list";
    EXPECT_EQ(forwarded({{"X-Forwarded-For", "203.0.113.9:4711"}}).address, "203.0.113.9");
    EXPECT_EQ(forwarded({{"X-Forwarded-For", "[2001:DB8::1]:4711"}}).address, "2001:db8::1");
    EXPECT_EQ(forwarded({{"X-Forwarded-For", "::ffff:203.0.113.9"}}).address, "203.0.113.9");
    EXPECT_EQ(forwarded({{"X-Forwarded-For", "10.1.1.1"}}).address, "10.1.1.1")
        << "a proxy that asks for itself";
}

TEST(Proxies, WhatIsNoAddressEndsTheList) {
    for (const char* bad :
         {"unknown", "", "203.0.113.9, unknown", "_hidden", "[::1", "::1]", "[", "1.2.3.4.5"})
        EXPECT_EQ(forwarded({{"X-Forwarded-For", bad}}).address, "10.0.0.7") << bad;
    EXPECT_EQ(forwarded({{"X-Forwarded-For", "203.0.113.9, nonsense, 10.1.1.1"}}).address,
              "10.1.1.1");
    EXPECT_EQ(forwarded({}).address, "10.0.0.7");
}

TEST(Proxies, WhoIsNoProxyIsNotBelieved) {
    const Peer stranger{.address = "203.0.113.50", .origin = Origin::network};
    const Sender sender =
        forwarded({{"X-Forwarded-For", "10.0.0.1"}, {"X-Forwarded-Proto", "https"}}, stranger);
    EXPECT_EQ(sender.address, "203.0.113.50");
    EXPECT_EQ(sender.scheme, Scheme::http);
}

TEST(Proxies, TheSchemeIsThatOfTheClient) {
    EXPECT_EQ(forwarded({{"X-Forwarded-Proto", "HTTPS"}}).scheme, Scheme::https);
    EXPECT_EQ(forwarded({{"X-Forwarded-Proto", "http"}}).scheme, Scheme::http);
    EXPECT_EQ(forwarded({{"X-Forwarded-Proto", "https, http"}}).scheme, Scheme::http)
        << "the first may be made up by the client";
    EXPECT_EQ(forwarded({{"X-Forwarded-Proto", "spdy"}}).scheme, Scheme::unknown);
    EXPECT_EQ(forwarded({}).scheme, Scheme::unknown);
}

// A page that came in the clear may be made by anybody on its way.
TEST(Proxies, ForHttpsAPageOfTheSameHostInTheClearIsAnotherSite) {
    const auto status = [](Scheme ours, const std::string& origin) {
        Request change{.method = Method::post};
        change.headers.add("Host", "holdfast.example");
        change.headers.add("Origin", origin);
        change.sender.scheme = ours;
        const auto refused = Gate::check_site(change);
        return refused ? refused->status : 0;
    };
    EXPECT_EQ(status(Scheme::https, "https://holdfast.example"), 0);
    EXPECT_EQ(status(Scheme::https, "http://holdfast.example"), 403);
    EXPECT_EQ(status(Scheme::http, "https://holdfast.example"), 403);
    for (const char* origin : {"http://holdfast.example", "https://holdfast.example"})
        EXPECT_EQ(status(Scheme::unknown, origin), 0) << origin;
    EXPECT_EQ(status(Scheme::unknown, "https://evil.example"), 403);
}

}  // namespace
}  // namespace holdfast::http
