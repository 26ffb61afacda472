#include "suite/operaton_stage.h"

#include "bpmn/model.h"
#include "engine/process_state.h"
#include "program/process.h"
#include "suite/killed.h"

namespace holdfast::suite {

OperatonStage::OperatonStage(std::string folder, Manner manner)
    : folder_(std::move(folder)),
      manner_(manner),
      zero_(clock_.now()),
      world_(manner.restart == Restart::none ? "memory" : "sqlite", {.clock = &clock_}) {}

// A client that repeats a request sends it with the same key or event, as a new operation.
template <class Op>
typename Op::Outcome OperatonStage::run(Op op) {
    op.cause.operation = world_.cause().operation;
    if constexpr (Keyed<Op>)
        op.client_key = {to_string(op.cause.operation), sha256(to_string(op.cause.operation))};
    typename Op::Outcome outcome = world_.run(op);
    restart(world_, manner_.restart);
    if (manner_.twice) {
        op.cause.operation = world_.cause().operation;
        world_.run(op);
        restart(world_, manner_.restart);
    }
    return outcome;
}

void OperatonStage::deploy(const std::vector<std::string>& files) {
    std::vector<op::Define> definitions;
    std::map<std::string, bpmn::Process> compiled;
    for (const std::string& file : files) {
        const std::string xml = content_of(folder_ + "/" + file);
        ModelDeployment deployment = deploy_model(xml);
        if (deployment.processes.empty())
            throw Failure("refused: " +
                          (deployment.problems.empty() ? file : deployment.problems.front()));
        bpmn::Compiled graphs = bpmn::compile(xml);
        for (bpmn::Process& process : graphs.model->processes)
            compiled.insert_or_assign(process.id, std::move(process));
        for (DeployedProcess& process : deployment.processes)
            definitions.push_back({.key = process.key,
                                   .kind = std::string(process_kind),
                                   .source = xml,
                                   .program = process.program});
    }
    for (op::Define& define : definitions) {
        const auto defined = std::get<op::Defined>(run(define));
        processes_.insert_or_assign(defined.definition->ref, compiled.at(define.key));
    }
}

bj::object OperatonStage::start(const std::string& process, const bj::object& variables,
                                const std::string& business_key) {
    const auto outcome = run(op::Start{.definition = process,
                                       .business = {.key = business_key},
                                       .state = Document::of(bj::object{{"variables", variables}}),
                                       .state_metadata = Document::of(bj::object{})});
    const auto* started = std::get_if<op::Started>(&outcome);
    if (!started) throw Failure("the start was refused");
    if (started->instance.incident) {
        run(op::Cancel{.instance = started->instance.id});
        throw Failure("an incident");
    }
    return {{"id", to_string(started->instance.id)},
            {"process", process},
            {"business_key", business_key},
            {"ended", !is_open(started->instance.status)}};
}

InstanceId OperatonStage::starter_waiting_for(const std::string& message) {
    for (const Instance& instance : instances())
        if (is_starter(instance))
            for (const Waiting& waiting : instance.waits)
                if (!waiting.wait.names.empty() && waiting.wait.names.front().name == message)
                    return instance.id;
    throw Failure("no process is started by the message " + message);
}

bj::object OperatonStage::start_by_message(const std::string& message) {
    std::set<InstanceId> before;
    for (const Instance& instance : instances(false)) before.insert(instance.id);
    run(op::SendEvent{.event = world_.ids.next<EventId>(),
                      .event_name = message,
                      .target = starter_waiting_for(message)});
    for (const Instance& instance : instances(false))
        if (!before.contains(instance.id) && !instance.parent)
            return {{"id", to_string(instance.id)},
                    {"process", instance.definition.key},
                    {"ended", !is_open(instance.status)}};
    throw Failure("nothing was started");
}

std::optional<HumanTask> OperatonStage::find_task(const std::string& id) {
    for (HumanTask& task : open_tasks())
        if (to_string(task.id) == id) return std::move(task);
    return std::nullopt;
}

void OperatonStage::claim_task(const std::string& id, const std::string& user) {
    const auto task = find_task(id);
    if (!task) throw Failure("no such task");
    const auto groups = groups_.find(user);
    op::ClaimTask claim{
        .cause = {.caller = {.user = user}}, .instance = task->instance, .task = task->id};
    if (groups != groups_.end())
        claim.cause.caller.groups = {groups->second.begin(), groups->second.end()};
    run(std::move(claim));
}

// By whoever may: these cases are not about who completes a task.
void OperatonStage::complete_task(const std::string& id, const bj::object& variables) {
    const auto task = find_task(id);
    if (!task) throw Failure("no such task");
    const TaskSpec& spec = task->spec;
    const std::string user = task->holder                    ? *task->holder
                             : spec.assignee                 ? *spec.assignee
                             : !spec.candidate_users.empty() ? spec.candidate_users.front()
                                                             : "somebody";
    const Caller caller{.user = user, .groups = spec.candidate_groups};
    run(op::ClaimTask{.cause = {.caller = caller}, .instance = task->instance, .task = task->id});
    const auto outcome = run(op::CompleteTask{.cause = {.caller = caller},
                                              .instance = task->instance,
                                              .task = task->id,
                                              .outputs = Document::of(variables)});
    if (!std::holds_alternative<op::TaskChanged>(outcome)) throw Failure("the task stays open");
}

void OperatonStage::send(op::SendEvent event) {
    event.event = world_.ids.next<EventId>();
    event.value = Document::of(bj::object{});
    const auto outcome = run(std::move(event));
    const bool sent = std::holds_alternative<op::Delivered>(outcome) ||
                      std::holds_alternative<op::FannedOut>(outcome);
    if (!sent) throw Failure("nobody, or more than one, waits for the event");
}

void OperatonStage::correlate(const std::string& message, const std::string& business_key) {
    op::SendEvent event{.event_name = message, .fan_out = FanOut::exactly_one};
    if (!business_key.empty()) {
        for (const Instance& instance : instances())
            if (instance.business.key == business_key) event.target = instance.id;
        if (!event.target) throw Failure("no instance has the business key " + business_key);
    }
    send(std::move(event));
}

void OperatonStage::broadcast(const std::string& signal) {
    send({.event_name = signal, .fan_out = FanOut::all});
}

void OperatonStage::deliver(const std::string& name, const std::string& to) {
    const Place place = place_of(to);
    if (place.activity) return trigger(to);
    send({.event_name = name, .target = place.instance});
}

void OperatonStage::trigger(const std::string& to) {
    Place place = place_of(to);
    for (const Waiting& waiting : world_.read(place.instance).waits)
        if (!place.activity && !waiting.wait.names.empty()) place.activity = waiting.owner;
    if (!place.activity) throw Failure("nothing waits there");
    const auto outcome = run(
        op::Modify{.instance = place.instance,
                   .steps = {modification::Trigger{*place.activity, Document::of(bj::object{})}}});
    if (!std::holds_alternative<op::ModifyDone>(outcome)) throw Failure("not triggered");
}

OperatonStage::Place OperatonStage::place_of(const std::string& id) {
    for (const Instance& instance : instances()) {
        if (to_string(instance.id) == id) return {instance.id, std::nullopt};
        for (const auto& [activity, known] : known_of(instance)) {
            if (to_string(activity) == id) return {instance.id, activity};
            const bj::value* memo = known.content.if_contains("memo");
            const bj::value* task = memo ? memo->as_object().if_contains("task") : nullptr;
            if (task && *task == bj::value(id)) return {instance.id, activity};
        }
    }
    throw Failure("there is no scope " + id);
}

void OperatonStage::set_variable(const std::string& scope, const std::string& name,
                                 const bj::value& value) {
    const Place place = place_of(scope);
    const auto outcome =
        run(op::Modify{.instance = place.instance,
                       .steps = {modification::SetVariables{
                           place.activity, Document::of(bj::object{{name, value}})}}});
    if (!std::holds_alternative<op::ModifyDone>(outcome)) throw Failure("not modified");
}

bj::value OperatonStage::get_variable(const std::string& scope, const std::string& name) {
    const Place place = place_of(scope);
    const Instance instance = world_.read(place.instance);
    const auto known = known_of(instance);
    for (std::optional<ActivityInstanceId> at = place.activity; at;) {
        const bj::object& content = known.at(*at).content;
        const bj::value* variables = content.if_contains("variables");
        if (variables && variables->as_object().contains(name)) return variables->at(name);
        const bj::value* around = content.if_contains("in");
        at = around ? parse_id<ActivityInstanceId>(around->as_string()) : std::nullopt;
    }
    const bj::object state = engine::variables_of(instance.state);
    const bj::value* value = state.if_contains(name);
    return value ? *value : bj::value(nullptr);
}

void OperatonStage::fire_timer(const std::string& token) {
    for (const Instance& instance : instances())
        for (const Waiting& waiting : instance.waits) {
            if (to_string(waiting.token) != token || !waiting.wait.until) continue;
            if (*waiting.wait.until > clock_.now()) clock_.pass(*waiting.wait.until - clock_.now());
            run(op::FireTimer{.instance = instance.id, .token = waiting.token});
            return;
        }
    throw Failure("no such timer");
}

void OperatonStage::set_clock(std::chrono::milliseconds since_zero) {
    if (zero_ + since_zero > clock_.now()) clock_.pass(zero_ + since_zero - clock_.now());
}

void OperatonStage::run_due_timers() {
    const auto next_due = [&]() -> std::string {
        for (const Instance& instance : instances())
            for (const Waiting& waiting : instance.waits)
                if (waiting.wait.until && *waiting.wait.until <= clock_.now())
                    return to_string(waiting.token);
        return "";
    };
    for (std::string token = next_due(); !token.empty(); token = next_due()) fire_timer(token);
}

void OperatonStage::delete_instance(const std::string& instance) {
    InstanceId id = place_of(instance).instance;
    // What called it goes with it.
    while (const auto parent = world_.read(id).parent) id = *parent;
    run(op::Cancel{.instance = id});
}

void OperatonStage::add_member(const std::string& user, const std::string& group) {
    groups_[user].insert(group);
}

bool OperatonStage::has_ended(const std::string& instance) {
    return !is_open(world_.read(*parse_id<InstanceId>(instance)).status);
}

}  // namespace holdfast::suite
