// Human tasks over HTTP: the list and the changes (000.12, 004.8).
#include "support/task_api.h"

#include <gtest/gtest.h>

namespace holdfast::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Stores, TaskApi, durable_stores(), store_name);

TEST_P(TaskApi, ARunnerAsksForATaskAndWaitsForItsEnd) {
    const std::string id = server_.start_id();
    const Reply created =
        create(id, 0,
               R"("name": "approve", "queue": "finance", "candidateGroups": ["boss"],
                  "payload": {"sum": 12}, "expectedOutputs": ["approved"],
                  "dueAt": "2027-01-01T00:00:00Z", "priority": 5)");
    ASSERT_EQ(created.status, 201) << created;
    const std::string task = created.text_at("/id");
    EXPECT_EQ(created.header("Location"), task_path(task));
    EXPECT_EQ(created.header("ETag"), "\"1\"");
    EXPECT_EQ(created.text_at("/workflow"), id);
    EXPECT_EQ(created.text_at("/state"), "created");
    EXPECT_EQ(created.text_at("/queue"), "finance");
    EXPECT_EQ(created.number_at("/payload/sum"), 12u);
    EXPECT_EQ(created.number_at("/priority"), 5u);
    EXPECT_TRUE(created.text_at("/dueAt").starts_with("2027-01-01T00:00:00"));
    EXPECT_EQ(fetch(task_path(task)).body, created.body);

    EXPECT_EQ(wait_for(id, 1, "task/" + task).status, 200);
    EXPECT_EQ(server_.get(id).text_at("/waiting/kind"), "task_completion");
    const Reply claimed = claim(task, "\"1\"", "ann", R"(, "groups": ["clerk", "boss"])");
    ASSERT_EQ(claimed.status, 200) << claimed;
    EXPECT_EQ(claimed.header("ETag"), "\"2\"");
    EXPECT_EQ(claimed.text_at("/holder"), "ann");
    const Reply missing = change(task, "complete", "\"2\"", "ann", R"(, "outputs": {})");
    EXPECT_EQ(missing.status, 422) << missing;
    EXPECT_EQ(missing.slug(), "missing-outputs");
    EXPECT_EQ(missing.text_at("/missing/0"), "approved");
    const Reply done =
        change(task, "complete", "\"2\"", "ann", R"(, "outputs": {"approved": true})");
    ASSERT_EQ(done.status, 200) << done;
    EXPECT_EQ(done.text_at("/state"), "completed");
    EXPECT_TRUE(done.at("/outputs/approved").as_bool());
    EXPECT_EQ(server_.get(id).text_at("/status"), "running");
    const Reply woken = fetch(path(id, "/steps/1"));
    EXPECT_EQ(woken.text_at("/value/outcome"), "completed");
    EXPECT_EQ(woken.text_at("/value/by"), "ann");
    EXPECT_TRUE(woken.at("/value/outputs/approved").as_bool());

    const Reply events = fetch(task_path(task, "/events"));
    ASSERT_EQ(events.at("/items").as_array().size(), 3u) << events;
    EXPECT_EQ(events.text_at("/items/0/type"), "created");
    EXPECT_EQ(events.text_at("/items/1/type"), "claimed");
    EXPECT_EQ(events.text_at("/items/2/type"), "completed");
    EXPECT_EQ(events.text_at("/items/2/user"), "ann");
}

TEST_P(TaskApi, TheEventsOfATaskComeInPages) {
    const std::string id = server_.start_id();
    const std::string task = create(id, 0, R"("name": "approve")").text_at("/id");
    const std::string other = create(id, 1, R"("name": "approve")").text_at("/id");
    ASSERT_EQ(claim(task, "\"1\"", "ann").status, 200);
    ASSERT_EQ(change(task, "release", "\"2\"", "ann").status, 200);
    const Reply first = fetch(task_path(task, "/events?limit=2"));
    ASSERT_EQ(first.at("/items").as_array().size(), 2u) << first;
    EXPECT_EQ(first.text_at("/items/1/type"), "claimed");
    const std::string cursor = "?limit=2&cursor=" + first.text_at("/nextCursor");
    const Reply second = fetch(task_path(task, "/events" + cursor));
    ASSERT_EQ(second.at("/items").as_array().size(), 1u) << second;
    EXPECT_EQ(second.text_at("/items/0/type"), "released");
    EXPECT_TRUE(second.at("/nextCursor").is_null());
    EXPECT_EQ(fetch(task_path(other, "/events" + cursor)).status, 400);
    EXPECT_EQ(fetch(task_path(task, "/events?limit=1000")).status, 200);
    EXPECT_EQ(fetch(task_path(task, "/events?limit=1001")).status, 400);
}

