#include "node/workflow_api_run.h"
#include "operations/tasks/claim_task.h"
#include "operations/tasks/complete_task.h"
#include "operations/tasks/fail_task.h"

namespace holdfast {
namespace {

TaskId read_task_id(const std::string& id) {
    if (const auto parsed = parse_id<TaskId>(id)) return *parsed;
    throw Misuse("'" + id + "' is not a task id; use an id that open_tasks() returned");
}

// Throws the reason why the actor may not change the task.
template <class Outcome>
[[noreturn]] void refuse(const std::string& task, const Actor& actor,
                         [[maybe_unused]] const Outcome& outcome) {
    const std::string what = "task " + task + ": ";
    if constexpr (std::same_as<Outcome, op::TaskHeld> || std::same_as<Outcome, op::NotHolder>)
        throw Misuse(what + "another user holds it");
    else if constexpr (std::same_as<Outcome, op::NotCandidate>)
        throw Misuse(what + actor.user + " is neither its assignee nor a candidate");
    else if constexpr (std::same_as<Outcome, op::TaskEnded>)
        throw Misuse(what + "it has already ended");
    else if constexpr (std::same_as<Outcome, op::NoTask>)
        throw Misuse(what + "there is no such task");
    else if constexpr (std::same_as<Outcome, op::MissingOutputs>)
        throw Misuse(what + "missing output: " + outcome.names.front());
    else
        throw Misuse(what + "its workflow cannot be changed now");
}

}  // namespace

std::vector<OpenTask> WorkflowApi::open_tasks(const std::string& id) {
    TaskQuery query{.instance = read_workflow_id(id),
                    .states = {TaskState::created, TaskState::claimed}};
    std::vector<OpenTask> open;
    do {
        const TaskPage page = value_of(reads().ask(query));
        for (const HumanTask& task : page.items)
            open.push_back({.id = to_string(task.id),
                            .workflow = to_string(task.instance),
                            .name = task.spec.name,
                            .holder = task.holder.value_or(""),
                            .payload = task.spec.payload.value()});
        query.after = page.next;
    } while (query.after);
    return open;
}

HumanTask WorkflowApi::claim(const std::string& task, const Actor& actor) {
    const auto found = value_of(reads().ask(FindTask{read_task_id(task)}));
    if (!found) refuse(task, actor, op::NoTask{});
    const auto outcome =
        run(op::ClaimTask{.cause = cause(actor), .instance = found->instance, .task = found->id});
    return std::visit(Each{[](const op::TaskChanged& done) { return done.task; },
                           [](const op::TaskUnchanged& done) { return done.task; },
                           [&](const auto& refusal) -> HumanTask { refuse(task, actor, refusal); }},
                      outcome);
}

void WorkflowApi::complete_task(const std::string& task, const Actor& actor, const Json& outputs) {
    const HumanTask held = claim(task, actor);
    const auto outcome = run(op::CompleteTask{.cause = cause(actor),
                                              .instance = held.instance,
                                              .task = held.id,
                                              .outputs = Document::of(outputs)});
    std::visit(Each{[](const op::TaskChanged&) {},
                    [&](const auto& refusal) { refuse(task, actor, refusal); }},
               outcome);
}

void WorkflowApi::fail_task(const std::string& task, const Actor& actor, const Json& error) {
    const HumanTask held = claim(task, actor);
    const auto outcome = run(op::FailTask{.cause = cause(actor),
                                          .instance = held.instance,
                                          .task = held.id,
                                          .error = Document::of(error)});
    std::visit(Each{[](const op::TaskChanged&) {}, [](const op::TaskUnchanged&) {},
                    [&](const auto& refusal) { refuse(task, actor, refusal); }},
               outcome);
}

}  // namespace holdfast
