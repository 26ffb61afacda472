// What one credential may have open: it is refused beyond that, and others are not.
#include "http/access/shares.h"

#include <gtest/gtest.h>

#include <future>

#include "support/api_server.h"
#include "support/eventually.h"

namespace holdfast::testing {
namespace {

http::Identity holder(const std::string& credential, const std::string& user) {
    return {
        .kind = http::CredentialKind::api_key, .credential = credential, .caller = {.user = user}};
}

TEST(SharesOfCredentials, EachHasItsOwnAndGetsItBack) {
    http::Shares shares({.streams = 1, .polls = 2});
    const auto ann = holder("a", "ann");
    auto stream = shares.take(ann, http::Share::stream);
    auto first = shares.take(ann, http::Share::poll);
    auto second = shares.take(ann, http::Share::poll);
    EXPECT_TRUE(stream && first && second);
    EXPECT_FALSE(shares.take(ann, http::Share::stream));
    EXPECT_FALSE(shares.take(ann, http::Share::poll));
    EXPECT_TRUE(shares.take(holder("b", "ann"), http::Share::stream)) << "another key";
    EXPECT_TRUE(shares.take(holder("a", "bob"), http::Share::stream)) << "of a provider";
    second.reset();
    EXPECT_TRUE(shares.take(ann, http::Share::poll));
    stream.reset();
    first.reset();
    EXPECT_EQ(shares.count(), 0u) << "nothing is kept of who has nothing open";
}

TEST(SharesOfCredentials, TheSessionsOfAUserShareWhatItsKeyHas) {
    http::Shares shares({.streams = 2, .polls = 1});
    http::Identity session = holder("s", "ann");
    session.kind = http::CredentialKind::session;
    session.parent = "a";
    const auto one = shares.take(session, http::Share::stream);
    session.credential = "t";
    const auto two = shares.take(session, http::Share::stream);
    EXPECT_TRUE(one && two);
    EXPECT_FALSE(shares.take(holder("a", "ann"), http::Share::stream));
}

TEST(SharesOfCredentials, WhoIsNobodyInParticularHasNoLimit) {
    http::Shares shares({.streams = 1, .polls = 1});
    std::vector<http::Shares::Taken> taken;
    for (int i = 0; i < 10; ++i)
        taken.push_back(shares.take({.credential = "local"}, http::Share::poll));
    for (const auto& one : taken) EXPECT_TRUE(one);
}

TEST(SharesOfCredentials, PollsBeyondTheLimitAreRefusedUntilOthersEnd) {
    ApiServer server("memory", {.shares = {.streams = 1, .polls = 2}});
    const std::string path = ApiServer::path_of(server.start_id());
    const Reply made =
        server.call(Method::post, "/api/v1/keys", R"({"name": "root", "roles": ["admin"]})");
    const Fields root{{"Authorization", "Bearer " + made.text_at("/key")}};
    const Reply other =
        server.call(Method::post, "/api/v1/keys", R"({"name": "bob", "roles": ["viewer"]})", root);
    const Fields bob{{"Authorization", "Bearer " + other.text_at("/key")}};
    std::vector<std::future<Reply>> polls;
    for (int i = 0; i < 2; ++i)
        polls.push_back(std::async(std::launch::async, [&] {
            return server.client().call(Method::get, path + "/result?timeout=60s", {}, root);
        }));
    const std::string now = path + "/result?timeout=0s";
    ASSERT_TRUE(eventually([&] {
        const std::string metrics = server.call(Method::get, "/metrics", {}, root).text;
        return metrics.find("\nholdfast_long_polls 2\n") != std::string::npos;
    }));
    const Reply refused = server.call(Method::get, now, {}, root);
    EXPECT_EQ(refused.status, 429) << refused;
    EXPECT_EQ(refused.slug(), "too-many-open");
    EXPECT_EQ(refused.header("Retry-After"), "1");
    EXPECT_NE(refused.text.find("2 long polls"), std::string::npos) << refused;
    EXPECT_EQ(server.call(Method::get, now, {}, bob).status, 202) << "another credential";
    EXPECT_EQ(server.call(Method::post, path + "/cancel", {}, root).status, 200);
    for (auto& poll : polls) EXPECT_EQ(poll.get().status, 200);
    EXPECT_EQ(server.call(Method::get, now, {}, root).status, 200);
}

}  // namespace
}  // namespace holdfast::testing
