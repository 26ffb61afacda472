// A world for tests that work on human tasks.
#pragma once

#include <string>

#include "support/world.h"

namespace holdfast::testing {

class TaskWorld : public World {
public:
    explicit TaskWorld(const std::string& kind) : World(kind) { define("order"); }

    InstanceId start_order(const std::string& business_key = "") {
        return start("order", "{}", {.key = business_key, .parts = {}}).id;
    }
    op::Run run_of(const InstanceId& id) {
        const Instance instance = read(id);
        return {.run = instance.run, .index = instance.index};
    }
    op::CreateTask creating(const InstanceId& id, TaskSpec spec = {.name = "approve"}) {
        return {.cause = cause(),
                .instance = id,
                .run = run_of(id),
                .step_name = spec.name,
                .input_hash = sha256(spec.name),
                .spec = spec};
    }
    HumanTask create(const InstanceId& id, TaskSpec spec = {.name = "approve"}) {
        return std::get<op::TaskCreated>(run(creating(id, std::move(spec)))).task;
    }

    // Any operation on a task, without an expected version.
    template <class Op>
    Op on(const HumanTask& task, const std::string& user) {
        Op op;
        op.cause = cause(user);
        op.instance = task.instance;
        op.task = task.id;
        return op;
    }
    // The task after the operation; fails the test if it was refused.
    template <class Op>
    HumanTask changed(Op op) {
        const auto outcome = run(std::move(op));
        const auto* change = std::get_if<op::TaskChanged>(&outcome);
        EXPECT_TRUE(change) << "refused";
        return change ? change->task : HumanTask{};
    }
    HumanTask claim(const HumanTask& task, const std::string& user) {
        return changed(on<op::ClaimTask>(task, user));
    }

    HumanTask stored(const TaskId& id) {
        const auto found = store->ask(FindTask{id});
        EXPECT_TRUE(found && *found) << "no such task";
        return found && *found ? **found : HumanTask{};
    }
    std::vector<TaskEvent> events(const TaskId& id) {
        const auto found = store->ask(TaskEventQuery{.task = id});
        EXPECT_TRUE(found.has_value());
        return found ? found->items : std::vector<TaskEvent>{};
    }
    // "created claimed ..."; fails the test if the versions have a gap.
    std::string story(const TaskId& id) {
        std::string text;
        Version version = 0;
        for (const TaskEvent& event : events(id)) {
            EXPECT_EQ(event.version, ++version);
            text += (text.empty() ? "" : " ") + std::string(name_of(event.type));
        }
        return text;
    }
};

}  // namespace holdfast::testing
