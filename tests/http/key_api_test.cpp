// API keys over HTTP: how they are made, used, rotated and revoked, and whose requests they make.
#include <gtest/gtest.h>

#include "support/api_server.h"
#include "support/eventually.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

const std::string keys = "/api/v1/keys";

Fields with(const std::string& key, Fields more = {}) {
    more.emplace_back("Authorization", "Bearer " + key);
    return more;
}

class KeyApi : public DurableApi {
protected:
    // The first key, which closes the server.
    KeyApi()
        : admin_(
              made(server_.call(Method::post, keys, R"({"name": "root", "roles": ["admin"]})"))) {}

    static std::string made(const Reply& reply) {
        EXPECT_EQ(reply.status, 201) << reply;
        return reply.text_at("/key");
    }
    Reply create(const std::string& body) {
        return server_.call(Method::post, keys, body, with(admin_));
    }
    std::string key(const std::string& role, const std::string& user,
                    const std::string& more = "") {
        return made(
            create(R"({"name": ")" + user + R"(", "roles": [")" + role + "\"]" + more + "}"));
    }
    Reply get(const std::string& target, const std::string& key, Fields more = {}) {
        return server_.call(Method::get, target, {}, with(key, std::move(more)));
    }
    int status_with(const std::string& key) { return get("/version", key).status; }
    static std::string id_in(const std::string& key) { return key.substr(3, 16); }
    boost::json::value listed(const std::string& id) {
        const Reply page = get(keys, admin_);
        for (const auto& item : page.at("/items").as_array())
            if (item.at("id").as_string() == id) return item;
        ADD_FAILURE() << id << " is not in " << page;
        return {};
    }

    const std::string admin_;
};

INSTANTIATE_TEST_SUITE_P(Stores, KeyApi, durable_stores(), store_name);

TEST_P(KeyApi, TheFirstKeyClosesTheServer) {
    EXPECT_EQ(server_.call(Method::get, "/version").status, 401);
    EXPECT_EQ(server_.call(Method::get, "/healthz").status, 200);
    EXPECT_EQ(status_with(admin_), 200);
    server_.restart();
    EXPECT_EQ(server_.call(Method::get, "/version").status, 401) << "after a restart too";
    EXPECT_EQ(status_with(admin_), 200);
}

TEST_P(KeyApi, AKeyIsShownOnceAndStoredHashed) {
    const std::string text = key("viewer", "ann");
    EXPECT_EQ(get(keys, admin_).text.find(text.substr(20)), std::string::npos);
    const std::string stored = server_.query_closed(
        GetParam() == std::string("sqlite")
            ? "select group_concat(key_id || hex(secret) || name || user_id) from api_keys"
            : "select string_agg(key_id || encode(secret, 'hex') || name || user_id, ',') from "
              "api_keys");
    EXPECT_EQ(stored.find(text.substr(20)), std::string::npos);
    EXPECT_NE(stored.find(id_in(text)), std::string::npos) << "its prefix finds it";
    EXPECT_EQ(status_with(text), 200);
}

TEST_P(KeyApi, AWrongKeyIsRefused) {
    std::string wrong = key("viewer", "ann");
    wrong.back() = wrong.back() == '0' ? '1' : '0';
    for (const std::string& text :
         {wrong, wrong.substr(0, wrong.size() - 1), wrong + "0", "hf_" + id_in(wrong),
          "hf_" + id_in(wrong) + "_", std::string("hf__"), std::string("x"), id_in(wrong)})
        EXPECT_EQ(status_with(text), 401) << text;
}

TEST_P(KeyApi, ARevokedKeyIsRefusedFromTheNextRequestOn) {
    const std::string text = key("viewer", "ann");
    EXPECT_EQ(status_with(text), 200);
    const std::string path = keys + "/" + id_in(text);
    EXPECT_EQ(server_.call(Method::del, path, {}, with(admin_)).status, 204);
    EXPECT_EQ(status_with(text), 401);
    EXPECT_EQ(server_.call(Method::del, path, {}, with(admin_)).status, 404) << "it has ended";
    server_.restart();
    EXPECT_EQ(status_with(text), 401);
    EXPECT_FALSE(listed(id_in(text)).at("valid").as_bool());
    EXPECT_TRUE(listed(id_in(text)).at("revokedAt").is_string());
}

