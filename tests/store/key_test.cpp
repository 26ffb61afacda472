// API keys on every store: what a change does, and in which order other nodes see it.
#include "base/threads/threads.h"
#include "support/world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class Keys : public ::testing::TestWithParam<const char*> {
protected:
    ApiKey key(const std::string& id, std::optional<Moment> expires_at = {}) const {
        return {.id = id,
                .tenant = "default",
                .name = "ci",
                .user = "builder",
                .groups = {"finance", "it"},
                .roles = {"operator", "viewer"},
                .definitions = {"order"},
                .secret = sha256(id),
                .created_at = now,
                .created_by = "ada",
                .expires_at = expires_at};
    }
    ApiKey session(const std::string& id, Moment expires_at) const {
        ApiKey made = key(id, expires_at);
        made.kind = KeyKind::session;
        made.parent = "k";
        return made;
    }
    bool change(const KeyChange& wanted) {
        const auto changed = world.store->change_keys(wanted);
        EXPECT_TRUE(changed.has_value()) << (changed ? "" : changed.error().message);
        return changed.value_or(false);
    }
    bool end(const std::string& id, Moment at, const std::string& tenant = "default") {
        return change({.end = EndKey{id, tenant, now, at}});
    }
    std::vector<ApiKey> all(std::uint64_t after = 0) {
        return *world.store->ask(KeyQuery{.after = after});
    }
    std::vector<std::string> ids(std::uint64_t after = 0) {
        std::vector<std::string> ids;
        for (const ApiKey& one : all(after)) ids.push_back(one.id);
        return ids;
    }

    World world{GetParam()};
    const Moment now = *world.store->ask(FindTime{});
};

TEST_P(Keys, AKeyIsReadAsItWasWritten) {
    ApiKey written = key("a", now + 1h);
    written.replaces = "b";
    ASSERT_TRUE(change({.add = written}));
    written.change = 1;
    ASSERT_EQ(all().size(), 1u);
    EXPECT_EQ(all()[0], written);
}

TEST_P(Keys, ARevokedKeyHasEndedAndIsTheLastChange) {
    ASSERT_TRUE(change({.add = key("a")}));
    ASSERT_TRUE(change({.add = key("b")}));
    EXPECT_EQ(ids(), (std::vector<std::string>{"a", "b"}));
    ASSERT_TRUE(end("a", now));
    EXPECT_EQ(ids(), (std::vector<std::string>{"b", "a"}));
    EXPECT_EQ(ids(2), (std::vector<std::string>{"a"}));
    EXPECT_EQ(all().back().revoked_at, now);
    EXPECT_TRUE(all().back().has_ended(now));
}

TEST_P(Keys, OnlyAValidKeyOfTheTenantEnds) {
    ASSERT_TRUE(change({.add = key("a")}));
    ASSERT_TRUE(change({.add = key("old", now - 1h)}));
    EXPECT_FALSE(end("nobody", now));
    EXPECT_FALSE(end("a", now, "acme"));
    EXPECT_FALSE(end("old", now));
    ASSERT_TRUE(end("a", now));
    EXPECT_FALSE(end("a", now)) << "twice";
}

