// Repeats with an Idempotency-Key, and concurrent changes of one task (000.12).
#include <gtest/gtest.h>

#include "base/threads/threads.h"
#include "support/task_api.h"

namespace holdfast::testing {
namespace {

struct Request {
    std::string target;
    std::string body;
    std::string key;
};

class TaskRepeats : public TaskApi {
protected:
    Reply send(const Request& request) {
        return post(request.target, request.body,
                    {{"If-Match", "*"}, {"Idempotency-Key", request.key}});
    }
    static Request change_of(const std::string& task, const std::string& verb,
                             const std::string& more = "") {
        return {task_path(task, "/" + verb), R"({"user": "ann")" + more + "}", {}};
    }
    // Sends all of these concurrently, each on its own connection.
    std::vector<Reply> race(const std::vector<Request>& requests, const std::string& if_match) {
        std::vector<Reply> replies(requests.size());
        std::vector<std::jthread> callers;
        for (std::size_t i = 0; i < requests.size(); ++i)
            callers.push_back(named_thread("caller", [&, i](std::stop_token) {
                Fields headers{{"If-Match", if_match}};
                if (!requests[i].key.empty())
                    headers.emplace_back("Idempotency-Key", requests[i].key);
                replies[i] = server_.client().call(Method::post, requests[i].target,
                                                   requests[i].body, headers);
            }));
        callers.clear();
        return replies;
    }
    std::size_t events(const std::string& task) {
        return fetch(task_path(task, "/events")).at("/items").as_array().size();
    }
};

INSTANTIATE_TEST_SUITE_P(Stores, TaskRepeats, durable_stores(), store_name);

TEST_P(TaskRepeats, ARepeatWithItsKeyGetsTheFirstAnswer) {
    const std::string id = server_.start_id();
    const std::string asked =
        R"({"run": 1, "index": 0, "name": "approve", "queue": "q", "candidateUsers": ["ann"],
            "payload": {"sum": [1, 0.5, "ä"]}, "dueAt": "2027-01-01T00:00:00Z", "priority": 3})";
    const std::string task = send({path(id, "/tasks"), asked, "0"}).text_at("/id");
    const std::string failing = task_of(id, 1);
    const std::string cancelled = task_of(id, 2);
    std::vector<Request> requests = {change_of(task, "claim"),
                                     change_of(task, "release"),
                                     change_of(task, "assign", R"(, "assignee": "ann")"),
                                     change_of(task, "delegate", R"(, "to": "ann")"),
                                     change_of(task, "claim"),
                                     change_of(task, "complete", R"(, "outputs": {"ok": true})"),
                                     change_of(failing, "claim"),
                                     change_of(failing, "fail", R"(, "error": null)"),
                                     change_of(cancelled, "cancel")};
    std::vector<Reply> first;
    for (Request& request : requests) {
        request.key = std::to_string(first.size() + 1);
        first.push_back(send(request));
        ASSERT_EQ(first.back().status, 200) << request.target << first.back();
    }
    const Reply before = server_.get(id);
    server_.restart();
    const Reply created = send({path(id, "/tasks"), asked, "0"});
    EXPECT_EQ(created.status, 201) << created;
    EXPECT_EQ(created.text_at("/id"), task);
    EXPECT_EQ(created.text_at("/state"), "created");
    EXPECT_EQ(created.header("Location"), task_path(task));
    for (std::size_t i = 0; i < requests.size(); ++i) {
        const Reply again = send(requests[i]);
        EXPECT_EQ(again.status, 200) << requests[i].target << again;
        EXPECT_EQ(again.text, first[i].text) << requests[i].target;
        EXPECT_EQ(again.header("ETag"), first[i].header("ETag"));
    }
    EXPECT_EQ(server_.get(id).text, before.text);
    EXPECT_EQ(events(task), 7u);
}