TEST_P(KeyApi, ARotatedKeyIsValidForTheOverlapAndTheNewOneHasItsRights) {
    const std::string old =
        key("operator", "ann", R"(, "groups": ["it"], "definitions": ["order"])");
    const auto rotate = [&](const std::string& id, const std::string& body) {
        return server_.call(Method::post, keys + "/" + id + "/rotate", body, with(admin_));
    };
    const Reply second = rotate(id_in(old), R"({"overlap": "1h"})");
    EXPECT_EQ(status_with(made(second)), 200);
    EXPECT_EQ(status_with(old), 200) << "the overlap";
    EXPECT_EQ(second.text_at("/replaces"), id_in(old));
    EXPECT_EQ(second.text_at("/user"), "ann");
    EXPECT_EQ(second.at("/roles"), (boost::json::array{"operator"}));
    EXPECT_EQ(second.at("/definitions"), (boost::json::array{"order"}));
    EXPECT_EQ(second.at("/groups"), (boost::json::array{"it"}));
    const Reply third = rotate(second.text_at("/id"), "{}");
    EXPECT_EQ(third.status, 201);
    EXPECT_EQ(status_with(second.text_at("/key")), 401) << "no overlap";
    EXPECT_EQ(rotate(second.text_at("/id"), "{}").status, 404);
    EXPECT_EQ(rotate("0000000000000000", "{}").slug(), "no-such-key");
}

TEST_P(KeyApi, AnExpiredKeyIsRefused) {
    const std::string text = key("viewer", "ann", R"(, "expiresIn": "1ms")");
    EXPECT_TRUE(eventually([&] { return status_with(text) == 401; }));
    EXPECT_FALSE(listed(id_in(text)).at("valid").as_bool());
}

TEST_P(KeyApi, TheLastUseIsListed) {
    const std::string text = key("viewer", "ann");
    EXPECT_TRUE(listed(id_in(text)).at("lastUsedAt").is_null());
    EXPECT_EQ(status_with(text), 200);
    EXPECT_TRUE(eventually([&] { return listed(id_in(text)).at("lastUsedAt").is_string(); }));
}

TEST_P(KeyApi, WhatIsWrongWithAKeyIsSaid) {
    const std::pair<const char*, const char*> wrong[] = {
        {"{}", "'name'"},
        {R"({"name": "x"})", "'roles'"},
        {R"({"name": "x", "roles": []})", "'roles'"},
        {R"({"name": "x", "roles": ["root"]})", "'root' is no role"},
        {R"({"name": "x", "roles": ["viewer", "viewer"]})", "twice"},
        {R"({"name": "x", "roles": "viewer"})", "list"},
        {R"({"name": "x", "roles": ["viewer"], "tenant": "acme"})", "tenant"},
        {R"({"name": "x", "roles": ["viewer"], "user": ""})", "'user'"},
        {R"({"name": "x", "roles": ["viewer"], "definitions": ["a b"]})", "definition"},
        {R"({"name": "x", "roles": ["admin"], "definitions": ["order"]})", "every definition"},
        {R"({"name": "x", "roles": ["viewer"], "expiresIn": "-1h"})", "expiresIn"}};
    for (const auto& [body, says] : wrong) {
        const Reply reply = create(body);
        EXPECT_EQ(reply.status, 400) << body << reply;
        EXPECT_NE(reply.text_at("/detail").find(says), std::string::npos) << reply;
    }
}

TEST_P(KeyApi, KeysAreListedInPages) {
    for (int i = 0; i < 4; ++i) key("viewer", "user" + std::to_string(i));
    std::set<std::string> seen;
    std::string cursor;
    for (int page = 0; page < 5; ++page) {
        const Reply reply = get(keys + "?limit=2" + cursor, admin_);
        for (const auto& item : reply.at("/items").as_array())
            EXPECT_TRUE(seen.emplace(item.at("id").as_string()).second);
        if (reply.at("/nextCursor").is_null()) break;
        cursor = "&cursor=" + reply.text_at("/nextCursor");
    }
    EXPECT_EQ(seen.size(), 5u);
}

