// Instances of one version of a process go on with another one.
#pragma once

#include <vector>

#include "engine/run.h"
#include "model/migration.h"
#include "program/program.h"

namespace holdfast::engine {

struct MigrationPlan {
    std::map<ActivityInstanceId, bpmn::FlowNodeId> places;  // in the other version
    std::vector<ActivityInstanceId> gone;                   // listeners that it has not
    MigrationReport report;
};

// What an element is: only elements that are the same are one element in two versions.
std::string kind_of(const bpmn::FlowNode& node);
// Whether an event waits for the same message, signal or condition in both.
bool is_same_trigger(const bpmn::Process& from, const bpmn::Trigger& one, const bpmn::Process& to,
                     const bpmn::Trigger& other);
bool is_same_message(const bpmn::Process& from, const std::optional<bpmn::MessageId>& one,
                     const bpmn::Process& to, const std::optional<bpmn::MessageId>& other);
// The flow of that id that leads into the node.
std::optional<bpmn::FlowId> flow_into(const bpmn::Process& process, bpmn::FlowNodeId node,
                                      std::string_view id);

// Finds everything that stands against it. The flows of a process may be mapped, too.
MigrationPlan plan_migration(Run& before, const bpmn::Process& target,
                             const std::vector<MappedElement>& mapping);

struct Version {
    const bpmn::Process& process;
    const Settings& settings;
};
Migration migrate(const Version& from, const Version& to, const Instance& instance,
                  const std::vector<MappedElement>& mapping, Moment now);

}  // namespace holdfast::engine
