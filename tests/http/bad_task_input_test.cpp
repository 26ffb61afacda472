// Hostile and mistaken requests about tasks: each gets its 4xx as a problem document and leaves no
// trace.
#include <gtest/gtest.h>

#include "support/task_api.h"

namespace holdfast::testing {
namespace {

using namespace std::string_literals;

class BadTaskInput : public TaskApi {
protected:
    BadTaskInput() : id_(server_.start_id()), task_(task_of(id_, 0)) {}

    struct Attack {
        int status;
        Method method;
        std::string target;
        std::string body = {};
        Fields headers = {{"If-Match", "\"1\""}};
    };

    void expect_all_refused(const std::vector<Attack>& attacks) {
        const std::string before = fingerprint(server_);
        for (const Attack& attack : attacks) {
            const Reply reply =
                server_.call(attack.method, attack.target, attack.body, attack.headers);
            SCOPED_TRACE(std::string(name_of(attack.method)) + ' ' + attack.target.substr(0, 300) +
                         ' ' + attack.body.substr(0, 300));
            EXPECT_EQ(reply.status, attack.status) << reply;
            EXPECT_EQ(reply.header("Content-Type"), "application/problem+json");
            EXPECT_TRUE(reply.text_at("/type").starts_with("/problems/"));
            EXPECT_FALSE(reply.text_at("/detail").empty());
        }
        EXPECT_EQ(fingerprint(server_), before);
    }

