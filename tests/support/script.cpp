#include "support/script.h"

#include <boost/json.hpp>
#include <ostream>

#include "model/job.h"
#include "program/flow.h"
#include "program/process.h"
#include "support/script_signals.h"
#include "support/script_tasks.h"
#include "support/tally/tally.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using std::chrono::seconds;

const std::vector<std::string> keys = {"order", "offer"};
// No node has the program of a stray.
const std::vector<std::string> started = {"tally", ScriptStage::flow, "stray", "process"};

// Two tokens: a job with a time limit and an error that is caught, then an event; and a task.
constexpr std::string_view process_model = R"(
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL"
             xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="t">
 <message id="m" name="a"/><error id="x" errorCode="E"/>
 <process id="process" isExecutable="true">
  <startEvent id="s"/><parallelGateway id="f"/><parallelGateway id="j"/><endEvent id="e"/>
  <serviceTask id="w"><extensionElements>
   <zeebe:taskDefinition type="work" retries="2"/></extensionElements></serviceTask>
  <boundaryEvent id="t" attachedToRef="w"><timerEventDefinition>
   <timeDuration>PT90S</timeDuration></timerEventDefinition></boundaryEvent>
  <boundaryEvent id="b" attachedToRef="w"><errorEventDefinition errorRef="x"/></boundaryEvent>
  <exclusiveGateway id="g"/>
  <intermediateCatchEvent id="c"><messageEventDefinition messageRef="m"/></intermediateCatchEvent>
  <userTask id="u"/>
  <sequenceFlow id="1" sourceRef="s" targetRef="f"/>
  <sequenceFlow id="2" sourceRef="f" targetRef="w"/>
  <sequenceFlow id="3" sourceRef="f" targetRef="u"/>
  <sequenceFlow id="4" sourceRef="w" targetRef="g"/>
  <sequenceFlow id="5" sourceRef="t" targetRef="g"/>
  <sequenceFlow id="6" sourceRef="b" targetRef="g"/>
  <sequenceFlow id="7" sourceRef="g" targetRef="c"/>
  <sequenceFlow id="8" sourceRef="c" targetRef="j"/>
  <sequenceFlow id="9" sourceRef="u" targetRef="j"/>
  <sequenceFlow id="10" sourceRef="j" targetRef="e"/>
 </process>
</definitions>)";

constexpr unsigned first_task = 80;
constexpr unsigned first_signal = first_task + TaskCommands::kinds;
static_assert(first_signal + SignalCommands::kinds == command_kinds);

// Generates the operations of a script one by one, each from the state that the earlier ones left.
class ScriptMaker {
public:
    Script make(const std::vector<Command>& commands) {
        define_all();
        for (const std::string& key : {keys[0], keys[0], keys[0]}) submit(begin(key));
        for (const std::string& key : started) submit(begin(key));
        for (const Command& command : commands) {
            state_.follow(command);
            follow(command.kind);
        }
        return state_.take();
    }

private:
    void define_all() {
        submit(op::Define{.cause = cause(), .key = keys[0]});
        const std::string source = to_text({.tick = "a", .stop = "b", .last = 4});
        submit(op::Define{.cause = cause(),
                          .key = "tally",
                          .kind = std::string(tally_kind),
                          .source = source,
                          .program = tally_program(source)});
        for (const std::string key : {ScriptStage::flow, "stray"})
            submit(op::Define{
                .cause = cause(), .key = key, .kind = "flow", .program = flow_program()});
        submit(op::Define{.cause = cause(),
                          .key = "process",
                          .kind = std::string(process_kind),
                          .source = std::string(process_model),
                          .program = *process_of(process_model, "process")});
    }

    void follow(unsigned kind) {
        switch (kind) {
            case 0: return;
            case 1:
            case 2: return later();
            case 3: return submit(define());
            case 4: return submit(start(any(started)));
            case 5: return submit(start(any(keys)));
            case 6:
            case 7: return submit(edit());
            case 8: return submit(checkpoint());
            case 9: return submit(restore());
            case 10: return submit(fork());
            case 11: return submit(op::Clear{.cause = cause(), .instance = any_id()});
            case 12: return submit(write_child());
            case 13: return submit(write_again());
            case 14: return submit(op::Read{.cause = cause(), .instance = any_id()});
            case 15: return submit(op::Release{.cause = cause(), .instance = any_id()});
            case 16: return submit(op::Quarantine{.cause = cause(), .instance = any_id()});
            default: return follow_runtime(kind);
        }
    }