TEST_P(KeyApi, ARequestIsOfTheUserOfItsKey) {
    const std::string ann = key("operator", "ann", R"(, "groups": ["it"])");
    server_.call(Method::put, "/api/v1/definitions/order", "{}", with(ann));
    const Reply started =
        server_.call(Method::post, workflows, R"({"definition": "order"})", with(ann));
    EXPECT_EQ(started.text_at("/startedBy"), "ann") << started;
    const Reply history = get(ApiServer::path_of(started.text_at("/id")) + "/history", ann);
    EXPECT_EQ(history.text_at("/items/0/user"), "ann");
    EXPECT_EQ(history.at("/items/0/groups"), (boost::json::array{"it"}));
    EXPECT_EQ(history.at("/items/0/roles"), (boost::json::array{"operator"}));
    EXPECT_FALSE(history.at("/items/0").as_object().contains("by"));
    const Reply me = get("/api/v1/me", ann);
    EXPECT_EQ(me.text_at("/user"), "ann");
    EXPECT_EQ(me.text_at("/credential"), id_in(ann));
}

TEST_P(KeyApi, AnOperatorActsForAUserAndTheHistorySaysBoth) {
    const std::string ann = key("operator", "ann", R"(, "groups": ["it"])");
    server_.call(Method::put, "/api/v1/definitions/order", "{}", with(ann));
    const Reply started = server_.call(Method::post, workflows, R"({"definition": "order"})",
                                       with(ann, {{"X-User-Id", "bob"}}));
    EXPECT_EQ(started.text_at("/startedBy"), "bob") << started;
    const std::string path = ApiServer::path_of(started.text_at("/id"));
    Reply history = get(path + "/history", ann);
    EXPECT_EQ(history.text_at("/items/0/user"), "bob");
    EXPECT_EQ(history.text_at("/items/0/by"), "ann");
    EXPECT_FALSE(history.at("/items/0").as_object().contains("groups")) << "they are ann's";
    server_.restart();
    EXPECT_EQ(get(path + "/history", ann).text, history.text);
    EXPECT_EQ(get("/api/v1/me", ann, {{"X-User-Id", "bob"}}).text_at("/user"), "bob");
}

TEST_P(KeyApi, NobodyElseNamesAnotherUser) {
    for (const char* role : {"viewer", "participant", "worker"}) {
        const std::string text = key(role, "ann");
        const Reply refused = get("/version", text, {{"X-User-Id", "bob"}});
        EXPECT_EQ(refused.status, 403) << refused;
        EXPECT_EQ(refused.slug(), "not-allowed");
        EXPECT_EQ(get("/version", text, {{"X-User-Id", "ann"}}).status, 200);
        EXPECT_EQ(get("/version", text, {{"X-User-Id", "bob"}, {"X-User-Id", "ann"}}).status, 400);
    }
}

TEST_P(KeyApi, AParticipantCompletesOwnTasksAsItself) {
    const std::string ann = key("participant", "ann", R"(, "groups": ["finance"])");
    server_.call(Method::put, "/api/v1/definitions/order", "{}", with(admin_));
    const std::string id =
        server_.call(Method::post, workflows, R"({"definition": "order"})", with(admin_))
            .text_at("/id");
    const std::string task =
        server_
            .call(Method::post, ApiServer::path_of(id) + "/tasks",
                  R"({"run": 1, "index": 0, "name": "t", "candidateGroups": ["finance"]})",
                  with(admin_))
            .text_at("/id");
    const auto change = [&](const char* verb, const std::string& body, const char* match) {
        return server_.call(Method::post, "/api/v1/tasks/" + task + "/" + verb, body,
                            with(ann, {{"If-Match", match}}));
    };
    EXPECT_EQ(change("claim", R"({"user": "bob"})", "1").status, 400);
    EXPECT_EQ(change("claim", R"({"groups": ["board"]})", "1").status, 400);
    const Reply claimed = change("claim", "{}", "1");
    EXPECT_EQ(claimed.status, 200) << claimed;
    EXPECT_EQ(claimed.text_at("/holder"), "ann");
    EXPECT_EQ(change("assign", R"({"assignee": "bob"})", "2").slug(), "not-allowed");
    EXPECT_EQ(change("complete", R"({"user": "ann", "outputs": {"ok": true}})", "2").status, 200);
}

