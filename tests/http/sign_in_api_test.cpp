// Browsers over HTTP: how they sign in and out, how long they stay, and what a cookie is not good
// for.
#include <gtest/gtest.h>

#include "support/api_server.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

const std::string sign_in_path = "/api/v1/sign-in";
constexpr const char* file_token = "0123456789abcdef0123456789abcdef";

// What a browser keeps, and what it says of itself.
class Browser {
public:
    explicit Browser(ApiServer& server) : server_(&server) {}

    Fields headers(const std::string& site = "same-origin") const {
        Fields fields{{"Sec-Fetch-Site", site}};
        if (!cookie.empty()) fields.emplace_back("Cookie", cookie);
        return fields;
    }
    std::string origin() const { return "http://127.0.0.1:" + std::to_string(server_->port()); }
    Reply get(const std::string& target) {
        return server_->call(Method::get, target, {}, headers());
    }
    // With Origin, as browsers send it with every change.
    Reply post(const std::string& target, const std::string& body = {}) {
        Fields fields = headers();
        fields.emplace_back("Origin", origin());
        Reply reply = server_->call(Method::post, target, body, fields);
        if (const std::string set = reply.header("Set-Cookie"); !set.empty())
            cookie = set.substr(0, set.find(';'));
        return reply;
    }
    Reply enter(const std::string& key) { return post(sign_in_path, R"({"key": ")" + key + "\"}"); }
    Reply follow(const std::string& link) {
        return post(sign_in_path, R"({"link": ")" + link + "\"}");
    }
    int status() { return get("/version").status; }
    // The server has another port now, and the name of the cookie has the port.
    void move() {
        cookie = "holdfast_" + std::to_string(server_->port()) + cookie.substr(cookie.find('='));
    }

    std::string cookie;

private:
    ApiServer* server_;
};

std::string link_in(const Reply& reply) {
    EXPECT_EQ(reply.status, 201) << reply;
    const std::string path = reply.text_at("/path");
    EXPECT_TRUE(path.starts_with("/#sign-in=hfl_")) << path;
    return path.substr(path.find('=') + 1);
}

Fields bearer(const std::string& key) { return {{"Authorization", "Bearer " + key}}; }

class SignIn : public DurableApi {
protected:
    std::string local_link() {
        return link_in(server_.call(Method::post, "/api/v1/sign-in-links"));
    }
    std::string key(const std::string& role, const std::string& with_key = {}) {
        const Reply made =
            server_.call(Method::post, "/api/v1/keys",
                         R"({"name": "ann", "groups": ["it"], "roles": [")" + role + "\"]}",
                         with_key.empty() ? Fields{} : bearer(with_key));
        EXPECT_EQ(made.status, 201) << made;
        return made.text_at("/key");
    }
    static std::string id_in(const std::string& key) { return key.substr(3, 16); }

    Browser browser_{server_};
};

INSTANTIATE_TEST_SUITE_P(Stores, SignIn, durable_stores(), store_name);

TEST_P(SignIn, ALinkSignsABrowserInOnce) {
    EXPECT_EQ(browser_.status(), 401) << "a browser is nobody";
    const std::string link = local_link();
    const Reply entered = browser_.follow(link);
    ASSERT_EQ(entered.status, 200) << entered;
    EXPECT_EQ(entered.at("/roles"), (boost::json::array{"admin"}));
    const std::string cookie = entered.header("Set-Cookie");
    for (const char* part : {"; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=86400"})
        EXPECT_NE(cookie.find(part), std::string::npos) << cookie;
    EXPECT_TRUE(cookie.starts_with("holdfast_" + std::to_string(server_.port()) + "=hfs_"))
        << cookie;
    EXPECT_EQ(browser_.status(), 200);
    EXPECT_EQ(browser_.get("/api/v1/me").text_at("/credential"), entered.text_at("/credential"));
    Browser second(server_);
    EXPECT_EQ(second.follow(link).status, 401) << "the link again";
    EXPECT_EQ(second.cookie, "");
}

TEST_P(SignIn, AKeySignsABrowserInAsItsUser) {
    const std::string admin = key("admin");
    const std::string viewer = key("viewer", admin);
    ASSERT_EQ(browser_.enter(viewer).status, 200);
    const Reply me = browser_.get("/api/v1/me");
    EXPECT_EQ(me.text_at("/user"), "ann");
    EXPECT_EQ(me.at("/groups"), (boost::json::array{"it"}));
    EXPECT_EQ(me.at("/roles"), (boost::json::array{"viewer"}));
    EXPECT_EQ(browser_.post("/api/v1/events/paid", "{}").status, 403) << "a viewer";
    Browser wrong(server_);
    EXPECT_EQ(wrong.enter(viewer + "0").status, 401);
    EXPECT_EQ(wrong.enter("").status, 401);
    EXPECT_EQ(wrong.cookie, "");
}

TEST_P(SignIn, ASessionOutlivesARestart) {
    ASSERT_EQ(browser_.follow(local_link()).status, 200);
    server_.restart();
    browser_.move();
    EXPECT_EQ(browser_.status(), 200);
}

