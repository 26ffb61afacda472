// A completed task is all or nothing on every store: a fault after each statement of its commit
// leaves nothing of it (I8).
#include <atomic>

#include "support/task_world.h"

namespace holdfast::testing {
namespace {

class TaskFaults : public ::testing::TestWithParam<const char*> {};

// What a completion changes.
struct Traces {
    HumanTask task;
    std::vector<TaskEvent> events;
    Instance instance;
    std::vector<HistoryRow> history;
    std::size_t queued = 0;

    bool operator==(const Traces&) const = default;
};

Traces traces_of(World& world, const InstanceId& id, const TaskId& task) {
    return {.task = **world.store->ask(FindTask{task}),
            .events = world.store->ask(TaskEventQuery{.task = task})->items,
            .instance = (*world.store->ask(FindInstance{id, Depth::whole}))->instance,
            .history = world.history(id),
            .queued = world.store->ask(PendingEventQuery{{.target = id}})->items.size()};
}

void completes_whole_or_not_at_all(const char* kind, bool waits) {
    std::atomic<std::size_t> fault_at = ~std::size_t{0};
    World world(kind, {.fault = [&](std::size_t done) { return done == fault_at; }});
    world.define("order");
    const InstanceId id = world.start("order", "{}").id;
    const auto created = world.run(op::CreateTask{.cause = world.cause(),
                                                  .instance = id,
                                                  .run = {1, 0, {}},
                                                  .step_name = "approve",
                                                  .spec = {.name = "approve"}});
    const TaskId task = std::get<op::TaskCreated>(created).task.id;
    if (waits)
        world.run(op::Suspend{.cause = world.cause(),
                              .instance = id,
                              .run = {1, 1, {}},
                              .wait = {.names = {event_name_of(task)}}});
    world.run(op::ClaimTask{.cause = world.cause("ann"), .instance = id, .task = task});
    const Traces before = traces_of(world, id, task);
    int faults = 0;
    for (std::size_t at = 0; at < 60; ++at) {
        fault_at = at;
        const auto outcome = world.coordinator
                                 ->submit(op::CompleteTask{.cause = world.cause("ann"),
                                                           .instance = id,
                                                           .task = task,
                                                           .outputs = document(R"({"n":1})")})
                                 .get();
        fault_at = ~std::size_t{0};
        if (outcome) break;
        ++faults;
        ASSERT_EQ(traces_of(world, id, task), before) << "fault " << at;
    }
    EXPECT_GE(faults, 4);
    const Traces after = traces_of(world, id, task);
    EXPECT_EQ(after.task.state, TaskState::completed);
    EXPECT_EQ(after.events.size(), before.events.size() + 1);
    EXPECT_EQ(after.queued, waits ? 0u : 1u);
    EXPECT_EQ(after.instance.status, Status::running);
}

TEST_P(TaskFaults, ACompletionThatWakesItsWorkflowIsAllOrNothing) {
    completes_whole_or_not_at_all(GetParam(), true);
}

TEST_P(TaskFaults, ACompletionThatIsQueuedIsAllOrNothing) {
    completes_whole_or_not_at_all(GetParam(), false);
}

INSTANTIATE_TEST_SUITE_P(Stores, TaskFaults, all_stores(), store_name);

}  // namespace
}  // namespace holdfast::testing