TEST_P(KeyApi, AKeyForOneDefinitionStartsNoOtherAndListsNoOther) {
    for (const char* definition : {"order", "payroll"})
        server_.call(Method::put, std::string("/api/v1/definitions/") + definition, "{}",
                     with(admin_));
    const std::string text = key("operator", "ann", R"(, "definitions": ["order"])");
    const auto start = [&](const std::string& definition) {
        return server_.call(Method::post, workflows, R"({"definition": ")" + definition + "\"}",
                            with(text));
    };
    EXPECT_EQ(start("order").status, 201);
    EXPECT_EQ(start("payroll").slug(), "unknown-definition");
    server_.call(Method::post, workflows, R"({"definition": "payroll"})", with(admin_));
    EXPECT_EQ(get(workflows, text).at("/items").as_array().size(), 1u) << "narrowed by itself";
    EXPECT_EQ(get(workflows + "?definition=payroll", text).status, 404);
    EXPECT_EQ(get(workflows + "?definition=order&definition=payroll", text).status, 400);
    EXPECT_EQ(get("/api/v1/definitions", text).at("/items").as_array().size(), 1u);
    const std::string both = key("viewer", "bob", R"(, "definitions": ["order", "payroll"])");
    EXPECT_EQ(get(workflows, both).slug(), "not-allowed") << "of which one?";
    EXPECT_EQ(get(workflows + "?definition=payroll", both).at("/items").as_array().size(), 1u);
}

// The process `order` calls `payroll`, which waits for a person.
constexpr const char* caller_and_called = R"(
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="t">
  <process id="order" isExecutable="true">
    <startEvent id="s"/><sequenceFlow id="f" sourceRef="s" targetRef="c"/>
    <callActivity id="c" calledElement="payroll"/><sequenceFlow id="g" sourceRef="c" targetRef="e"/>
    <endEvent id="e"/>
  </process>
  <process id="payroll" isExecutable="true">
    <startEvent id="s2"/><sequenceFlow id="f2" sourceRef="s2" targetRef="u"/>
    <userTask id="u"/><sequenceFlow id="g2" sourceRef="u" targetRef="e2"/><endEvent id="e2"/>
  </process>
</definitions>)";

TEST_P(KeyApi, AKeyForOneDefinitionIsNotToldOfChildrenOfOthers) {
    const Reply deployed = server_.call(Method::post, "/api/v1/definitions", caller_and_called,
                                        with(admin_, {{"Content-Type", "application/xml"}}));
    ASSERT_EQ(deployed.status, 201) << deployed;
    const Reply started =
        server_.call(Method::post, workflows, R"({"definition": "order"})", with(admin_));
    ASSERT_EQ(started.status, 201) << started;
    const std::string target = workflows + "/" + started.text_at("/id") + "?include=why";
    const auto children = [&](const std::string& key) {
        return get(target, key).at("/why/children").as_array().size();
    };
    EXPECT_EQ(children(admin_), 1u);
    EXPECT_EQ(children(key("viewer", "ann", R"(, "definitions": ["order"])")), 0u);
}