TEST_P(TaskApi, ARepeatedCreationGetsTheExistingTask) {
    const std::string id = server_.start_id();
    const std::string task = task_of(id, 0);
    const Reply again = create(id, 0);
    EXPECT_EQ(again.status, 200) << again;
    EXPECT_EQ(again.text_at("/outcome"), "alreadyRecorded");
    EXPECT_EQ(again.text_at("/task"), task);
    EXPECT_EQ(again.header("Location"), task_path(task));
    const Reply other = create(id, 0, R"("name": "approve", "priority": 1)");
    EXPECT_EQ(other.status, 409) << other;
    EXPECT_EQ(other.slug(), "diverged");
    EXPECT_EQ(create(id, 5).slug(), "overtaken");
    EXPECT_EQ(create(nobody, 0).status, 404);
    EXPECT_EQ(complete(id, 1).status, 200);
    EXPECT_EQ(create(id, 2).slug(), "ended");
    EXPECT_EQ(fetch(task_path(task)).text_at("/state"), "cancelled");
}

TEST_P(TaskApi, OfTwoClaimersOneWinsAndTheOtherLearnsWhoHoldsIt) {
    const std::string task = task_of(server_.start_id(), 0);
    EXPECT_EQ(claim(task, "\"1\"", "ann").status, 200);
    const Reply second = claim(task, "\"1\"", "bob");
    EXPECT_EQ(second.status, 409) << second;
    EXPECT_EQ(second.slug(), "task-held");
    EXPECT_EQ(second.text_at("/holder"), "ann");
    EXPECT_EQ(second.number_at("/currentVersion"), 2u);
    EXPECT_EQ(second.header("ETag"), "\"2\"");
    EXPECT_EQ(second.at("/currentTask"), fetch(task_path(task)).body);
    EXPECT_EQ(claim(task, "\"1\"", "ann").status, 200) << "she already holds it";
}

TEST_P(TaskApi, AStaleVersionGetsTheCurrentTask) {
    const std::string task = task_of(server_.start_id(), 0);
    claim(task, "*", "ann");
    for (const char* verb : {"release", "complete", "fail", "cancel"}) {
        const Reply stale = change(task, verb, "\"1\"", "ann");
        EXPECT_EQ(stale.status, 409) << verb << stale;
        EXPECT_EQ(stale.slug(), "stale-version");
        EXPECT_EQ(stale.number_at("/currentTask/version"), 2u);
        EXPECT_EQ(stale.header("ETag"), "\"2\"");
    }
    EXPECT_EQ(change(task, "delegate", "\"1\"", "ann", R"(, "to": "bob")").slug(), "stale-version");
    EXPECT_EQ(change(task, "assign", "\"1\"", "ann", R"(, "assignee": "bob")").slug(),
              "stale-version");
}

TEST_P(TaskApi, AUserWhoMayNotActIsRefused) {
    const std::string task =
        task_of(server_.start_id(), 0, R"("name": "approve", "assignee": "ann")");
    const Reply stranger = claim(task, "\"1\"", "eve");
    EXPECT_EQ(stranger.status, 403) << stranger;
    EXPECT_EQ(stranger.slug(), "not-a-candidate");
    const Reply unclaimed = change(task, "complete", "\"1\"", "ann");
    EXPECT_EQ(unclaimed.status, 409) << unclaimed;
    EXPECT_EQ(unclaimed.slug(), "not-the-holder");
    EXPECT_TRUE(unclaimed.at("/holder").is_null());
    claim(task, "\"1\"", "ann");
    EXPECT_EQ(change(task, "complete", "\"2\"", "eve").slug(), "not-the-holder");
    EXPECT_EQ(change(task, "delegate", "\"2\"", "eve", R"(, "to": "eve")").slug(), "task-held");
    EXPECT_EQ(change(task, "assign", "\"2\"", "boss", R"(, "assignee": "eve")").slug(),
              "task-held");
}

