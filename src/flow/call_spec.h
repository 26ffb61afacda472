// The calls of a flow as plain values.
#pragma once

#include <variant>

#include "holdfast/calls.h"

namespace holdfast::flow {

struct Undo {
    std::string name;
    StepFunction function;
    StepOptions options = {};
};
struct StepCall {
    std::string name;
    Json input;
    StepFunction function;
    StepOptions options = {};
    std::optional<Undo> undo = {};
};
struct EventCall {
    std::string name;
};
struct SleepCall {
    std::optional<std::chrono::microseconds> time;  // absent: `until` applies
    Moment until;
};
struct ChildCall {
    std::string flow;
    Json arguments;
    bool detached = false;  // true: the flow does not wait for it
};
struct WorkflowCall {
    std::string id;
};
struct SendCall {
    std::optional<std::string> target;
    std::string name;
    Json value;
};
struct SetStateCall {
    Json patch;
};
struct ReadStateCall {};
struct RollbackCall {
    Undo undo;
};
struct TaskCall {
    TaskRequest request;
};
struct ContinueCall {
    Json arguments;
};
// Waits for all members, or for the first.
struct GroupCall {
    enum class Rule { all, any } rule = Rule::all;
    std::vector<CallId> members;
};
using CallSpec =
    std::variant<StepCall, EventCall, SleepCall, ChildCall, WorkflowCall, SendCall, SetStateCall,
                 ReadStateCall, RollbackCall, TaskCall, ContinueCall, GroupCall>;

}  // namespace holdfast::flow
