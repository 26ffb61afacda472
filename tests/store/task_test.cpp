// Human tasks on every store (000.12, 000.13, 004.8).
#include "support/mail_world.h"

namespace holdfast::testing {
namespace {

using namespace std::chrono_literals;

class StoredTasks : public ::testing::TestWithParam<const char*> {
protected:
    StoredTasks() : world(GetParam()) {}

    HumanTask task(const InstanceId& instance, TaskSpec spec) {
        return {.id = world.ids.next<TaskId>(),
                .instance = instance,
                .definition = "orders",
                .business = {},
                .spec = std::move(spec)};
    }
    static TaskBox::Entry entry(TaskEventType type, const Cause& cause) {
        return {.type = type,
                .caller = {.user = "ann", .groups = {"boss"}, .roles = {"clerk"}},
                .detail = document(R"({"why":"test"})"),
                .operation = cause.operation};
    }
    HumanTask put(HumanTask one) {
        const Cause cause = world.cause();
        HumanTask stored;
        world.round(one.instance, [&](View& view) {
            one.created_at = view.now();
            stored = view.tasks().accept(one, entry(TaskEventType::created, cause), view.now());
        });
        return stored;
    }
    HumanTask update(HumanTask one) {
        const Cause cause = world.cause();
        ReadSet reads;
        reads.instance(one.instance, Depth::row);
        reads.task(one.id);
        HumanTask stored;
        world.round(reads, [&](View& view) {
            EXPECT_TRUE(view.tasks().find(one.id));
            stored = view.tasks().accept(one, entry(TaskEventType::claimed, cause), view.now());
        });
        return stored;
    }
    // Each filter alone, and some together.
    std::vector<TaskQuery> every_filter(const InstanceId& here, const InstanceId& there,
                                        Moment due) {
        return {
            {},
            {.assignee = "ann"},
            {.assignee = "nobody"},
            {.holder = "ann"},
            {.candidate_user = "cay"},
            {.candidate_user = "boss"},
            {.candidate_group = "clerk"},
            {.candidate_group = "ann"},
            {.definition = "offers"},
            {.business_key = "order-17"},
            {.queue = "finance"},
            {.instance = here},
            {.instance = world.ids.next<InstanceId>()},
            {.states = {TaskState::created}},
            {.states = {TaskState::created, TaskState::claimed}},
            {.states = {TaskState::completed, TaskState::failed}},
            {.due_before = due + 10s},
            {.due_before = due},
            {.assignee = "bob", .definition = "orders", .states = {TaskState::created}},
            {.candidate_user = "ann", .candidate_group = "boss"},
            {.holder = "ann", .instance = there},
            {.business_parts = {{"country", "NL"}}},
            {.business_parts = {{"country", "NL"}, {"n", "1"}}},
            {.business_parts = {{"country", "n"}}},
            {.assignee = "ann", .business_parts = {{"country", "NL"}}, .states = open},
            {.business_key = "order-17", .business_parts = {{"n", "0"}}},
            {.assignee = "ann", .states = open},
            {.holder = "ann", .states = open},
            {.candidate_user = "cay", .states = open},
            {.candidate_group = "clerk", .states = open},
            {.definition = "offers", .states = open},
            {.business_key = "order-17", .states = open},
            {.queue = "finance", .states = open},
            {.instance = there, .states = open},
            {.states = open, .due_before = due + 1h},
            {.definition = "orders", .due_before = due + 1h},
            {.definition = "orders", .business_key = "order-17", .due_before = due + 1h},
        };
    }
    static inline const std::vector<TaskState> open{TaskState::created, TaskState::claimed};

    std::vector<TaskId> found(TaskQuery query) {
        std::vector<TaskId> ids;
        query.limit = 3;
        for (int pages = 0; pages < 50; ++pages) {
            const auto page = world.store->ask(query);
            EXPECT_TRUE(page.has_value()) << (page ? "" : page.error().message);
            if (!page) return ids;
            EXPECT_LE(page->items.size(), query.limit);
            for (const HumanTask& one : page->items) ids.push_back(one.id);
            if (!page->next) return ids;
            query.after = page->next;
        }
        ADD_FAILURE() << "pages without an end";
        return ids;
    }