    void follow_runtime(unsigned kind) {
        if (kind >= first_signal) return signals_.follow(kind - first_signal);
        if (kind >= first_task) return tasks_.follow(kind - first_task);
        if (kind < 30) return submit(suspend());
        if (kind < 40) return submit(send());
        if (kind > 76) return submit(record_step());
        if (kind > 72) return submit(replay_dead());
        if (kind > 66) return submit(finish());
        switch (kind) {
            case 40:
            case 41:
            case 42: return submit(fire_timer());
            case 43:
            case 44: return submit(record_step());
            case 45:
            case 46: return submit(finish());
            case 47: return submit(fail());
            case 48:
            case 49: return submit(cancel());
            case 50:
            case 51: return submit(op::Pause{.cause = cause(), .instance = any_id()});
            case 52:
            case 53: return submit(op::Resume{.cause = cause(), .instance = any_id()});
            case 54: return submit(continue_as());
            case 55:
            case 56:
            case 57: return submit(replay_dead());
            case 58: return submit(op::RemoveDeadEvent{.cause = cause(), .event = dead_event()});
            case 59: return submit(op::Recover{.cause = cause(), .instance = any_id()});
            case 60: return submit(op::CancelTimers{.cause = cause(), .instance = any_id()});
            case 65:
            case 66: return submit(op::CancelEvent{.cause = cause(), .event = any_event()});
            case 61:
            case 62: return submit(start_child());
            case 63: return submit(set_state());
            case 64: return submit(put_off());
            default: return submit(send());
        }
    }

    // Advances the clock and fires most of the timers that are due.
    void later() {
        state_.set_now(now() + seconds(60));
        const std::vector<InstanceId> ids = state_.ids();
        for (const InstanceId& id : ids)
            for (const TokenId& token : due_tokens(id))
                if (choose(4) != 0)
                    submit(op::FireTimer{.cause = cause(), .instance = id, .token = token});
    }
    std::vector<TokenId> due_tokens(const InstanceId& id) {
        std::vector<TokenId> tokens;
        const Instance* found = find(id);
        for (const Waiting& waiting : found ? found->waits : std::vector<Waiting>{})
            if (waiting.wait.until && *waiting.wait.until <= now()) tokens.push_back(waiting.token);
        return tokens;
    }

    op::Define define() {
        op::Define define{.cause = cause(), .key = any(keys)};
        if (choose(2) == 0) {
            define.schema = R"({"type":"object"})";
            define.compiled = *StateSchema::compile(*define.schema);
        }
        return define;
    }
    op::Start begin(const std::string& key) {
        op::Start start{.cause = cause(), .definition = key, .state = value()};
        state_.made(start.cause);
        return start;
    }
    op::Start start(const std::string& key) {
        op::Start start = begin(key);
        if (choose(4) == 0)
            start.client_key = op::ClientKey{"key-" + std::to_string(choose(2)), sha256("same")};
        return start;
    }
    op::EditState edit() {
        const InstanceId id = any_id();
        op::EditState edit{.cause = cause(), .instance = id, .expected = version_of(id)};
        edit.on_conflict = static_cast<OnConflict>(choose(4));
        const bj::array patch{bj::object{{"op", "replace"}, {"path", "/n"}, {"value", choose(9)}}};
        switch (choose(3)) {
            case 0: edit.edit = op::Replace{.state = value()}; break;
            case 1: edit.edit = op::MergePatch{value()}; break;
            default: edit.edit = op::JsonPatch{*json::parse_patch(patch), Document::of(patch)};
        }
        return edit;
    }
    op::Checkpoint checkpoint() {
        return {.cause = cause(), .instance = any_id(), .checkpoint = any(names)};
    }
    op::Restore restore() {
        return {.cause = cause(), .instance = any_id(), .checkpoint = any(names)};
    }
    op::Fork fork() {
        op::Fork fork{.cause = cause(), .source = any_id(), .checkpoint = any(names)};
        state_.made(fork.cause);
        return fork;
    }
    op::Write write_child() {
        op::Write write{.cause = cause()};
        write.instance = Instance{.id = {write.cause.operation.value},
                                  .definition = {keys[0], 1},
                                  .parent = any_id(),
                                  .created_at = now(),
                                  .last_modified_at = now(),
                                  .state = value()};
        state_.made(write.cause);
        return write;
    }
    op::Write write_again() {
        const InstanceId id = any_id();
        op::Write write{.cause = cause()};
        const Instance* found = find(id);
        write.instance = found ? *found : Instance{.id = id, .definition = {keys[0], 1}};
        write.instance.state = value();
        if (found) write.expected = found->version;
        return write;
    }

