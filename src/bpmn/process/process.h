// A process as a graph: immutable, compiled once per version of its definition, walked by the
// engine. Plain vectors; a FlowNodeId, FlowId or ScopeId is an index into them. It is here and not
// in model/ because it holds compiled FEEL, which model/ cannot see.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "bpmn/process/nodes.h"

namespace holdfast::bpmn {

struct FlowNode {
    std::string id;
    std::string name;
    std::uint32_t line = 0;
    ScopeId scope;  // the process or sub-process that contains it
    std::optional<LaneId> lane;
    std::vector<FlowId> incoming;  // in document order
    std::vector<FlowId> outgoing;
    std::optional<FlowId> default_flow;
    std::variant<Event, Task, Gateway, SubProcess, CallActivity> element;
    Activity activity;                              // default for events and gateways
    std::map<std::string, std::string> properties;  // of vendor extensions, as given

    const Event* event() const { return std::get_if<Event>(&element); }
    const Task* task() const { return std::get_if<Task>(&element); }
    const Gateway* gateway() const { return std::get_if<Gateway>(&element); }
    const SubProcess* sub_process() const { return std::get_if<SubProcess>(&element); }
    const CallActivity* call_activity() const { return std::get_if<CallActivity>(&element); }
    bool is_activity() const { return !event() && !gateway(); }
};

struct SequenceFlow {
    std::string id;  // made from its ends if the model gives none
    std::string name;
    std::uint32_t line = 0;
    FlowNodeId source;
    FlowNodeId target;
    std::optional<feel::Expression> condition;
};

// A process or the inside of a sub-process.
struct Scope {
    std::string id;
    std::optional<ScopeId> parent;
    std::optional<FlowNodeId> owner;  // the sub-process; absent: the process
    std::vector<FlowNodeId> nodes;    // in document order, without those of inner scopes
    std::vector<FlowId> flows;
    // Where tokens begin when the scope is entered without a trigger: its none start event, or,
    // without any start event, what has no incoming flow.
    std::vector<FlowNodeId> entries;
    // Start events with a trigger, instantiating gateways and receive tasks.
    std::vector<FlowNodeId> triggered_starts;
    std::vector<FlowNodeId> event_sub_processes;
    std::vector<Variable> variables;  // data objects and properties
};

struct Message {
    std::string id;
    TextOrExpression name;
    std::optional<feel::Expression> correlation_key;
};

struct Signal {
    std::string id;
    TextOrExpression name;
};

// BPMN's `error`; the name avoids holdfast::Error.
struct BpmnError {
    std::string id;
    std::string name;
    TextOrExpression code;
    std::string message;
};

struct Escalation {
    std::string id;
    std::string name;
    TextOrExpression code;
};

struct Lane {
    std::string id;
    std::string name;
};

struct Process {
    std::string id;  // the key of its definition
    std::uint32_t line = 0;
    std::string name;
    std::string version_tag;
    std::vector<Scope> scopes;  // the first one is the process itself
    std::vector<FlowNode> nodes;
    std::vector<SequenceFlow> flows;
    std::vector<Message> messages;
    std::vector<Signal> signals;
    std::vector<BpmnError> errors;
    std::vector<Escalation> escalations;
    std::vector<Lane> lanes;
    std::unordered_map<std::string, FlowNodeId> node_ids;

    const FlowNode& operator[](FlowNodeId at) const { return nodes[at.index]; }
    const SequenceFlow& operator[](FlowId at) const { return flows[at.index]; }
    const Scope& operator[](ScopeId at) const { return scopes[at.index]; }
    const Message& operator[](MessageId at) const { return messages[at.index]; }
    const Signal& operator[](SignalId at) const { return signals[at.index]; }
    const BpmnError& operator[](ErrorId at) const { return errors[at.index]; }
    const Escalation& operator[](EscalationId at) const { return escalations[at.index]; }
    const Lane& operator[](LaneId at) const { return lanes[at.index]; }
    std::optional<FlowNodeId> find(std::string_view element) const;
};

// The scope and everything around it, innermost first: the order in which variables are read.
std::vector<ScopeId> scopes_outwards(const Process& process, ScopeId from);

// The nodes from which a token can still arrive at `flow`, without passing its target. Inclusive
// joins wait for these.
std::vector<bool> upstream_of(const Process& process, FlowId flow);

}  // namespace holdfast::bpmn
