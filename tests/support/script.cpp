#include "support/script.h"

#include <boost/json.hpp>
#include <ostream>

#include "program/flow.h"
#include "store/memory/store.h"
#include "support/script_stage.h"
#include "support/tally/tally.h"

namespace holdfast::testing {
namespace {

namespace bj = boost::json;
using std::chrono::seconds;

const std::vector<std::string> names = {"a", "b", "c"};
const std::vector<std::string> keys = {"order", "offer"};
const std::vector<std::string> started = {"tally", ScriptStage::flow};
const std::vector<std::string> people = {"ann", "bob"};
constexpr std::size_t most_instances = 7;

// Generates the operations of a script one by one, each from the state that the earlier ones left.
class ScriptMaker {
public:
    Script make(const std::vector<Command>& commands) {
        script_.push_back({stage_.now(), {}});
        choices_.fill(1);
        submit(op::Define{.cause = cause(), .key = keys[0]});
        const std::string source = to_text({.tick = "a", .stop = "b", .last = 4});
        submit(op::Define{.cause = cause(),
                          .key = "tally",
                          .kind = std::string(tally_kind),
                          .source = source,
                          .program = tally_program(source)});
        submit(op::Define{
            .cause = cause(), .key = ScriptStage::flow, .kind = "flow", .program = flow_program()});
        for (int i = 0; i < 3; ++i) submit(start(keys[0]));
        for (const Command& command : commands) {
            choices_ = command.choices;
            next_ = 0;
            follow(command.kind);
        }
        return std::move(script_);
    }

private:
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
        if (kind >= 80) return follow_task(kind);
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

    void follow_task(unsigned kind) {
        if (kind < 84) return submit(create_task());
        if (kind < 87) return submit(claim_task());
        if (kind < 90) return submit(complete_task());
        switch (kind) {
            case 90: return submit(on_task<op::ReleaseTask>());
            case 91: return submit(assign_task());
            case 92: return submit(delegate_task());
            case 93: return submit(on_task<op::FailTask>());
            case 94: return submit(on_task<op::CancelTask>());
            default: return submit(suspend_for_task());
        }
    }

    void submit(Operation operation) {
        const std::size_t leases = leases_made();
        stage_.run({operation}, Ordering::strict);
        script_.back().operations.push_back(std::move(operation));
        // A runner learns its lease from a commit: nothing that it sends is in the same round.
        if (leases_made() != leases) script_.push_back({stage_.now(), {}});
    }
    // A number that another one follows with every continuation that is made.
    std::size_t leases_made() {
        std::size_t sum = 0;
        for (const auto& [id, row] : tables().queue) sum += std::hash<SignalId>{}(id);
        return sum;
    }

    // Advances the clock and fires most of the timers that are due.
    void later() {
        stage_.set_now(stage_.now() + seconds(60));
        script_.push_back({stage_.now(), {}});
        const std::vector<InstanceId> ids = ids_;
        for (const InstanceId& id : ids)
            for (const TokenId& token : due_tokens(id))
                if (choose(4) != 0)
                    submit(op::FireTimer{.cause = cause(), .instance = id, .token = token});
    }
    std::vector<TokenId> due_tokens(const InstanceId& id) {
        std::vector<TokenId> tokens;
        const Instance* found = find(id);
        for (const Waiting& waiting : found ? found->waits : std::vector<Waiting>{})
            if (waiting.wait.until && *waiting.wait.until <= stage_.now())
                tokens.push_back(waiting.token);
        return tokens;
    }

