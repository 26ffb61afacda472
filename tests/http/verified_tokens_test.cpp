// Tokens that were verified before: for how long, and with which keys, that counts.
#include "http/access/verified_tokens.h"

#include <gtest/gtest.h>

namespace holdfast::testing {
namespace {

using http::Identity;
using http::VerifiedTokens;
using http::VerifyingKeys;

constexpr Moment now{std::chrono::seconds{1'800'000'000}};

VerifyingKeys key_set() { return std::make_shared<const std::vector<http::VerifyingKey>>(); }

Identity person(const std::string& user, std::optional<Moment> until) {
    return {.kind = http::CredentialKind::token,
            .credential = "token",
            .caller = {.user = user},
            .until = until};
}

std::string user_of(const std::optional<Identity>& found) {
    return found ? found->caller.user : "";
}

TEST(VerifiedTokens, AreThoseWhoTheyWereUntilTheyExpire) {
    VerifiedTokens tokens;
    const VerifyingKeys keys = key_set();
    const Moment end = now + std::chrono::seconds(10);
    tokens.add(sha256("one"), keys, person("ada", end), now);
    EXPECT_EQ(user_of(tokens.find(sha256("one"), keys, now)), "ada");
    EXPECT_EQ(user_of(tokens.find(sha256("one"), keys, end - std::chrono::microseconds(1))), "ada");
    EXPECT_FALSE(tokens.find(sha256("one"), keys, end));
    EXPECT_FALSE(tokens.find(sha256("two"), keys, now));
}

TEST(VerifiedTokens, AnEndIsNeeded) {
    VerifiedTokens tokens;
    tokens.add(sha256("one"), key_set(), person("ada", std::nullopt), now);
    EXPECT_EQ(tokens.size(), 0U);
}

TEST(VerifiedTokens, CountForTheKeysThatVerifiedThemOnly) {
    VerifiedTokens tokens;
    const VerifyingKeys before = key_set();
    const VerifyingKeys after = key_set();
    const Moment end = now + std::chrono::seconds(10);
    tokens.add(sha256("old"), before, person("ada", end), now);
    EXPECT_FALSE(tokens.find(sha256("old"), after, now));
    tokens.add(sha256("new"), after, person("bob", end), now);
    EXPECT_FALSE(tokens.find(sha256("old"), after, now));
    EXPECT_FALSE(tokens.find(sha256("old"), before, now));
    EXPECT_EQ(user_of(tokens.find(sha256("new"), after, now)), "bob");
    // One that began with the keys before and ends late.
    tokens.add(sha256("late"), before, person("eve", end), now);
    EXPECT_FALSE(tokens.find(sha256("late"), after, now));
}

TEST(VerifiedTokens, AreBoundedAndTheExpiredLeaveFirst) {
    VerifiedTokens tokens(3);
    const VerifyingKeys keys = key_set();
    const Moment soon = now + std::chrono::seconds(1);
    const Moment late = now + std::chrono::seconds(100);
    tokens.add(sha256("1"), keys, person("ada", soon), now);
    tokens.add(sha256("2"), keys, person("bob", late), now);
    tokens.add(sha256("3"), keys, person("cat", late), now);
    tokens.add(sha256("3"), keys, person("cat", late), now);
    EXPECT_EQ(tokens.size(), 3U);
    tokens.add(sha256("4"), keys, person("dan", late), soon);
    EXPECT_EQ(tokens.size(), 3U);
    EXPECT_EQ(user_of(tokens.find(sha256("2"), keys, soon)), "bob");
    for (int i = 0; i < 100; ++i)
        tokens.add(sha256(std::to_string(100 + i)), keys, person("eve", late), soon);
    EXPECT_LE(tokens.size(), 3U);
    EXPECT_EQ(user_of(tokens.find(sha256("199"), keys, soon)), "eve");
}

}  // namespace
}  // namespace holdfast::testing
