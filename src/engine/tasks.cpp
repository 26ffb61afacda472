#include "engine/families.h"
#include "feel/values/show.h"

namespace holdfast::engine {
namespace {

using TaskKind = bpmn::Task::Kind;

std::vector<std::string> names_of(Run& run, const std::vector<bpmn::TextOrExpression>& texts,
                                  const std::optional<feel::Expression>& list, const Around& from) {
    std::vector<std::string> names;
    for (const auto& text : texts)
        if (std::string name = run.text(text, from); !name.empty()) names.push_back(name);
    if (!list) return names;
    const auto value = run.evaluate(*list, from);
    const feel::List* items = value ? value->get<feel::List>() : nullptr;
    for (std::size_t i = 0; items && i < items->size(); ++i)
        names.push_back(feel::shown((*items)[i]));
    return names;
}

// The error: its due date is none.
Result<TaskSpec> spec_of(Run& run, const Live& live) {
    const bpmn::FlowNode& node = run.node_of(live);
    const bpmn::Assignment& assignment = node.task()->assignment;
    TaskSpec spec{.name = node.name.empty() ? node.id : node.name};
    if (assignment.name)
        if (std::string name = run.text(*assignment.name, live.id); !name.empty())
            spec.name = std::move(name);
    if (assignment.assignee)
        if (std::string user = run.text(*assignment.assignee, live.id); !user.empty())
            spec.assignee = std::move(user);
    spec.candidate_users = names_of(run, assignment.candidate_users, assignment.user_list, live.id);
    spec.candidate_groups =
        names_of(run, assignment.candidate_groups, assignment.group_list, live.id);
    if (assignment.due_date) {
        const std::string text = run.text(*assignment.due_date, live.id);
        if (!text.empty()) {
            HF_TRY(spec.due_at, bpmn::parse_timer_date(text));
        }
    }
    if (assignment.priority)
        spec.priority = static_cast<std::uint32_t>(
            std::strtoul(run.text(*assignment.priority, live.id).c_str(), nullptr, 10));
    bj::object payload{{"element", node.id}};
    if (assignment.form)
        if (const std::string form = run.text(*assignment.form, live.id); !form.empty())
            payload["form"] = form;
    if (live.variables) payload["variables"] = *live.variables;
    spec.payload = Document::of(payload);
    return spec;
}

void ask_person(Run& run, Live& live) {
    auto spec = spec_of(run, live);
    if (!spec) return stick_again(run, live, "bad_due_date", spec.error().message);
    const TaskId task{run.new_id()};
    live.memo["task"] = to_string(task);
    run.reaction().tasks.push_back({.id = task, .spec = *std::move(spec)});
    run.await_new(live, EventKey(event_name_of(task)));
}

std::optional<std::chrono::microseconds> pause_in(const bpmn::Period& period) {
    if (period.months != 0 || period.microseconds < 0) return std::nullopt;
    return std::chrono::microseconds(period.microseconds);
}

// R3/PT10M: three attempts, ten minutes after each. PT1M,PT5M: one more attempt after each pause.
void take_retry_cycle(const std::string& text, JobSpec& spec) {
    if (const auto schedule = bpmn::parse_timer_cycle(text); schedule && text.starts_with('R')) {
        const auto* cycle = std::get_if<bpmn::Cycle>(&*schedule);
        const auto pause = cycle ? pause_in(cycle->period) : std::nullopt;
        if (!pause) return;
        spec.pauses = {*pause};
        if (cycle->repetitions) spec.retries = std::clamp(*cycle->repetitions, 1u, 1'000u);
        return;
    }
    for (std::size_t at = 0; at < text.size() && spec.pauses.size() < 100;) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const auto period = bpmn::parse_timer_duration(text.substr(at, comma - at));
        const auto pause = period ? pause_in(*period) : std::nullopt;
        if (!pause) return spec.pauses.clear();
        spec.pauses.push_back(*pause);
        at = comma + 1;
    }
    if (!spec.pauses.empty()) spec.retries = static_cast<std::uint32_t>(spec.pauses.size() + 1);
}

// What a worker must know besides the type of the job.
JobSpec job_of(Run& run, const Live& live) {
    const bpmn::FlowNode& node = run.node_of(live);
    const bpmn::Task& task = *node.task();
    JobSpec spec{.type = node.id, .activity = live.id, .element = node.id};
    if (task.script) {
        spec.type = "script/" + (task.script->format.empty() ? "text" : task.script->format);
        spec.headers["script"] = task.script->text;
        if (!task.script->result_variable.empty())
            spec.headers["resultVariable"] = task.script->result_variable;
    } else if (task.decision) {
        spec.type = "decision";
        spec.headers["decision"] = run.text(task.decision->id, live.id);
        spec.headers["resultVariable"] = task.decision->result_variable;
    }
    if (!task.job) return spec;
    if (std::string type = run.text(task.job->type, live.id); !type.empty()) spec.type = type;
    const std::string retries = run.text(task.job->retries, live.id);
    if (const auto number = std::strtoul(retries.c_str(), nullptr, 10); number > 0)
        spec.retries = static_cast<std::uint32_t>(std::min(number, 1'000ul));
    take_retry_cycle(task.job->retry_cycle, spec);
    for (const auto& [name, value] : task.job->headers) spec.headers[name] = value;
    return spec;
}

// An activity has one job at a time, which has its id: nothing has to be remembered.
void hand_over(Run& run, Live& live) {
    const SignalId job{live.id.value};
    run.reaction().jobs.push_back({.id = job, .spec = job_of(run, live)});
    run.await_new(live, EventKey(work_name(live.id)));
}

void compute(Run& run, Live& live, const feel::Expression& expression, const std::string& result) {
    auto value = run.evaluate_json(expression, live.id);
    if (!value) {
        return stick_again(run, live, "bad_expression", value.error().message);
    }
    bj::object values;
    if (!result.empty()) values[result] = *std::move(value);
    complete_activity(run, live.id, values);
}

void receive(Run& run, Live& live) {
    const auto& message = run.node_of(live).task()->message;
    if (!message) return void(run.await(live, {.names = {run.node_of(live).id}}));
    auto key = key_of(run, run.process()[*message], live.id);
    if (!key) return stick_again(run, live, "no_correlation_key", key.error().message);
    run.await(live, {.names = {*std::move(key)}});
}

void end_rivals(Run& run, const Live& winner) {
    const bj::value* gate = winner.memo.if_contains("gate");
    if (!gate) return;
    std::vector<ActivityInstanceId> rivals;
    for (const Live& live : run.lives())
        if (const bj::value* other = live.memo.if_contains("gate");
            other && *other == *gate && live.id != winner.id)
            rivals.push_back(live.id);
    for (const ActivityInstanceId& id : rivals) run.drop(id);
}

std::string text_in(const bj::object& object, const char* name) {
    const bj::value* value = object.if_contains(name);
    return value && value->is_string() ? std::string(value->as_string()) : "";
}

bj::object object_of(const bj::value& value) {
    return value.is_object() ? value.get_object() : bj::object{};
}

}  // namespace

void resume_user_task(Run& run, Live& live, const bj::value& value) {
    const bj::object notice = object_of(value);
    live.memo.erase("task");
    if (text_in(notice, "outcome") != "completed") {
        return stick_again(run, live, "task_" + text_in(notice, "outcome"),
                           "the human task ended so");
    }
    const bj::value* outputs = notice.if_contains("outputs");
    complete_activity(run, live.id,
                      outputs && outputs->is_object() ? outputs->get_object() : bj::object{});
}

void resume_work(Run& run, Live& live, const bj::value& value) {
    const bj::object answer = object_of(value);
    if (answer.contains("failed")) {
        return stick_again(run, live, "job_failed", text_in(answer, "failed"));
    }
    if (answer.contains("error"))
        return throw_error(run, live.id, text_in(answer, "error"), text_in(answer, "message"));
    const bj::value* variables = answer.if_contains("variables");
    complete_activity(run, live.id,
                      variables && variables->is_object() ? variables->get_object() : bj::object{});
}

void begin_task(Run& run, Live& live) {
    const bpmn::Task& task = *run.node_of(live).task();
    switch (task.kind) {
        case TaskKind::plain:
        case TaskKind::manual: return complete_activity(run, live.id, {});
        case TaskKind::user: return ask_person(run, live);
        case TaskKind::receive: return receive(run, live);
        case TaskKind::send:
            if (!task.message) return hand_over(run, live);
            if (const auto sent = send_message(run, run.process()[*task.message], live.id); !sent)
                return stick_again(run, live, "no_correlation_key", sent.error().message);
            return complete_activity(run, live.id, {});
        case TaskKind::script:
            if (run.settings().hands_over_work || !task.script || !task.script->feel)
                return hand_over(run, live);
            return compute(run, live, *task.script->feel, task.script->result_variable);
        case TaskKind::service:
        case TaskKind::business_rule:
            if (task.expression) return compute(run, live, *task.expression, task.result_variable);
            return hand_over(run, live);
    }
}

void resume_receive_task(Run& run, Live& live, const bj::value& value) {
    end_rivals(run, live);
    complete_activity(run, live.id, object_of(value));
}

}  // namespace holdfast::engine