TEST_P(TaskApi, ATaskIsAssignedDelegatedReleasedAndFailed) {
    const std::string id = server_.start_id();
    const std::string task = task_of(id, 0);
    const Reply assigned = change(task, "assign", "\"1\"", "boss", R"(, "assignee": "ann")");
    EXPECT_EQ(assigned.text_at("/assignee"), "ann") << assigned;
    claim(task, "\"2\"", "ann");
    const Reply handed = change(task, "delegate", "\"3\"", "ann", R"(, "to": "bob")");
    EXPECT_EQ(handed.text_at("/assignee"), "bob") << handed;
    EXPECT_TRUE(handed.at("/holder").is_null());
    claim(task, "\"4\"", "bob");
    EXPECT_EQ(change(task, "release", "\"5\"", "bob").text_at("/state"), "created");
    EXPECT_TRUE(
        change(task, "assign", "\"6\"", "boss", R"(, "assignee": null)").at("/assignee").is_null());
    claim(task, "\"7\"", "cay");
    const Reply failed = change(task, "fail", "\"8\"", "cay", R"(, "error": {"code": "lost"})");
    EXPECT_EQ(failed.text_at("/state"), "failed") << failed;
    EXPECT_EQ(failed.text_at("/error/code"), "lost");
    const Reply again = change(task, "fail", "\"8\"", "cay");
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(again.body, failed.body);
    const Reply late = claim(task, "\"9\"", "ann");
    EXPECT_EQ(late.status, 409);
    EXPECT_EQ(late.slug(), "task-ended");
    EXPECT_EQ(change(task, "cancel", "\"9\"", "ann").slug(), "task-ended");
    EXPECT_EQ(wait_for(id, 1, "task/" + task).text_at("/value/error/code"), "lost");
}

TEST_P(TaskApi, ACancelledTaskNotifiesItsWorkflowOnce) {
    const std::string id = server_.start_id();
    const std::string task = task_of(id, 0);
    EXPECT_EQ(change(task, "cancel", "*", "boss").text_at("/state"), "cancelled");
    EXPECT_EQ(change(task, "cancel", "\"1\"", "boss").status, 200);
    EXPECT_EQ(fetch("/api/v1/pending-events?target=" + id).at("/items").as_array().size(), 1u);
}

TEST_P(TaskApi, TheInboxIsFilteredAndPaged) {
    const std::string id = server_.start_id();
    const std::string first = task_of(id, 0, R"("name": "a", "assignee": "ann", "queue": "q")");
    const std::string second =
        task_of(id, 1, R"("name": "b", "candidateUsers": ["bob"], "candidateGroups": ["boss"])");
    const std::string third = task_of(id, 2, R"("name": "c", "dueAt": "2027-01-01T00:00:00Z")");
    claim(third, "*", "ann");
    const auto ids = [&](const std::string& query) {
        std::string found;
        const Reply page = fetch("/api/v1/tasks" + query);
        EXPECT_EQ(page.status, 200) << page;
        for (const auto& item : page.at("/items").as_array())
            found += item.at("name").as_string().c_str();
        return found;
    };
    EXPECT_EQ(ids(""), "abc");
    EXPECT_EQ(ids("?assignee=ann"), "a");
    EXPECT_EQ(ids("?holder=ann"), "c");
    EXPECT_EQ(ids("?candidate=bob"), "b");
    EXPECT_EQ(ids("?group=boss"), "b");
    EXPECT_EQ(ids("?queue=q"), "a");
    EXPECT_EQ(ids("?state=claimed"), "c");
    EXPECT_EQ(ids("?state=open"), "abc");
    EXPECT_EQ(ids("?state=completed,failed"), "");
    EXPECT_EQ(ids("?definition=order"), "abc");
    EXPECT_EQ(ids("?workflow=" + id + "&state=created"), "ab");
    EXPECT_EQ(ids("?workflow=" + std::string(nobody)), "");
    EXPECT_EQ(ids("?dueBefore=2027-01-02T00:00:00Z"), "c");
    EXPECT_EQ(ids("?dueBefore=2026-01-02T00:00:00Z"), "");
    const Reply page = fetch("/api/v1/tasks?limit=2&state=open");
    const std::string cursor = page.text_at("/nextCursor");
    EXPECT_EQ(ids("?limit=2&state=open&cursor=" + cursor), "c");
    EXPECT_EQ(fetch("/api/v1/tasks?limit=2&cursor=" + cursor).status, 400) << "other filters";
}