TEST_P(SignIn, SigningOutEndsTheSessionAndNoOther) {
    const std::string admin = key("admin");
    Browser other(server_);
    ASSERT_EQ(browser_.enter(admin).status, 200);
    ASSERT_EQ(other.enter(admin).status, 200);
    const std::string kept = browser_.cookie;
    const Reply out = browser_.post("/api/v1/sign-out");
    EXPECT_EQ(out.status, 204) << out;
    EXPECT_NE(out.header("Set-Cookie").find("Max-Age=0"), std::string::npos);
    browser_.cookie = kept;
    EXPECT_EQ(browser_.status(), 401) << "the cookie that somebody kept";
    EXPECT_EQ(other.status(), 200);
    EXPECT_EQ(server_.call(Method::post, "/api/v1/sign-out", {}, bearer(admin)).status, 400);
}

TEST_P(SignIn, ARevokedKeyEndsItsSessionsAndItsLinks) {
    const std::string admin = key("admin");
    const std::string viewer = key("viewer", admin);
    ASSERT_EQ(browser_.enter(viewer).status, 200);
    const std::string link =
        link_in(server_.call(Method::post, "/api/v1/sign-in-links", {}, bearer(viewer)));
    const std::string path = "/api/v1/keys/" + id_in(viewer);
    ASSERT_EQ(server_.call(Method::del, path, {}, bearer(admin)).status, 204);
    EXPECT_EQ(browser_.status(), 401);
    EXPECT_EQ(browser_.follow(link).status, 401);
}

TEST_P(SignIn, SessionsAreListedApartFromKeysAndCanBeRevoked) {
    const std::string admin = key("admin");
    const std::string session = browser_.enter(admin).text_at("/credential");
    const auto list = [&](const std::string& query) {
        const Reply page = server_.call(Method::get, "/api/v1/keys" + query, {}, bearer(admin));
        EXPECT_EQ(page.at("/items").as_array().size(), 1u) << page;
        return page.at("/items/0/id").as_string();
    };
    EXPECT_EQ(list(""), id_in(admin));
    EXPECT_EQ(list("?kind=session"), session);
    const std::string path = "/api/v1/keys/" + session;
    EXPECT_EQ(server_.call(Method::post, path + "/rotate", "{}", bearer(admin)).status, 404);
    EXPECT_EQ(server_.call(Method::del, path, {}, bearer(admin)).status, 204);
    EXPECT_EQ(browser_.status(), 401);
}

// A session of the local admin does not count as a key, which would close the server.
TEST_P(SignIn, TheFirstKeyEndsTheSessionsOfTheLocalAdmin) {
    const std::string link = local_link();
    ASSERT_EQ(browser_.follow(local_link()).status, 200);
    EXPECT_EQ(server_.call(Method::get, "/version").status, 200) << "no key is needed";
    server_.restart();
    EXPECT_EQ(server_.call(Method::get, "/version").status, 200) << "after a restart too";
    browser_.move();
    EXPECT_EQ(browser_.status(), 200);
    key("admin");
    EXPECT_EQ(browser_.status(), 401);
    EXPECT_EQ(browser_.follow(link).status, 401);
}

TEST_P(SignIn, ACookieWorksForPagesOfThisServerOnly) {
    ASSERT_EQ(browser_.follow(local_link()).status, 200);
    const auto call = [&](Method method, Fields more) {
        more.emplace_back("Cookie", browser_.cookie);
        return server_.call(method, method == Method::get ? "/version" : "/api/v1/events/paid",
                            method == Method::get ? "" : "{}", more);
    };
    for (const Fields& foreign :
         {Fields{{"Sec-Fetch-Site", "cross-site"}}, Fields{{"Sec-Fetch-Site", "same-site"}},
          Fields{{"Origin", "https://evil.example"}}, Fields{{"Origin", "null"}},
          // Another port of this host: browsers send it the same cookies.
          Fields{{"Origin", "http://127.0.0.1:1"}, {"Sec-Fetch-Site", "same-site"}}}) {
        EXPECT_EQ(call(Method::get, foreign).slug(), "cross-site") << foreign.front().second;
        EXPECT_EQ(call(Method::post, foreign).slug(), "cross-site") << foreign.front().second;
    }
    EXPECT_EQ(call(Method::get, {}).status, 200);
    EXPECT_NE(call(Method::post, {{"Origin", browser_.origin()}}).status, 403);
}

TEST_P(SignIn, AChangeWithACookieMustSayForWhichPage) {
    const std::string admin = key("admin");
    ASSERT_EQ(browser_.enter(admin).status, 200);
    const Reply reply =
        server_.call(Method::post, "/api/v1/events/paid", "{}", {{"Cookie", browser_.cookie}});
    EXPECT_EQ(reply.slug(), "cross-site") << reply;
    const Fields both{{"Cookie", browser_.cookie},
                      {"Origin", browser_.origin()},
                      {"Authorization", "Bearer wrong"}};
    EXPECT_EQ(server_.call(Method::post, "/api/v1/events/paid", "{}", both).status, 401)
        << "a cookie does not make up for a wrong key";
}