TEST_P(TaskRepeats, AKeyBelongsToOneRequest) {
    const std::string id = server_.start_id();
    const std::string task = task_of(id, 0);
    Request claim = change_of(task, "claim");
    claim.key = "mine";
    ASSERT_EQ(send(claim).status, 200);
    for (Request other :
         {change_of(task, "release"), change_of(task, "claim", R"(, "groups": [])"),
          Request{path(id, "/tasks"), R"({"run": 1, "index": 1, "name": "x"})", {}}}) {
        other.key = "mine";
        const Reply reused = send(other);
        EXPECT_EQ(reused.status, 422) << reused;
        EXPECT_EQ(reused.slug(), "idempotency-key-reused");
    }
    EXPECT_EQ(events(task), 1u + 1u);
}

TEST_P(TaskRepeats, ARefusalLeavesTheKeyFree) {
    const std::string task = task_of(server_.start_id(), 0, R"("name": "a", "assignee": "bob")");
    Request claim = change_of(task, "claim");
    claim.key = "k";
    EXPECT_EQ(send(claim).status, 403);
    EXPECT_EQ(change(task, "assign", "*", "boss", R"(, "assignee": "ann")").status, 200);
    EXPECT_EQ(send(claim).status, 200) << "a refused request may be sent again";
    EXPECT_EQ(events(task), 3u);
}

TEST_P(TaskRepeats, RequestsWithOneKeyAtTheSameTimeAreOneChange) {
    const std::string task = task_of(server_.start_id(), 0);
    Request claim = change_of(task, "claim");
    claim.key = "once";
    for (const Reply& reply : race(std::vector(8, claim), "\"1\"")) {
        EXPECT_EQ(reply.status, 200) << reply;
        EXPECT_EQ(reply.number_at("/version"), 2u);
    }
    EXPECT_EQ(events(task), 2u);
}

TEST_P(TaskRepeats, OfManyClaimersAtOnceOneWinsAndTheOthersLearnWhoHoldsIt) {
    const std::string id = server_.start_id();
    for (int index = 0; index < 10; ++index) {
        const std::string task = task_of(id, index);
        std::vector<Request> claims;
        for (int i = 0; i < 8; ++i)
            claims.push_back(
                {task_path(task, "/claim"), R"({"user": "user-)" + std::to_string(i) + "\"}", {}});
        const auto replies = race(claims, "\"1\"");
        const std::string holder = fetch(task_path(task)).text_at("/holder");
        int won = 0;
        for (std::size_t i = 0; i < replies.size(); ++i) {
            EXPECT_EQ(replies[i].text_at("/holder"), holder);
            EXPECT_EQ(replies[i].header("ETag"), "\"2\"");
            if (holder == "user-" + std::to_string(i)) {
                won += replies[i].status == 200;
            } else {
                EXPECT_EQ(replies[i].status, 409) << replies[i];
                EXPECT_EQ(replies[i].slug(), "task-held");
            }
        }
        EXPECT_EQ(won, 1);
        EXPECT_EQ(events(task), 2u);
    }
}

TEST_P(TaskRepeats, OfManyThatEndATaskAtOnceOneDoes) {
    const std::string task = task_of(server_.start_id(), 0);
    claim(task, "*", "ann");
    std::vector<Request> ends;
    for (const char* verb : {"complete", "fail", "cancel", "release"})
        for (int i = 0; i < 2; ++i) ends.push_back(change_of(task, verb));
    int changed = 0;
    for (const Reply& reply : race(ends, "\"2\"")) {
        if (reply.status == 200) {
            ++changed;
            continue;
        }
        EXPECT_EQ(reply.status, 409) << reply;
        EXPECT_EQ(reply.number_at("/currentVersion"), 3u);
    }
    EXPECT_GE(changed, 1);
    EXPECT_LE(changed, 2) << "a second request may find the state it wanted";
    EXPECT_EQ(events(task), 3u);
}

}  // namespace
}  // namespace holdfast::testing
