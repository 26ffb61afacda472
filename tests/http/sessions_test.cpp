// How long sessions of browsers live, what they are bound to, and how guessing is slowed.
#include "http/access/sessions.h"

#include <gtest/gtest.h>

#include "store/store_url.h"
#include "support/eventually.h"
#include "support/forwarding_store.h"
#include "support/manual_clock.h"
#include "support/world.h"

namespace holdfast::http {
namespace {

using namespace std::chrono_literals;
using testing::eventually;
using testing::ManualClock;

constexpr const char* token = "0123456789abcdef0123456789abcdef";
constexpr const char* here = "192.0.2.1";

Request with_cookie(const std::string& session) {
    Request request;
    request.headers.add("Host", "localhost");
    request.headers.add("Cookie", "holdfast=" + session);
    return request;
}

// A node with sessions of one hour and, in all, of three.
struct SessionNode {
    explicit SessionNode(Store& where, const Clock& clock, std::optional<std::string> with = token)
        : ring(where, clock, workers, {}, {.idle = 60min, .length = 180min}),
          credentials({.is_local = false, .token = std::move(with), .keys = &ring}),
          sessions(where, ring, credentials) {
        EXPECT_TRUE(ring.refresh());
    }
    ~SessionNode() { workers.shutdown(); }

    std::string sign_in() {
        auto begun = sessions.sign_in(token, here);
        EXPECT_TRUE(begun.has_value());
        return begun ? begun->text : "";
    }
    bool admits(const std::string& session) {
        return credentials.identify(with_cookie(session)).has_value();
    }

    WorkerPool workers{"read", 1, 16};
    KeyRing ring;
    Credentials credentials;
    Sessions sessions;
};

class SessionLife : public ::testing::Test {
protected:
    Moment end_of_session() {
        return *store->ask(KeyQuery{.kind = KeyKind::session})->front().expires_at;
    }

    ManualClock clock;
    std::unique_ptr<Store> store = *open_store("memory:", {.clock = &clock});
    SessionNode node{*store, clock};
};

TEST_F(SessionLife, ABrowserThatSendsNothingIsSignedOutAfterAWhile) {
    const std::string session = node.sign_in();
    clock.pass(59min);
    EXPECT_TRUE(node.admits(session));
    clock.pass(60min);
    EXPECT_FALSE(node.admits(session));
}

TEST_F(SessionLife, RequestsKeepItUntilItIsTooOld) {
    const std::string session = node.sign_in();
    const Moment begun = clock.now();
    for (int i = 1; i <= 4; ++i) {
        clock.pass(40min);
        ASSERT_TRUE(node.admits(session)) << i;
        const Moment until = std::min(clock.now() + 60min, begun + 180min);
        ASSERT_TRUE(eventually([&] { return end_of_session() == until; })) << i;
    }
    clock.pass(19min);
    EXPECT_TRUE(node.admits(session));
    clock.pass(1min);
    EXPECT_FALSE(node.admits(session)) << "three hours";
}

TEST_F(SessionLife, ARenewalIsNotWrittenForEveryRequest) {
    const std::string session = node.sign_in();
    const Moment end = end_of_session();
    for (int i = 0; i < 3; ++i) {
        clock.pass(1min);
        EXPECT_TRUE(node.admits(session));
    }
    node.workers.shutdown();
    EXPECT_EQ(end_of_session(), end);
    EXPECT_TRUE(store->ask(KeyQuery{})->front().last_used_at.has_value()) << "its use is noted";
}

TEST_F(SessionLife, ItHoldsAfterARestartWithTheSameTokenAndNoOther) {
    const std::string session = node.sign_in();
    EXPECT_TRUE(SessionNode(*store, clock).admits(session));
    EXPECT_FALSE(SessionNode(*store, clock, "another-token-of-this-file").admits(session));
    EXPECT_FALSE(SessionNode(*store, clock, std::nullopt).admits(session));
}

TEST_F(SessionLife, ALinkIsForTenMinutes) {
    const auto made = [&] {
        return node.sessions.make_link({.credential = "token-file", .roles = {Role::admin}})->text;
    };
    const std::string early = made();
    const std::string late = made();
    clock.pass(9min);
    EXPECT_TRUE(node.sessions.redeem(early, here).has_value());
    clock.pass(1min);
    EXPECT_FALSE(node.sessions.redeem(late, here).has_value());
}

TEST_F(SessionLife, WhatHasEndedIsDeleted) {
    for (int i = 0; i < 5; ++i) {
        node.sign_in();
        clock.pass(4h);
    }
    EXPECT_LE(store->ask(KeyQuery{})->size(), 2u);
    EXPECT_EQ(node.ring.count(KeyKind::session), 0u);
}

TEST(SessionOfATokenOfAProvider, CannotMakeLinks) {
    ManualClock clock;
    auto store = *open_store("memory:", {.clock = &clock});
    SessionNode node(*store, clock);
    const auto link = node.sessions.make_link({.credential = "token", .roles = {Role::viewer}});
    ASSERT_FALSE(link.has_value());
    EXPECT_EQ(link.error().code, ErrorCode::invalid_argument);
}

// Counts what is asked of a store that other nodes use too.
class AskedStore final : public testing::ForwardingStore {
public:
    using ForwardingStore::ForwardingStore;
    void read(const AnyQuestion& question) override {
        ++asked;
        ForwardingStore::read(question);
    }

