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
// The token leaves a gateway; what was joined is gone.
void split(Run& run, const Move& move);
// Of a complex gateway.
void check_activation(Run& run, bpmn::FlowNodeId node, const Around& parent);
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
// The one place that says which event a message is awaited and sent as. The error: its correlation
// key has no value.
Result<EventKey> key_of(Run& run, const bpmn::Message& message, const Around& from);
Result<void> send_message(Run& run, const bpmn::Message& message, const Around& from);
// What arrived, into variables: all of it, or nothing.
Result<void> take_payload(Run& run, const std::vector<bpmn::Mapping>& outputs,
                          const bj::value& value, const Around& to);
// Then the token leaves the event.
void take_and_leave(Run& run, bpmn::FlowNodeId event, const bj::value& value, const Around& parent);

// One of its triggers begins to wait (again).
void arm_one(Run& run, Live& live, std::size_t index);
// It cannot wait for the trigger until somebody repairs that.
void hold_unarmed(Run& run, Live& live, std::size_t index, const std::string& code,
                  const std::string& detail);
// Those that could not wait do.
void arm_rest(Run& run, Live& live);
// Takes the trigger that the token waits for out of the memo. Absent: it has none.
std::optional<std::size_t> take_trigger(Live& live, const TokenId& token);

// Starts: what a starter waits for, and the instance that it starts.
void open_starts(Run& run);
void listen_again(Run& run, Live& live, std::size_t index);
void start_instance(Run& run, Live& live, const TokenId& token, const bj::value& value);
// In the new instance: an event of that element has occurred.
void begin_at(Run& run, bpmn::FlowNodeId node, const bj::value& value);
bool starts_by_events(const bpmn::Process& process);

// Somebody says that what stopped a token or an activity is repaired.
bool is_retry(Run& run, const Live& live, const Waiting& wait);
void retry(Run& run, Live& live);

// Another version of the process may wait for fewer tokens at its joins.
void settle_joins(Run& run);

// Changes by hand. Absent: done; else why not.
std::optional<std::string> modify(Run& run, const Modification& step);

// Errors and escalations, thrown inside of an activity or scope.
void throw_error(Run& run, ActivityInstanceId from, const std::string& code,
                 const std::string& message);
void throw_escalation(Run& run, ActivityInstanceId from, const std::string& code);

// Activities.
// Whether an event waits for it, beside those that are thrown inside of the process.
bool listens(const bpmn::Trigger& trigger);
void arm_boundary_event(Run& run, const Live& host, bpmn::FlowNodeId event);
void arm_boundary_events(Run& run, const Live& host);
void enter_activity(Run& run, const Move& move);
// A token may begin an activity outside of the flow: a compensation handler, an instance of a loop.
// It may have ended when this returns.
ActivityInstanceId begin_activity(Run& run, bpmn::FlowNodeId node, const Around& parent,
                                  const bj::object& memo = {},
                                  std::optional<bj::object> variables = {});
// It ends, and a token waits to begin it anew.
void stick_again(Run& run, const Live& live, std::string code, const std::string& detail);
void complete_activity(Run& run, ActivityInstanceId id, const bj::object& result);

// Tasks.
void begin_task(Run& run, Live& live);
void resume_user_task(Run& run, Live& live, const bj::value& notice);
void resume_work(Run& run, Live& live, const bj::value& result);
void resume_receive_task(Run& run, Live& live, const bj::value& value);

// Sub-processes.
void begin_sub_process(Run& run, Live& live);
void arm_event_sub_processes(Run& run, const Around& owner, bpmn::ScopeId scope);
// Those starts of event sub-processes that wait.
std::vector<bpmn::FlowNodeId> listening_starts(const bpmn::Process& process, bpmn::ScopeId scope);
// The variables that a sub-process declares are null until somebody writes them.
void declare_variables(Run& run, Live& live);
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
void complete_call(Run& run, Live& live, const bj::object& variables);

// Loops.
void begin_loop(Run& run, bpmn::FlowNodeId node, const Around& parent, const bj::object& memo);
// The next round of a loop begins.
void enter_body(Run& run, Live& loop);
// What an instance leaves in the output collection, before it completes.
Result<void> keep_output(Run& run, const Live& instance, const bj::object& result);
void complete_instance_of_loop(Run& run, const Live& instance);
// Whether the loop ends or has another round.
void decide_loop(Run& run, Live& loop);

// Compensation.
void begin_compensation(Run& run, Live& thrower, const bpmn::CompensationTrigger& trigger);
void continue_compensation(Run& run, ActivityInstanceId thrower);
void cancel_transaction(Run& run, Live& thrower);
bool is_worth_keeping(Run& run, const Live& completed);

}  // namespace holdfast::engine