    op::Suspend suspend() {
        const InstanceId id = any_id();
        op::Suspend suspend{.cause = cause(), .instance = id, .run = run_of(id)};
        for (const std::string& name : names)
            if (choose(2) == 0) suspend.wait.names.emplace_back(name, choose(3) == 0 ? "k" : "");
        const std::uint32_t timer = choose(6);
        if (timer == 0) suspend.wait.until = now() + seconds(30);
        if (timer == 1) suspend.after = seconds(90);
        if (timer == 2) suspend.wait.until = now() - seconds(choose(2));
        if (choose(3) == 0) suspend.wait.workflows.push_back(any_id());
        suspend.wait.since = static_cast<Since>(choose(5) < 3 ? 0 : choose(3));
        return suspend;
    }
    op::SendEvent send() {
        op::SendEvent send{.cause = cause(), .event_name = any(names), .value = value()};
        if (choose(3) == 0) send.correlation = "k";
        send.event = {derive(send.cause.operation.value, 7)};
        if (choose(8) == 0 && !state_.events().empty()) send.event = any(state_.events());
        state_.events().push_back(send.event);
        if (choose(2) == 0) send.target = any_id();
        if (choose(5) == 0) send.after = seconds(30 * choose(4));
        if (!send.target && choose(4) == 0) {
            send.fan_out = FanOut::all;
            return send;
        }
        if (choose(4) == 0) send.keep = Keep::yes;
        if (choose(4) == 0) send.expire_after = seconds(30 * choose(4));
        if (send.target) send.on_target_ended = static_cast<OnTargetEnded>(std::min(choose(4), 2u));
        if (choose(8) == 0) send.queue_limit = 2;
        return send;
    }
    op::FireTimer fire_timer() {
        const InstanceId id = any_id();
        const Instance* found = find(id);
        op::FireTimer fire{.cause = cause(), .instance = id};
        if (found && !found->waits.empty())
            fire.token = found->waits[choose(found->waits.size())].token;
        return fire;
    }
    op::RecordStep record_step() {
        const InstanceId id = any_id();
        return {.cause = cause(),
                .instance = id,
                .run = run_of(id),
                .step_name = any(names),
                .result = choose(2) ? StepResult::value : StepResult::error,
                .value = value()};
    }
    op::StartChild start_child() {
        const InstanceId id = any_id();
        op::StartChild start{.cause = cause(), .instance = id, .run = run_of(id)};
        start.step_name = any(names);
        start.definition = choose(2) == 0 ? any(keys) : any(started);
        start.arguments = value();
        start.detached = choose(3) == 0;
        state_.made(start.cause);
        return start;
    }
    op::SetState set_state() {
        const InstanceId id = any_id();
        return {.cause = cause(),
                .instance = id,
                .run = run_of(id),
                .step_name = any(names),
                .patch = value()};
    }
    op::PutOff put_off() {
        const InstanceId id = any_id();
        return {.cause = cause(),
                .instance = id,
                .run = run_of(id),
                .error = value(),
                .pause = seconds(30 * choose(3))};
    }
    op::Finish finish() {
        const InstanceId id = any_id();
        return {.cause = cause(), .instance = id, .run = run_of(id), .result = value()};
    }
    op::Fail fail() {
        const InstanceId id = any_id();
        return {.cause = cause(), .instance = id, .run = run_of(id), .code = "c", .error = value()};
    }
    op::Cancel cancel() {
        const InstanceId id = any_id();
        op::Cancel cancel{.cause = cause(), .instance = id, .expected = version_of(id)};
        if (choose(4) == 0) cancel.client_key = op::ClientKey{"cancel", sha256("same")};
        return cancel;
    }
    op::ContinueAs continue_as() {
        const InstanceId id = any_id();
        return {.cause = cause(), .instance = id, .run = run_of(id), .arguments = value()};
    }
    // Usually a dead event if there is one, otherwise any event that was sent.
    EventId any_event() { return state_.events().empty() ? EventId{} : any(state_.events()); }
    EventId dead_event() {
        std::vector<EventId> dead = state_.events();
        if (!state_.tables().dead.empty() && choose(8) != 0) {
            dead.clear();
            for (const auto& [id, event] : state_.tables().dead) dead.push_back(id);
        }
        return dead.empty() ? EventId{} : any(dead);
    }
    op::ReplayDeadEvent replay_dead() {
        op::ReplayDeadEvent replay{.cause = cause(), .event = dead_event()};
        if (choose(2) == 0) replay.target = any_id();
        return replay;
    }

    void submit(Operation operation) { state_.submit(std::move(operation)); }
    Moment now() const { return state_.now(); }
    std::uint32_t choose(std::uint32_t n) { return state_.choose(n); }
    template <class T>
    const T& any(const std::vector<T>& list) {
        return state_.any(list);
    }
    Cause cause() { return state_.cause(); }
    InstanceId any_id() { return state_.any_id(); }
    const Instance* find(const InstanceId& id) { return state_.find(id); }
    Document value() { return state_.value(); }
    op::Run run_of(const InstanceId& id) { return state_.run_of(id); }
    std::optional<Version> version_of(const InstanceId& id) { return state_.version_of(id); }

    ScriptState state_;
    const std::vector<std::string>& names = state_.names;
    TaskCommands tasks_{state_};
    SignalCommands signals_{state_};
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Command& command) {
    out << command.kind;
    for (const std::uint32_t choice : command.choices) out << ' ' << choice;
    return out;
}

Script make_script(const std::vector<Command>& commands) { return ScriptMaker().make(commands); }

}  // namespace holdfast::testing