    MailWorld world;
};

TEST_P(StoredTasks, ATaskComesBackAsItWas) {
    const InstanceId id = world.running();
    HumanTask full = task(id, {.name = "näme",
                               .queue = "finance",
                               .assignee = "ann",
                               .candidate_users = {"z", "a, \"b\"", "ü"},
                               .candidate_groups = {"boss"},
                               .payload = document(R"({"b":[1,"ä",null],"a":{"x":0.5}})"),
                               .expected_outputs = {"two", "one"},
                               .due_at = Moment{std::chrono::microseconds{1'800'000'000'123'456}},
                               .priority = 1000});
    full.business = {.key = "order-17", .parts = {{"country", "ä, \"b\""}, {"number", "17"}}};
    full = put(full);
    EXPECT_EQ(*world.store->ask(FindTask{full.id}), full);
    const HumanTask plain = put(task(id, {.name = "plain", .payload = document("null")}));
    EXPECT_EQ(*world.store->ask(FindTask{plain.id}), plain);
    full.state = TaskState::completed;
    full.holder = "ann";
    full.outputs = document(R"({"one":1,"two":[]})");
    full.error = document("null");
    full.spec.assignee.reset();
    full = update(full);
    EXPECT_EQ(full.version, 2u);
    EXPECT_TRUE(full.ended_at.has_value());
    EXPECT_EQ(*world.store->ask(FindTask{full.id}), full);
    EXPECT_EQ(*world.store->ask(FindTask{world.ids.next<TaskId>()}), std::nullopt);
}

TEST_P(StoredTasks, EventsComeBackInOrder) {
    const HumanTask one = put(task(world.running(), {.name = "t"}));
    HumanTask claimed = one;
    claimed.state = TaskState::claimed;
    claimed.holder = "ann";
    update(claimed);
    const auto events = world.store->ask(TaskEventQuery{.task = one.id});
    ASSERT_EQ(events->items.size(), 2u);
    const TaskEvent& first = events->items.front();
    EXPECT_EQ(first.task, one.id);
    EXPECT_EQ(first.instance, one.instance);
    EXPECT_EQ(first.version, 1u);
    EXPECT_EQ(first.type, TaskEventType::created);
    EXPECT_EQ(first.caller, (Caller{.user = "ann", .groups = {"boss"}, .roles = {"clerk"}}));
    EXPECT_EQ(first.detail, document(R"({"why":"test"})"));
    EXPECT_EQ(first.at, one.created_at);
    EXPECT_EQ(events->items.back().version, 2u);
    EXPECT_EQ(events->items.back().type, TaskEventType::claimed);
}

TEST_P(StoredTasks, EveryFilterFindsWhatItNames) {
    const InstanceId here = world.running();
    const InstanceId there = world.running();
    const Moment due{std::chrono::seconds{1'900'000'000}};
    std::vector<HumanTask> all;
    for (int i = 0; i < 24; ++i) {
        TaskSpec spec{.name = "t", .queue = i % 5 ? "" : "finance"};
        if (i % 2) spec.assignee = i % 3 ? "ann" : "bob";
        if (i % 3 == 0) spec.candidate_users = {"ann", "cay"};
        if (i % 4 == 0) spec.candidate_groups = {"boss", "clerk"};
        if (i % 6 == 1) spec.due_at = due + std::chrono::seconds{i};
        HumanTask one = task(i % 2 ? here : there, spec);
        one.definition = i % 4 ? "orders" : "offers";
        one.business.key = i % 7 ? "" : "order-17";
        if (i % 3 == 1) one.business.parts = {{"country", "NL"}, {"n", std::to_string(i % 2)}};
        one = put(one);
        if (i % 5 == 2) {
            one.state = i % 2 ? TaskState::claimed : TaskState::completed;
            one.holder = "ann";
            one = update(one);
        }
        all.push_back(one);
    }
    const auto queries = every_filter(here, there, due);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        std::vector<TaskId> expected;
        for (const HumanTask& one : all)
            if (matches(queries[i], one)) expected.push_back(one.id);
        EXPECT_EQ(found(queries[i]), expected) << "query " << i;
    }
    EXPECT_EQ(found({}).size(), 24u);
    EXPECT_EQ(found({.candidate_user = "cay"}).size(), 8u);
    EXPECT_EQ(found({.candidate_user = "cay", .states = open}).size(), 7u);
    EXPECT_EQ(found({.holder = "ann"}).size(), 5u);
    EXPECT_EQ(found({.business_parts = {{"country", "NL"}}}).size(), 8u);
    EXPECT_EQ(found({.due_before = due + 10s}).size(), 2u);
}

// More than the SQLite store reads and sorts in one go.
TEST_P(StoredTasks, ManyThatAreDueComePageByPage) {
    const InstanceId id = world.running();
    const Moment due{std::chrono::seconds{1'900'000'000}};
    const Cause cause = world.cause();
    std::vector<TaskId> all;
    world.round(id, [&](View& view) {
        all.clear();
        for (int i = 0; i < 2'100; ++i) {
            HumanTask one = task(id, {.name = "t", .due_at = due - std::chrono::seconds{i}});
            all.push_back(one.id);
            view.tasks().accept(std::move(one), entry(TaskEventType::created, cause), view.now());
        }
    });
    TaskQuery query{.due_before = due + 1s, .limit = 500};
    std::vector<TaskId> seen;
    for (int pages = 1; pages <= 5; ++pages) {
        const auto page = world.store->ask(query);
        ASSERT_TRUE(page.has_value());
        for (const HumanTask& one : page->items) seen.push_back(one.id);
        EXPECT_EQ(page->next.has_value(), pages < 5);
        query.after = page->next;
    }
    EXPECT_EQ(seen, all);
    EXPECT_EQ(world.store->ask(TaskQuery{.due_before = due - 2'000s, .limit = 500})->items.size(),
              99u);
}

TEST_P(StoredTasks, AnInstanceShowsItsOldestOpenTask) {
    const InstanceId id = world.running();
    const auto active = [&] {
        return world.store->ask(FindInstance{id, Depth::document})->value().active_task;
    };
    EXPECT_EQ(active(), std::nullopt);
    HumanTask first = put(task(id, {.name = "first"}));
    HumanTask second = put(task(id, {.name = "second"}));
    put(task(world.running(), {.name = "other"}));
    EXPECT_EQ(active(), first.id);
    EXPECT_EQ(world.store->ask(FindInstance{id, Depth::whole})->value().active_task, first.id);
    EXPECT_EQ(world.store->ask(FindInstance{id, Depth::row})->value().active_task, std::nullopt);
    first.state = TaskState::completed;
    update(first);
    EXPECT_EQ(active(), second.id);
    second.state = TaskState::cancelled;
    update(second);
    EXPECT_EQ(active(), std::nullopt);
}

TEST_P(StoredTasks, ARoundReadsTheTasksThatItNamesAndTheOpenOnes) {
    const InstanceId id = world.running();
    const HumanTask waiting = put(task(id, {.name = "open"}));
    HumanTask ended = put(task(id, {.name = "ended"}));
    ended.state = TaskState::failed;
    ended = update(ended);
    const HumanTask other = put(task(world.running(), {.name = "other"}));
    ReadSet reads;
    reads.instance(id, Depth::row);
    reads.open_tasks(id);
    world.round(reads, [&](View& view) {
        EXPECT_EQ(view.tasks().open(id), std::vector{waiting});
        EXPECT_THROW(view.tasks().open(other.instance), LoadMore);
        EXPECT_THROW(view.tasks().find(ended.id), LoadMore);
    });
    reads.task(ended.id);
    reads.task(world.ids.next<TaskId>());
    world.round(reads, [&](View& view) {
        ASSERT_TRUE(view.tasks().find(ended.id));
        EXPECT_EQ(*view.tasks().find(ended.id), ended);
        EXPECT_EQ(view.tasks().open(id), std::vector{waiting});
    });
}

TEST_P(StoredTasks, AClearDeletesTasksAndTheirEventsEvenIfTheIdIsStartedAgain) {
    const Instance instance = world.fresh_instance();
    const InstanceId id = instance.id;
    world.round(id, [&](View& view) { world.insert(view, instance, world.cause()); });
    const HumanTask old = put(task(id, {.name = "old", .candidate_users = {"ann"}}));
    const HumanTask other =
        put(task(world.running(), {.name = "other", .candidate_users = {"ann"}}));
    HumanTask fresh = task(id, {.name = "fresh", .candidate_users = {"ann"}});
    world.round(id, [&](View& view) {
        view.clear(id, world.cause());
        world.insert(view, instance, world.cause());
        fresh =
            view.tasks().accept(fresh, entry(TaskEventType::created, world.cause()), view.now());
    });
    EXPECT_EQ(*world.store->ask(FindTask{old.id}), std::nullopt);
    EXPECT_TRUE(world.store->ask(TaskEventQuery{.task = old.id})->items.empty());
    EXPECT_EQ(world.store->ask(FindTask{fresh.id})->value().spec.name, "fresh");
    EXPECT_EQ(found({.candidate_user = "ann"}), (std::vector{other.id, fresh.id}));
    world.round(id, [&](View& view) { view.clear(id, world.cause()); });
    EXPECT_EQ(found({.candidate_user = "ann"}), std::vector{other.id});
    EXPECT_EQ(world.store->ask(TaskEventQuery{.task = other.id})->items.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoredTasks, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