    std::size_t asked = 0;
};

TEST(FailedSignIns, WhoGuessesDoesNotMakeTheServerAskItsStore) {
    ManualClock clock;
    auto inner = *open_store("memory:", {.clock = &clock});
    AskedStore store(*inner);
    WorkerPool workers{"read", 1, 16};
    KeyRing ring(store, clock, workers, {.fresh_for = 1h, .usable_for = 1h}, {});
    FailedSignIns failures(clock);
    const Credentials credentials(
        {.is_local = false, .token = token, .keys = &ring, .failures = &failures});
    Sessions sessions(store, ring, credentials);
    ASSERT_TRUE(ring.refresh());
    for (int i = 0; i < 21; ++i) EXPECT_EQ(sessions.sign_in("wrong", here).error().status, 401);
    const std::size_t before = store.asked;
    for (int i = 0; i < 100; ++i) EXPECT_EQ(sessions.sign_in("wrong", here).error().status, 429);
    EXPECT_EQ(store.asked, before);
    EXPECT_TRUE(sessions.sign_in(token, "192.0.2.2").has_value()) << "another address";
    workers.shutdown();
}

TEST(FailedSignIns, AnAddressMayFailAgainAfterAWhile) {
    ManualClock clock;
    std::size_t told = 0;
    FailedSignIns failures(clock, [&](const std::string&) { ++told; },
                           {.at_once = 2, .each = 6s, .addresses = 4});
    for (int i = 0; i < 2; ++i) failures.add(here);
    EXPECT_EQ(failures.wait(here), 0s);
    for (int i = 0; i < 100; ++i) failures.add(here);
    EXPECT_EQ(failures.wait(here), 6s) << "not for longer, however many there were";
    EXPECT_EQ(failures.wait("192.0.2.2"), 0s);
    clock.pass(6s);
    EXPECT_EQ(failures.wait(here), 0s);
    failures.add(here);
    EXPECT_EQ(failures.wait(here), 6s) << "one each time";
    clock.pass(1min);
    failures.add(here);
    EXPECT_EQ(failures.wait(here), 0s) << "all is forgotten";
    EXPECT_EQ(told, 104u);
}

TEST(FailedSignIns, ANetworkOfIPv6IsOneAddress) {
    ManualClock clock;
    FailedSignIns failures(clock, {}, {.at_once = 1, .each = 6s, .addresses = 4});
    for (const char* address : {"2001:db8::1", "2001:db8::2"}) failures.add(address);
    EXPECT_EQ(failures.wait("2001:db8::3"), 6s);
    EXPECT_EQ(failures.wait("2001:db8:0:1::3"), 0s);
    for (const char* address : {"::ffff:192.0.2.1", "::ffff:192.0.2.2"}) failures.add(address);
    EXPECT_EQ(failures.wait("::ffff:192.0.2.1"), 0s) << "two addresses of IPv4";
}

TEST(FailedSignIns, ManyAddressesTakeNoMoreRoom) {
    ManualClock clock;
    FailedSignIns failures(clock, {}, {.at_once = 1, .each = 6s, .addresses = 4});
    for (int i = 0; i < 3; ++i) failures.add(here);
    for (int i = 0; i < 1'000; ++i) failures.add("198.51.100." + std::to_string(i));
    EXPECT_EQ(failures.wait(here), 6s) << "who waits longest stays";
    EXPECT_LE(failures.count(), 4u);
}

}  // namespace
}  // namespace holdfast::http