TEST_P(KeyApi, AWorkerHoldsItsDefinitionsOnly) {
    for (const char* definition : {"order", "payroll"})
        server_.call(Method::put, std::string("/api/v1/definitions/") + definition,
                     R"({"runner": "worker"})", with(admin_));
    const std::string ours = key("worker", "ann", R"(, "definitions": ["order"])");
    const std::string others = key("worker", "bob", R"(, "definitions": ["payroll"])");
    const auto begin = [&](const std::string& key, const char* definition) {
        return server_.call(Method::post, "/api/v1/workers",
                            R"({"name": "w", "definitions": [")" + std::string(definition) + "\"]}",
                            with(key));
    };
    EXPECT_EQ(begin(ours, "payroll").slug(), "not-for-workers");
    EXPECT_EQ(begin(ours, "unknown").slug(), "not-for-workers") << "the same";
    const std::string worker = begin(ours, "order").text_at("/id");
    const std::string path = "/api/v1/workers/" + worker;
    EXPECT_EQ(server_.call(Method::post, path + "/claim", "{}", with(others)).slug(),
              "lease-ended");
    EXPECT_EQ(server_.call(Method::post, path + "/renew", "{}", with(others)).slug(),
              "lease-ended");
    EXPECT_EQ(server_.call(Method::del, path, {}, with(others)).status, 204);
    EXPECT_EQ(server_.call(Method::post, path + "/claim", "{}", with(ours)).status, 200) << "alive";
}

TEST(FirstKey, MustBeAnAdminsOrNobodyCouldMakeAnother) {
    ApiServer server("memory");
    const Reply refused =
        server.call(Method::post, keys, R"({"name": "ci", "roles": ["operator"]})");
    EXPECT_EQ(refused.status, 400) << refused;
    EXPECT_NE(refused.text_at("/detail").find("first key"), std::string::npos);
    EXPECT_EQ(server.call(Method::get, "/version").status, 200) << "still open";
}

TEST(FirstKey, BesideATokenFileMayBeAnyones) {
    const std::string token = "0123456789abcdef0123456789abcdef";
    ApiServer server("memory", {.gate = {.token = token}});
    const Reply made =
        server.call(Method::post, keys, R"({"name": "ci", "roles": ["viewer"]})", with(token));
    EXPECT_EQ(made.status, 201) << made;
    EXPECT_EQ(server.call(Method::get, "/version", {}, with(made.text_at("/key"))).status, 200);
    EXPECT_EQ(server.call(Method::get, "/version", {}, with(token)).status, 200);
    EXPECT_EQ(server.call(Method::get, keys, {}, with(made.text_at("/key"))).status, 403);
}

// Two servers on one database, each with what it knows of the keys.
TEST(SharedKeyApi, AChangeOnAnotherNodeIsKnownHere) {
    ApiServer server("postgres", {.keys = {.fresh_for = 0ms, .usable_for = 0ms}});
    SystemClock clock;
    const auto other = *open_store(server.world.place.url(), {.clock = &clock});
    EXPECT_EQ(server.call(Method::get, "/version").status, 200);
    const IssuedKey made = make_key();
    ASSERT_TRUE(other->change_keys({.add = ApiKey{.id = made.id,
                                                  .tenant = "default",
                                                  .user = "ann",
                                                  .roles = {"viewer"},
                                                  .secret = made.secret}}));
    EXPECT_EQ(server.call(Method::get, "/version").status, 401);
    EXPECT_EQ(server.call(Method::get, "/version", {}, with(made.text)).status, 200);
    const IssuedKey second = make_key();
    ASSERT_TRUE(other->change_keys({.add = ApiKey{.id = second.id,
                                                  .tenant = "default",
                                                  .user = "bob",
                                                  .roles = {"viewer"},
                                                  .secret = second.secret}}));
    EXPECT_EQ(server.call(Method::get, "/version", {}, with(second.text)).status, 200)
        << "the first request with a key that this node has not seen";
    EXPECT_EQ(server.call(Method::get, "/api/v1/keys", {}, with(second.text)).status, 403);
    EXPECT_EQ(server.call(Method::get, "/version", {}, with(make_key().text)).status, 401);
    EXPECT_EQ(server.call(Method::get, "/nothing", {}, with(make_key().text)).status, 401);
    const Moment now = clock.now();
    ASSERT_TRUE(other->change_keys({.end = EndKey{made.id, "default", now, now}}));
    EXPECT_EQ(server.call(Method::get, "/version", {}, with(made.text)).status, 401);
}

}  // namespace
}  // namespace holdfast::testing
