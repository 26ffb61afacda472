// Processes that go over to another version of their model.
#pragma once

#include <algorithm>
#include <utility>

#include "engine/process_world.h"
#include "model/job.h"

namespace holdfast::testing {

using Elements = std::vector<std::string>;

inline std::string user(const std::string& id) { return "<userTask id='" + id + "'/>"; }
inline std::string work_task(const std::string& id) {
    return "<serviceTask id='" + id + "'><extensionElements><zeebe:taskDefinition type='work'/>" +
           "</extensionElements></serviceTask>";
}
inline std::string boundary(const std::string& id, const std::string& at,
                            const std::string& trigger) {
    return "<boundaryEvent id='" + id + "' attachedToRef='" + at + "'>" + trigger +
           "</boundaryEvent>" + flow(id, "e");
}
inline std::string timer(const std::string& after) {
    return "<timerEventDefinition><timeDuration>" + after +
           "</timeDuration></timerEventDefinition>";
}
inline std::string catches(const std::string& message) {
    return "<messageEventDefinition messageRef='" + message + "'/>";
}
inline const std::string messages = "<message id='m' name='paid'/><message id='n' name='settled'/>";

// s -> the elements -> e
inline std::string line(const Elements& ids, const std::string& elements) {
    std::string xml = "<startEvent id='s'/><endEvent id='e'/>" + elements;
    std::string before = "s";
    for (const std::string& id : ids) xml += flow(std::exchange(before, id), id);
    return model(xml + flow(before, "e"), messages);
}

class MigrationWorld : public ProcessWorld {
protected:
    op::Migrate::Outcome migrate(const InstanceId& id, std::vector<MappedElement> mapping = {},
                                 std::uint64_t to = 2, bool dry_run = false) {
        return world.run(op::Migrate{.cause = world.cause("ann"),
                                     .instance = id,
                                     .to = to,
                                     .mapping = std::move(mapping),
                                     .reason = "new rules",
                                     .dry_run = dry_run});
    }
    MigrationReport migrated(const InstanceId& id, std::vector<MappedElement> mapping = {}) {
        reload();
        const auto outcome = migrate(id, std::move(mapping));
        if (const auto* no = std::get_if<op::CannotMigrate>(&outcome))
            for (const auto& one : no->report.problems) ADD_FAILURE() << one.element << one.why;
        EXPECT_EQ(world.read(id).definition.version, 2u);
        reload();
        return std::get<op::Migrated>(outcome).report;
    }
    // Nothing is changed.
    std::vector<std::string> problems(const InstanceId& id,
                                      std::vector<MappedElement> mapping = {}) {
        const Instance before = world.read(id);
        const auto outcome = migrate(id, std::move(mapping));
        EXPECT_EQ(world.read(id), before);
        std::vector<std::string> all;
        for (const auto& one : std::get<op::CannotMigrate>(outcome).report.problems)
            all.push_back(one.element + ": " + one.why);
        return all;
    }
    void work(const InstanceId& id) {
        const NodeId node = world.ids.next<NodeId>();
        ASSERT_TRUE(world.store->join({node, "node", std::chrono::hours(1)}).has_value());
        const auto claimed =
            world.store->claim({.node = node, .programs = {program_of_jobs("work")}});
        for (const SignalRow& job : claimed->signals)
            world.run(op::EndJob{.cause = world.cause(),
                                 .instance = id,
                                 .signal = job.id,
                                 .lease = {node, job.epoch},
                                 .result = document(R"({"variables": {}})")});
    }
    bool ended(const InstanceId& id) { return world.read(id).status == Status::succeeded; }
};

}  // namespace holdfast::testing
