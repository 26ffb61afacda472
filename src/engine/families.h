// What the families of elements do, by family. Each function leaves the run so that only moves,
// waits and joins are left to be done.
#pragma once

#include "engine/run.h"

namespace holdfast::engine {

// Moves until everything waits.
void walk(Run& run);
// The token leaves a node by its outgoing flows; without any it ends.
void leave(Run& run, bpmn::FlowNodeId node, const Around& parent, std::uint32_t times = 1);

// Gateways.
void enter_gateway(Run& run, const Move& move);
// Whether an inclusive join went on that no further token can reach.
bool fire_inclusive_joins(Run& run);

// Events.
void enter_event(Run& run, const Move& move);
// An event begins to wait for its triggers.
void arm(Run& run, Live& live);
// A wait of an event ended.
void trigger(Run& run, Live& live, const TokenId& token, const bj::value& value);
bool fire_conditions(Run& run);
void catch_signal(Run& run, const std::string& name, const bj::value& value);
// The one place that says which event a message is awaited and sent as.
// Absent: its correlation key has no value, and the process has an incident.
std::optional<EventKey> awaited_key(Run& run, const bpmn::Message& message, const Around& from);
void send_message(Run& run, const bpmn::Message& message, const Around& from);
// What arrived, into variables.
void take_payload(Run& run, const std::vector<bpmn::Mapping>& outputs, const bj::value& value,
                  const Around& to);

// One of its triggers begins to wait (again).
void arm_one(Run& run, Live& live, std::size_t index);
// Takes the trigger that the token waits for out of the memo. Absent: it has none.
std::optional<std::size_t> take_trigger(Live& live, const TokenId& token);

// Starts: what a starter waits for, and the instance that it starts.
void open_starts(Run& run);
void start_instance(Run& run, Live& live, const TokenId& token, const bj::value& value);
// In the new instance: an event of that element has occurred.
void begin_at(Run& run, bpmn::FlowNodeId node, const bj::value& value);
bool starts_by_events(const bpmn::Process& process);

// Changes by hand. Absent: done; else why not.
std::optional<std::string> modify(Run& run, const Modification& step);

// Errors and escalations, thrown inside of an activity or scope.
void throw_error(Run& run, ActivityInstanceId from, const std::string& code,
                 const std::string& message);
void throw_escalation(Run& run, ActivityInstanceId from, const std::string& code);

// Activities.
void enter_activity(Run& run, const Move& move);
// A token may begin an activity outside of the flow: a compensation handler, an instance of a loop.
Live& begin_activity(Run& run, bpmn::FlowNodeId node, const Around& parent,
                     const bj::object& memo = {}, std::optional<bj::object> variables = {});
void complete_activity(Run& run, ActivityInstanceId id, const bj::object& result);

// Tasks.
void begin_task(Run& run, Live& live);
void resume_user_task(Run& run, Live& live, const bj::value& notice);
void resume_work(Run& run, Live& live, const bj::value& result);
void resume_receive_task(Run& run, Live& live, const bj::value& value);

// Sub-processes.
void begin_sub_process(Run& run, Live& live);
void arm_event_sub_processes(Run& run, const Around& owner, bpmn::ScopeId scope);
void open_scope(Run& run, const Around& owner, bpmn::ScopeId scope);
// By its start event, which says whether everything else in the scope ends.
void begin_event_sub_process(Run& run, bpmn::FlowNodeId start, const Around& parent,
                             const bj::value& value);
// Whether a scope ended.
bool finish_scopes(Run& run);
// An activity inside of an ad-hoc sub-process ended.
void check_ad_hoc(Run& run, const Around& scope);

// Call activities.
void begin_call(Run& run, Live& live);
// The called process escalates and goes on.
void resume_escalated(Run& run, Live& live, const bj::value& value);
void resume_call(Run& run, Live& live, const stimulus::WorkflowEnded& ended);

// Loops.
void begin_loop(Run& run, bpmn::FlowNodeId node, const Around& parent, const bj::object& memo);
void complete_instance_of_loop(Run& run, const Live& instance, const bj::object& result);

// Compensation.
void begin_compensation(Run& run, Live& thrower, const bpmn::CompensationTrigger& trigger);
void continue_compensation(Run& run, ActivityInstanceId thrower);
void cancel_transaction(Run& run, Live& thrower);
bool is_worth_keeping(Run& run, const Live& completed);

}  // namespace holdfast::engine