TEST_P(Keys, ARotationEndsTheOldKeyLaterAndAddsTheNewOneOrDoesNothing) {
    ASSERT_TRUE(change({.add = key("a")}));
    ASSERT_TRUE(change({.end = EndKey{"a", "default", now, now + 1h}, .add = key("b")}));
    ASSERT_EQ(ids(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(all()[0].expires_at, now + 1h);
    EXPECT_FALSE(all()[0].has_ended(now));
    EXPECT_FALSE(change({.end = EndKey{"nobody", "default", now, now}, .add = key("c")}));
    EXPECT_EQ(ids().size(), 2u);
}

TEST_P(Keys, AnOverlapDoesNotMakeAKeyLiveLonger) {
    ASSERT_TRUE(change({.add = key("a", now + 1min)}));
    ASSERT_TRUE(end("a", now + 1h));
    EXPECT_EQ(all()[0].expires_at, now + 1min);
}

TEST_P(Keys, WhatEndedLongAgoIsForgottenButNeverTheNewestChange) {
    ASSERT_TRUE(change({.add = key("a", now - 48h)}));
    ASSERT_TRUE(change({.add = key("b", now - 48h), .forget_before = now - 24h}));
    EXPECT_EQ(ids(), (std::vector<std::string>{"a", "b"})) << "a was the newest";
    ASSERT_TRUE(change({.add = key("c"), .forget_before = now - 24h}));
    EXPECT_EQ(ids(), (std::vector<std::string>{"b", "c"})) << "b was the newest";
    EXPECT_EQ(all().back().change, 3u);
}

TEST_P(Keys, AUseIsNotedAndIsNoChange) {
    ASSERT_TRUE(change({.add = key("a")}));
    ASSERT_TRUE(change({.uses = {{"a", now + 1s}, {"nobody", now}}}));
    EXPECT_EQ(all()[0].last_used_at, now + 1s);
    ASSERT_TRUE(change({.uses = {{"a", now}}}));
    EXPECT_EQ(all()[0].last_used_at, now + 1s) << "it does not go back";
    EXPECT_EQ(all()[0].change, 1u);
}

TEST_P(Keys, APageHasTheKeysOfOneTenantAfterAChange) {
    for (const char* id : {"a", "b", "c", "d"}) {
        ApiKey one = key(id);
        if (id == std::string("b")) one.tenant = "acme";
        ASSERT_TRUE(change({.add = one}));
    }
    const auto page = *world.store->ask(KeyQuery{.after = 1, .limit = 1, .tenant = "default"});
    ASSERT_EQ(page.size(), 1u);
    EXPECT_EQ(page[0].id, "c");
}

TEST_P(Keys, ASessionIsReadAsItWasWritten) {
    ApiKey written = session("s", now + 1h);
    ASSERT_TRUE(change({.add = written}));
    written.change = 1;
    EXPECT_EQ(all()[0], written);
}

TEST_P(Keys, ALinkEndsAndItsSessionBeginsInOneChangeAndOnlyOnce) {
    ApiKey link = session("l", now + 10min);
    link.kind = KeyKind::link;
    ASSERT_TRUE(change({.add = link}));
    EXPECT_TRUE(change({.end = EndKey{"l", "default", now, now}, .add = session("s", now + 1h)}));
    EXPECT_FALSE(change({.end = EndKey{"l", "default", now, now}, .add = session("t", now + 1h)}));
    EXPECT_EQ(ids(), (std::vector<std::string>{"l", "s"}));
}

TEST_P(Keys, ASessionIsRenewedWhileItIsValidAndKeysAreNot) {
    ASSERT_TRUE(change({.add = session("s", now + 1h)}));
    ASSERT_TRUE(change({.add = key("k", now + 1h)}));
    ASSERT_TRUE(change({.add = session("old", now - 1s)}));
    const std::uint64_t before = all().back().change;
    for (const char* id : {"s", "k", "old", "nobody"})
        EXPECT_TRUE(change({.renew = RenewKey{id, now, now + 2h}}));
    ASSERT_EQ(ids(before), (std::vector<std::string>{"s"})) << "one change, which others see";
    EXPECT_EQ(all().back().expires_at, now + 2h);
    EXPECT_TRUE(change({.renew = RenewKey{"s", now, now + 1h}}));
    EXPECT_EQ(all().back().expires_at, now + 2h) << "it does not become shorter";
    ASSERT_TRUE(end("s", now));
    EXPECT_TRUE(change({.renew = RenewKey{"s", now, now + 9h}}));
    EXPECT_TRUE(all().back().has_ended(now)) << "signed out";
}

TEST_P(Keys, SessionsAreForgottenWithSessionsAndKeysWithKeys) {
    ASSERT_TRUE(change({.add = key("k", now - 48h)}));
    ASSERT_TRUE(change({.add = session("s", now - 48h)}));
    ASSERT_TRUE(change({.add = session("t", now + 1h), .forget_before = now - 1h}));
    EXPECT_EQ(ids(), (std::vector<std::string>{"k", "s", "t"})) << "s was the newest change";
    ASSERT_TRUE(change({.add = session("u", now + 1h), .forget_before = now - 1h}));
    EXPECT_EQ(ids(), (std::vector<std::string>{"k", "t", "u"}));
    ASSERT_TRUE(change({.add = key("m", now - 2h), .forget_before = now - 1h}));
    EXPECT_EQ(ids(), (std::vector<std::string>{"k", "t", "u", "m"}))
        << "the newest key stays: the server never looks like one without keys";
    EXPECT_EQ(all().back().change, 5u);
}

TEST_P(Keys, APageHasOneKind) {
    ASSERT_TRUE(change({.add = key("k")}));
    ASSERT_TRUE(change({.add = session("s", now + 1h)}));
    const auto sessions = *world.store->ask(KeyQuery{.kind = KeyKind::session});
    ASSERT_EQ(sessions.size(), 1u);
    EXPECT_EQ(sessions[0].id, "s");
}

INSTANTIATE_TEST_SUITE_P(Stores, Keys, all_stores(), store_name);

// A reader that has seen a change has seen all before it, whatever the order of the commits.
TEST(SharedKeys, ChangesOfManyNodesAreSeenInOrder) {
    World world("postgres");
    SystemClock clock;
    std::vector<std::unique_ptr<Store>> nodes;
    for (int i = 0; i < 4; ++i) nodes.push_back(*open_store(world.place.url(), {.clock = &clock}));
    std::vector<std::jthread> writers;
    for (std::size_t node = 0; node < nodes.size(); ++node)
        writers.push_back(named_thread("node", [&, node](std::stop_token) {
            for (int i = 0; i < 25; ++i)
                EXPECT_TRUE(nodes[node]->change_keys(
                    {.add = ApiKey{.id = std::to_string(node) + "-" + std::to_string(i),
                                   .tenant = "default",
                                   .roles = {"viewer"}}}));
        }));
    std::uint64_t seen = 0;
    std::size_t count = 0;
    for (std::size_t reads = 0; count < 100 && reads < 100'000; ++reads)
        for (const ApiKey& key : *world.store->ask(KeyQuery{.after = seen, .limit = 7})) {
            EXPECT_EQ(key.change, seen + 1) << "one was passed over";
            seen = key.change;
            ++count;
        }
    EXPECT_EQ(count, 100u);
}

}  // namespace
}  // namespace holdfast::testing
