// A world with processes of BPMN models.
#pragma once

#include "engine/process_state.h"
#include "program/process.h"
#include "support/world.h"

namespace holdfast::testing {

// A process `p` with these elements, and further elements beside it.
inline std::string model(const std::string& elements, const std::string& beside = "") {
    return R"(<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL")"
           R"( xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">)" +
           beside + R"(<process id="p" isExecutable="true">)" + elements +
           "</process></definitions>";
}
inline std::string flow(const std::string& from, const std::string& to,
                        const std::string& condition = "") {
    const std::string inside =
        condition.empty() ? "" : "<conditionExpression>=" + condition + "</conditionExpression>";
    return "<sequenceFlow id='" + from + "-" + to + "' sourceRef='" + from + "' targetRef='" + to +
           "'>" + inside + "</sequenceFlow>";
}
inline std::string script(const std::string& id, const std::string& expression,
                          const std::string& result) {
    return "<scriptTask id='" + id +
           "'><extensionElements><zeebe:script expression='=" + expression + "' resultVariable='" +
           result + "'/></extensionElements></scriptTask>";
}

class ProcessWorld : public ::testing::TestWithParam<const char*> {
protected:
    ProcessWorld() : world(GetParam()) {}

    void deploy(const std::string& xml) {
        ModelDeployment deployment = deploy_model(xml);
        ASSERT_FALSE(deployment.processes.empty())
            << (deployment.problems.empty() ? "" : deployment.problems.front());
        for (DeployedProcess& process : deployment.processes)
            world.run(op::Define{.cause = world.cause(),
                                 .key = process.key,
                                 .kind = std::string(process_kind),
                                 .source = xml,
                                 .program = process.program});
    }
    InstanceId start(const std::string& variables = "{}") {
        return world.start("p", R"({"variables": )" + variables + "}").id;
    }
    Document variables(const InstanceId& id) {
        return Document::of(engine::variables_of(world.read(id).state));
    }
    // As a client does with a merge patch of the state.
    void patch_variables(const InstanceId& id, const std::string& patch) {
        const auto outcome = world.run(
            op::EditState{.cause = world.cause("ann"),
                          .instance = id,
                          .edit = op::MergePatch{document(R"({"variables": )" + patch + "}")}});
        ASSERT_TRUE(std::holds_alternative<op::Edited>(outcome));
    }
    void send(const std::string& name, std::optional<InstanceId> target = {},
              const std::string& value = "{}") {
        world.run(op::SendEvent{.cause = world.cause(),
                                .event = world.ids.next<EventId>(),
                                .event_name = name,
                                .target = target,
                                .value = document(value)});
    }
    // The elements that are active, in order.
    std::vector<std::string> active(const InstanceId& id) {
        std::vector<std::string> elements;
        for (const Activity& activity : world.read(id).children.active)
            elements.push_back(activity.activity);
        return elements;
    }
    std::vector<HumanTask> tasks(const InstanceId& id) {
        auto all = world.store->ask(TaskQuery{.instance = id, .limit = 10})->items;
        std::erase_if(all, [](const HumanTask& task) { return !is_open(task.state); });
        return all;
    }
    HumanTask task(const InstanceId& id, const std::string& name) {
        for (const HumanTask& one : tasks(id))
            if (one.spec.name == name) return one;
        throw std::runtime_error("no task " + name);
    }
    // As after a restart of the process; memory does not survive one.
    void reload() {
        if (std::string(GetParam()) != "memory") world.restart();
    }
    void complete(const HumanTask& task, const std::string& outputs = "{}") {
        world.run(
            op::ClaimTask{.cause = world.cause("ann"), .instance = task.instance, .task = task.id});
        world.run(op::CompleteTask{.cause = world.cause("ann"),
                                   .instance = task.instance,
                                   .task = task.id,
                                   .outputs = document(outputs)});
    }
    void fire(const InstanceId& id) {
        for (const Waiting& waiting : world.read(id).waits)
            if (waiting.wait.until)
                world.run(
                    op::FireTimer{.cause = world.cause(), .instance = id, .token = waiting.token});
    }

    World world;
};

}  // namespace holdfast::testing