TEST_P(TaskApi, ABusinessKeyFindsTheTasksOfItsWorkflow) {
    server_.start_id();
    const Reply started =
        post("/api/v1/workflows", R"({"definition": "order", "businessKey": "order-17"})");
    const std::string task = task_of(started.text_at("/id"), 0);
    const Reply found = fetch("/api/v1/tasks?businessKey=order-17");
    ASSERT_EQ(found.at("/items").as_array().size(), 1u) << found;
    EXPECT_EQ(found.text_at("/items/0/id"), task);
    EXPECT_EQ(found.text_at("/items/0/businessReference/key"), "order-17");
}

TEST_P(TaskApi, PartsOfTheBusinessReferenceFindTheTasksOfTheirWorkflow) {
    server_.start_id();
    const auto ask = [&](const std::string& parts) {
        const Reply started =
            post("/api/v1/workflows",
                 R"({"definition": "order", "businessReference": {"parts": )" + parts + "}}");
        return task_of(started.text_at("/id"), 0);
    };
    const std::string dutch = ask(R"({"country": "NL", "number": "17"})");
    const std::string german = ask(R"({"country": "DE", "number": "17"})");
    const auto ids = [&](const std::string& query) {
        const Reply page = fetch("/api/v1/tasks" + query);
        EXPECT_EQ(page.status, 200) << page;
        std::vector<std::string> found;
        for (const auto& item : page.at("/items").as_array())
            found.emplace_back(item.at("id").as_string());
        return found;
    };
    EXPECT_EQ(ids("?businessPart.number=17"), (std::vector{dutch, german}));
    EXPECT_EQ(ids("?businessPart.number=17&businessPart.country=DE"), std::vector{german});
    EXPECT_EQ(ids("?businessPart.country=NL&state=open"), std::vector{dutch});
    EXPECT_EQ(ids("?businessPart.country=17"), std::vector<std::string>{});
    EXPECT_EQ(fetch(task_path(dutch)).text_at("/businessReference/parts/country"), "NL");
    const Reply page = fetch("/api/v1/tasks?businessPart.number=17&limit=1");
    const std::string cursor = "&cursor=" + page.text_at("/nextCursor");
    EXPECT_EQ(ids("?businessPart.number=17&limit=1" + cursor), std::vector{german});
    EXPECT_EQ(fetch("/api/v1/tasks?businessPart.number=18&limit=1" + cursor).status, 400);
}

TEST_P(TaskApi, AWorkflowShowsItsOldestOpenTask) {
    const std::string id = server_.start_id();
    const auto active = [&] {
        const Reply shown = server_.get(id);
        const auto* task = shown.body.as_object().if_contains("activeTask");
        return task ? std::string(task->as_string()) : "none";
    };
    EXPECT_EQ(active(), "none");
    const std::string first = task_of(id, 0);
    const std::string second = task_of(id, 1);
    EXPECT_EQ(active(), first);
    claim(first, "*", "ann");
    EXPECT_EQ(active(), first);
    EXPECT_EQ(change(first, "complete", "*", "ann").status, 200);
    EXPECT_EQ(active(), second);
    EXPECT_EQ(complete(id, 2).status, 200);
    EXPECT_EQ(active(), "none");
}

TEST_P(TaskApi, AnUnchangedTaskIsNotSentAgain) {
    const std::string task = task_of(server_.start_id(), 0);
    const Fields seen{{"If-None-Match", "\"1\""}};
    EXPECT_EQ(server_.call(Method::get, task_path(task), {}, seen).status, 304);
    claim(task, "*", "ann");
    EXPECT_EQ(server_.call(Method::get, task_path(task), {}, seen).status, 200);
}

TEST_P(TaskApi, WhatIsNotThereIsNotFound) {
    EXPECT_EQ(fetch(task_path(nobody)).slug(), "no-such-task");
    EXPECT_EQ(fetch(task_path(nobody, "/events")).status, 404);
    EXPECT_EQ(claim(nobody, "*", "ann").slug(), "no-such-task");
    const std::string id = server_.start_id();
    const std::string task = task_of(id, 0);
    EXPECT_EQ(server_.call(Method::del, ApiServer::path_of(id), {}, {{"If-Match", "\"2\""}}).status,
              204);
    EXPECT_EQ(fetch(task_path(task)).status, 404);
    EXPECT_EQ(fetch(task_path(task, "/events")).status, 404);
}

}  // namespace
}  // namespace holdfast::testing