TEST_P(SignIn, TextsOfOneKindAreNoneOfAnother) {
    const std::string admin = key("admin");
    const std::string link =
        link_in(server_.call(Method::post, "/api/v1/sign-in-links", {}, bearer(admin)));
    ASSERT_EQ(browser_.enter(admin).status, 200);
    const std::string session = browser_.cookie.substr(browser_.cookie.find('=') + 1);
    const std::string name = browser_.cookie.substr(0, browser_.cookie.find('='));
    EXPECT_EQ(server_.call(Method::get, "/version", {}, bearer(session)).status, 401);
    EXPECT_EQ(server_.call(Method::get, "/version", {}, bearer(link)).status, 401);
    Browser other(server_);
    EXPECT_EQ(other.enter(session).status, 401);
    EXPECT_EQ(other.enter(link).status, 401);
    EXPECT_EQ(other.follow(admin).status, 401);
    EXPECT_EQ(other.follow(session).status, 401);
    for (const std::string& text : {admin, link, session + "0", std::string("hfs_"),
                                    "hfs_" + session.substr(4, 16) + "_" + std::string(64, '0')}) {
        other.cookie = name + "=" + text;
        EXPECT_EQ(other.status(), 401) << text;
    }
    // Somebody has put a second one beside it.
    other.cookie = name + "=" + session + "; " + name + "=" + session;
    EXPECT_EQ(other.status(), 401);
    other.cookie = "x=1; " + name + "=" + session + "; y=2";
    EXPECT_EQ(other.status(), 200);
}

// Session fixation: who signs in gets a session that nobody knew before.
TEST_P(SignIn, WhoSignsInGetsANewSession) {
    const std::string admin = key("admin");
    ASSERT_EQ(browser_.enter(admin).status, 200);
    const std::string before = browser_.cookie;
    ASSERT_EQ(browser_.enter(admin).status, 200);
    EXPECT_NE(browser_.cookie, before);
}

TEST_P(SignIn, TheOldestSessionOfAUserMakesRoom) {
    const std::string admin = key("admin");
    std::vector<Browser> browsers;
    for (int i = 0; i < 33; ++i) {
        browsers.emplace_back(server_);
        ASSERT_EQ(browsers.back().enter(admin).status, 200);
    }
    EXPECT_EQ(browsers[0].status(), 401);
    EXPECT_EQ(browsers[1].status(), 200);
    EXPECT_EQ(browsers[32].status(), 200);
}

TEST_P(SignIn, NothingThatIsStoredSignsIn) {
    ASSERT_EQ(browser_.follow(local_link()).status, 200);
    const std::string session = browser_.cookie.substr(browser_.cookie.find('=') + 1);
    const std::string stored = server_.query_closed(
        GetParam() == std::string("sqlite")
            ? "select group_concat(key_id || hex(secret) || kind || parent) from api_keys"
            : "select string_agg(key_id || encode(secret, 'hex') || kind || parent, ',') from "
              "api_keys");
    EXPECT_NE(stored.find(session.substr(4, 16)), std::string::npos);
    EXPECT_EQ(stored.find(session.substr(21)), std::string::npos);
}

TEST_P(SignIn, WhatIsWrongWithARequestIsSaid) {
    for (const char* body : {"{}", R"({"key": "a", "link": "b"})", R"({"key": null})"}) {
        const Reply reply = browser_.post(sign_in_path, body);
        EXPECT_EQ(reply.status, 400) << body;
        EXPECT_NE(reply.text.find("send either 'key'"), std::string::npos) << reply;
    }
    EXPECT_EQ(browser_.enter(std::string(9'000, 'a')).status, 400);
    EXPECT_EQ(browser_.enter(std::string(17'000, 'a')).status, 413) << "nobody has signed in";
}

TEST(FailedSignIns, AnAddressThatGuessesHasToWaitAndKeysGoOn) {
    ApiServer server("memory", {.gate = {.token = file_token}});
    const Reply made = server.call(Method::post, "/api/v1/keys",
                                   R"({"name": "ci", "roles": ["admin"]})", bearer(file_token));
    Browser browser(server);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(browser.enter("wrong").status, 401) << i;
    EXPECT_EQ(browser.enter("wrong").status, 401) << "one more is let through, and counts";
    const Reply slowed = browser.enter(file_token);
    EXPECT_EQ(slowed.slug(), "too-many-failures") << "not even looked at: " << slowed;
    EXPECT_EQ(slowed.header("Retry-After"), "6");
    EXPECT_EQ(server.call(Method::get, "/version", {}, bearer("wrong")).status, 429);
    EXPECT_EQ(server.call(Method::get, "/version", {}, bearer(file_token)).status, 429);
    EXPECT_EQ(server.call(Method::get, "/version", {}, bearer(made.text_at("/key"))).status, 200)
        << "nobody guesses 256 bits";
    EXPECT_EQ(browser.enter(made.text_at("/key")).status, 200);
    EXPECT_EQ(server.call(Method::get, "/version").status, 401) << "nothing was sent";
}

}  // namespace
}  // namespace holdfast::testing