    std::uint32_t choose(std::uint32_t n) {
        const std::size_t place = next_++;
        return (choices_[place % choices_.size()] >> (place / choices_.size() % 3 * 9)) % n;
    }
    template <class T>
    const T& any(const std::vector<T>& list) {
        return list[choose(static_cast<std::uint32_t>(list.size()))];
    }
    // Swaps the ids of each pair of operations: ids need not be in the order of submission.
    Cause cause() {
        const std::uint64_t number = ++operations_ ^ 1;
        return {.operation = {make_uuid_v7(Moment{seconds{1'790'000'000}}, 0, number)}};
    }
    const memory::Tables& tables() {
        return dynamic_cast<memory::MemoryStore&>(stage_.store()).tables();
    }
    InstanceId made(const Cause& cause) {
        if (ids_.size() == most_instances) ids_.erase(ids_.begin() + choose(most_instances));
        return ids_.emplace_back(InstanceId{cause.operation.value});
    }
    // Usually an open instance.
    InstanceId any_id() {
        std::vector<InstanceId> open;
        for (const InstanceId& id : ids_)
            if (const Instance* found = find(id); found && is_open(found->status))
                open.push_back(id);
        return any(open.empty() || choose(6) == 0 ? ids_ : open);
    }
    const Instance* find(const InstanceId& id) {
        const auto found = tables().instances.find(id);
        return found == tables().instances.end() ? nullptr : &found->second.instance;
    }
    Document value() { return Document::of(bj::object{{"n", choose(5)}}); }
    // Usually the current run and index of the instance.
    op::Run run_of(const InstanceId& id) {
        const Instance* found = find(id);
        op::Run run = found ? op::Run{found->run, found->index} : op::Run{};
        if (choose(8) == 0 && run.index > 0) --run.index;
        if (const SignalRow* row = continuation(id)) run.lease = Lease{*row->leased_by, row->epoch};
        return run;
    }
    const SignalRow* continuation(const InstanceId& id) {
        for (const auto& [signal, row] : tables().queue)
            if (row.instance == id && row.type == SignalType::internal_continue) return &row;
        return nullptr;
    }
    std::optional<Version> version_of(const InstanceId& id) {
        const Instance* found = find(id);
        if (!found || choose(3) == 0) return std::nullopt;
        return found->version - (choose(4) == 0 && found->version > 1 ? 1 : 0);
    }

    op::Define define() {
        op::Define define{.cause = cause(), .key = any(keys)};
        if (choose(2) == 0) {
            define.schema = R"({"type":"object"})";
            define.compiled = *StateSchema::compile(*define.schema);
        }
        return define;
    }
    op::Start start(const std::string& key) {
        op::Start start{.cause = cause(), .definition = key, .state = value()};
        if (choose(4) == 0)
            start.client_key = op::ClientKey{"key-" + std::to_string(choose(2)), sha256("same")};
        made(start.cause);
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
        made(fork.cause);
        return fork;
    }
    op::Write write_child() {
        op::Write write{.cause = cause()};
        write.instance = Instance{.id = {write.cause.operation.value},
                                  .definition = {keys[0], 1},
                                  .parent = any_id(),
                                  .created_at = stage_.now(),
                                  .last_modified_at = stage_.now(),
                                  .state = value()};
        made(write.cause);
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
        if (timer == 0) suspend.wait.until = stage_.now() + seconds(30);
        if (timer == 1) suspend.after = seconds(90);
        if (timer == 2) suspend.wait.until = stage_.now() - seconds(choose(2));
        if (choose(3) == 0) suspend.wait.workflows.push_back(any_id());
        suspend.wait.since = static_cast<Since>(choose(5) < 3 ? 0 : choose(3));
        return suspend;
    }
    op::SendEvent send() {
        op::SendEvent send{.cause = cause(), .event_name = any(names), .value = value()};
        if (choose(3) == 0) send.correlation = "k";
        send.event = {derive(send.cause.operation.value, 7)};
        if (choose(8) == 0 && !events_.empty()) send.event = any(events_);
        events_.push_back(send.event);
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
        made(start.cause);
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
    EventId any_event() { return events_.empty() ? EventId{} : any(events_); }
    EventId dead_event() {
        std::vector<EventId> dead = events_;
        if (!tables().dead.empty() && choose(8) != 0) {
            dead.clear();
            for (const auto& [id, event] : tables().dead) dead.push_back(id);
        }
        return dead.empty() ? EventId{} : any(dead);
    }
    op::ReplayDeadEvent replay_dead() {
        op::ReplayDeadEvent replay{.cause = cause(), .event = dead_event()};
        if (choose(2) == 0) replay.target = any_id();
        return replay;
    }

    op::CreateTask create_task() {
        const InstanceId id = any_id();
        op::CreateTask create{
            .cause = cause(), .instance = id, .run = run_of(id), .step_name = any(names)};
        create.spec = {.name = any(names), .payload = value(), .priority = choose(3)};
        if (choose(3) == 0) create.spec.assignee = any(people);
        if (choose(3) == 0) create.spec.candidate_users = people;
        if (choose(3) == 0) create.spec.candidate_groups = {"g"};
        if (choose(3) == 0) create.spec.expected_outputs = {"n"};
        return create;
    }
    // Usually on an open task, by its holder.
    template <class Op>
    Op on_task() {
        std::vector<HumanTask> open;
        std::vector<HumanTask> all;
        for (const auto& [id, task] : tables().tasks) {
            all.push_back(task);
            if (is_open(task.state)) open.push_back(task);
        }
        Op op;
        op.cause = cause();
        op.user = any(people);
        if (all.empty()) return op;
        const HumanTask& task = any(open.empty() || choose(6) == 0 ? all : open);
        op.instance = task.instance;
        op.task = task.id;
        if (choose(4) != 0) op.user = task.holder.value_or(op.user);
        if (choose(3) == 0) op.expected = task.version - (choose(3) == 0 ? 1 : 0);
        return op;
    }
    op::ClaimTask claim_task() {
        auto claim = on_task<op::ClaimTask>();
        if (choose(2) == 0) claim.groups = {"g"};
        return claim;
    }
    op::CompleteTask complete_task() {
        auto complete = on_task<op::CompleteTask>();
        if (choose(4) != 0) complete.outputs = value();
        return complete;
    }
    op::AssignTask assign_task() {
        auto assign = on_task<op::AssignTask>();
        if (choose(3) != 0) assign.assignee = any(people);
        return assign;
    }
    op::DelegateTask delegate_task() {
        auto delegate = on_task<op::DelegateTask>();
        delegate.to = any(people);
        return delegate;
    }
    op::Suspend suspend_for_task() {
        const auto task = on_task<op::CancelTask>();
        return {.cause = task.cause,
                .instance = task.instance,
                .run = run_of(task.instance),
                .wait = {.names = {event_name_of(task.task)}}};
    }

    ScriptStage stage_{"memory"};
    Script script_;
    std::vector<InstanceId> ids_;
    std::vector<EventId> events_;
    std::uint64_t operations_ = 0;
    std::array<std::uint32_t, 6> choices_{};
    std::size_t next_ = 0;
};

}  // namespace

std::ostream& operator<<(std::ostream& out, const Command& command) {
    out << command.kind;
    for (const std::uint32_t choice : command.choices) out << ' ' << choice;
    return out;
}

Script make_script(const std::vector<Command>& commands) { return ScriptMaker().make(commands); }

}  // namespace holdfast::testing