    std::string id_;
    std::string task_;  // at version 1, unclaimed
};

INSTANTIATE_TEST_SUITE_P(Stores, BadTaskInput, durable_stores(), store_name);

constexpr const char* verbs[] = {"claim",    "release", "assign", "delegate",
                                 "complete", "fail",    "cancel"};

TEST_P(BadTaskInput, EveryChangeNeedsTheVersionItStartsFrom) {
    std::vector<Attack> attacks;
    for (const char* verb : verbs) {
        const std::string target = task_path(task_, "/"s + verb);
        const std::string body = R"({"user": "ann"})";
        std::string full = body;
        if (verb == "assign"s) full = R"({"user": "ann", "assignee": "bob"})";
        if (verb == "delegate"s) full = R"({"user": "ann", "to": "bob"})";
        attacks.push_back({400, Method::post, target, full, {}});
        for (const char* match : {"", "x", "W/\"1\"", "\"1\", \"2\"", "-1", "01", "1.0"})
            attacks.push_back({400, Method::post, target, full, {{"If-Match", match}}});
        attacks.push_back({409, Method::post, target, full, {{"If-Match", "\"7\""}}});
    }
    expect_all_refused(attacks);
}

TEST_P(BadTaskInput, TheActingUserIsReadStrictly) {
    std::vector<Attack> attacks;
    for (const char* verb : verbs)
        for (const std::string& body :
             {""s, "[]"s, "7"s, "{"s, "{}"s, R"({"user": null})"s, R"({"user": ""})"s,
              R"({"user": 7})"s, R"({"user": "a\u0000b"})"s, R"({"user": "a\nb"})"s,
              R"({"user": "ann", "user": "bob"})"s, R"({"user": "ann", "groups": "boss"})"s,
              R"({"user": "ann", "groups": [7]})"s, R"({"user": "ann", "groups": [""]})"s,
              R"({"user": "ann", "groups": ["a", "a"]})"s, R"({"user": "ann", "usr": 1})"s,
              "{\"user\": \"" + std::string(257, 'u') + "\"}"}) {
            const int status = body.empty() ? 415 : 400;
            attacks.push_back({status, Method::post, task_path(task_, "/"s + verb), body});
        }
    expect_all_refused(attacks);
}

TEST_P(BadTaskInput, ChangesAreReadStrictly) {
    const auto at = [&](const char* verb) { return task_path(task_, "/"s + verb); };
    expect_all_refused({
        {400, Method::post, at("assign"), R"({"user": "ann"})"},
        {400, Method::post, at("assign"), R"({"user": "ann", "assignee": 7})"},
        {400, Method::post, at("assign"), R"({"user": "ann", "assignee": ""})"},
        {400, Method::post, at("delegate"), R"({"user": "ann"})"},
        {400, Method::post, at("delegate"), R"({"user": "ann", "to": null})"},
        {400, Method::post, at("delegate"), R"({"user": "ann", "to": ["bob"]})"},
        {400, Method::post, at("complete"), R"({"user": "ann", "outputs": [1]})"},
        {400, Method::post, at("complete"), R"({"user": "ann", "outputs": null})"},
        {400, Method::post, at("complete"), R"({"user": "ann", "error": 1})"},
        {400, Method::post, at("fail"), R"({"user": "ann", "outputs": {}})"},
        {400, Method::post, at("claim?x=1"), R"({"user": "ann"})"},
        {404, Method::post, at("steal"), R"({"user": "ann"})"},
        {405, Method::get, at("claim")},
        {405, Method::post, task_path(task_), "{}"},
        {400, Method::get, task_path("x")},
        {400, Method::get, task_path("x", "/events")},
        {400, Method::post, task_path("x", "/claim"), R"({"user": "ann"})"},
        {404, Method::post, task_path(nobody, "/claim"), R"({"user": "ann"})"},
        {409, Method::post, at("complete"), R"({"user": "ann", "outputs": {}})"},
    });
}

TEST_P(BadTaskInput, KeysAreReadStrictly) {
    std::vector<Attack> attacks;
    for (const std::string& key : {""s, "a b"s, "\xc3\xa4"s, std::string(256, 'k')}) {
        const Fields headers{{"If-Match", "\"1\""}, {"Idempotency-Key", key}};
        for (const char* verb : {"claim", "cancel"})
            attacks.push_back(
                {400, Method::post, task_path(task_, "/"s + verb), R"({"user": "ann"})", headers});
        attacks.push_back({400, Method::post, path(id_, "/tasks"),
                           R"({"run": 1, "index": 1, "name": "x"})", headers});
    }
    expect_all_refused(attacks);
}

TEST_P(BadTaskInput, NewTasksAreReadStrictly) {
    std::vector<Attack> attacks;
    const std::string target = path(id_, "/tasks");
    const std::string start = R"({"run": 1, "index": 1, )";
    std::string many = "[\"0\"";
    for (int i = 1; i <= 100; ++i) many += ",\"" + std::to_string(i) + '"';
    for (const std::string& more :
         {R"("name": "")"s,
          R"("name": 7)"s,
          R"("nam": "x")"s,
          R"("name": "a\u0001")"s,
          R"("name": "x", "queue": "")"s,
          R"("name": "x", "queue": 1)"s,
          R"("name": "x", "assignee": "")"s,
          R"("name": "x", "assignee": {})"s,
          R"("name": "x", "candidateUsers": "ann")"s,
          R"("name": "x", "candidateUsers": [1])"s,
          R"("name": "x", "candidateUsers": ["a", "a"])"s,
          R"("name": "x", "candidateGroups": [null])"s,
          "\"name\": \"x\", \"candidateGroups\": " + many + "]",
          R"("name": "x", "expectedOutputs": [""])"s,
          R"("name": "x", "dueAt": "tomorrow")"s,
          R"("name": "x", "dueAt": 5)"s,
          R"("name": "x", "priority": -1)"s,
          R"("name": "x", "priority": 1001)"s,
          R"("name": "x", "priority": 1.5)"s,
          R"("name": "x", "payload": ")"s + std::string(300'000, 'p') + '"'})
        attacks.push_back({400, Method::post, target, start + more + "}"});
    for (const char* body : {R"({"name": "x"})", R"({"run": 1, "name": "x"})",
                             R"({"run": 0, "index": 1, "name": "x"})",
                             R"({"run": 1, "index": -1, "name": "x"})", "[]", "null"})
        attacks.push_back({400, Method::post, target, body});
    attacks.push_back({415, Method::post, target, ""});
    attacks.push_back({409, Method::post, target, R"({"run": 2, "index": 1, "name": "x"})"});
    attacks.push_back({409, Method::post, target, R"({"run": 1, "index": 0, "name": "x"})"});
    attacks.push_back(
        {404, Method::post, path(nobody, "/tasks"), R"({"run": 1, "index": 0, "name": "x"})"});
    expect_all_refused(attacks);
}

TEST_P(BadTaskInput, ListsTakeOnlyWhatTheyKnow) {
    std::vector<Attack> attacks;
    for (const std::string& query : {"?x=1"s,
                                     "?assignee="s,
                                     "?assignee=%00"s,
                                     "?holder=%0A"s,
                                     "?group=%FF"s,
                                     "?queue="s,
                                     "?businessKey="s,
                                     "?businessPart.=x"s,
                                     "?businessPart.a%20b=x"s,
                                     "?businessPart.a=%00"s,
                                     "?businessPart.a=x&businessPart.a=y"s,
                                     "?businessParts=x"s,
                                     "?definition="s,
                                     "?workflow=x"s,
                                     "?state="s,
                                     "?state=done"s,
                                     "?state=open,"s,
                                     "?state=OPEN"s,
                                     "?dueBefore=now"s,
                                     "?limit=0"s,
                                     "?limit=501"s,
                                     "?cursor=x"s,
                                     "?cursor="s,
                                     "?assignee=a&assignee=b"s,
                                     "?candidate=" + std::string(257, 'c')})
        attacks.push_back({400, Method::get, "/api/v1/tasks" + query});
    attacks.push_back({400, Method::get, task_path(task_, "?x=1")});
    attacks.push_back({400, Method::get, task_path(task_, "/events?limit=0")});
    expect_all_refused(attacks);
}

}  // namespace
}  // namespace holdfast::testing
