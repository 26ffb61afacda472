#include "engine/process_program.h"

#include "base/json/canonical.h"
#include "engine/families.h"
#include "engine/migrate.h"
#include "engine/process_state.h"
#include "model/definition.h"

namespace holdfast::engine {
namespace {

// Of the activities that wait for one.
std::vector<SignalId> jobs_of(const Instance& instance) {
    std::vector<SignalId> jobs;
    for (const Waiting& waiting : instance.waits)
        if (waiting.owner && kind_of(waiting) == WaitingKind::job)
            jobs.push_back({waiting.owner->value});
    for (const VariableScope& row : instance.children.variables) {
        const bj::value content = row.variables.value();
        const bj::value* memo = content.as_object().if_contains("memo");
        // Of a process that began with an earlier version.
        const bj::value* job = memo ? memo->as_object().if_contains("job") : nullptr;
        if (job) jobs.push_back(*parse_id<SignalId>(job->as_string()));
    }
    return jobs;
}

Reaction cancelled(const Instance& instance, const std::string& reason) {
    Reaction reaction;
    reaction.cancel_jobs = jobs_of(instance);
    reaction.rows = Children{};
    reaction.ending = Reaction::Ending{.status = Status::cancelled,
                                       .type = HistoryType::cancelled,
                                       .payload = json::canonical(bj::object{{"reason", reason}})};
    return reaction;
}

// A call stands for the event of a process that has one start event.
std::optional<bpmn::FlowNodeId> only_start(const bpmn::Process& process) {
    const auto& starts = process.scopes.front().triggered_starts;
    if (starts.size() != 1 || !process[starts.front()].event()) return std::nullopt;
    return starts.front();
}

void start(Run& run, const stimulus::Started& started) {
    const bj::value value = started.arguments.value();
    run.set_depth(started.depth);
    auto at = run.process().find(started.at);
    if (!at && run.process().scopes.front().entries.empty()) at = only_start(run.process());
    if (at) {
        arm_event_sub_processes(run, {}, bpmn::ScopeId{0});
        return begin_at(run, *at, value);
    }
    if (value.is_object()) run.write_all({}, value.get_object());
    open_scope(run, {}, bpmn::ScopeId{0});
}

void resume(Run& run, const Waiting& wait, const bj::value& value) {
    Live* live = run.find(wait.owner);
    if (!live) return;
    if (is_retry(run, *live, wait)) return retry(run, *live);
    if (is_starter(run.instance())) return start_instance(run, *live, wait.token, value);
    if (run.node_of(*live).event()) return trigger(run, *live, wait.token, value);
    if (run.node_of(*live).call_activity()) return resume_escalated(run, *live, value);
    if (run.node_of(*live).task()) resume_receive_task(run, *live, value);
}

class ProcessProgram final : public Program {
public:
    ProcessProgram(bpmn::Process process, Settings settings)
        : process_(std::move(process)), settings_(settings) {}

    RunBy run_by() const override { return RunBy::rounds; }
    Depth depth() const override { return Depth::whole; }
    bool starts_by_call() const override {
        return !process_.scopes.front().entries.empty() || only_start(process_);
    }
    bool starts_by_events() const override { return engine::starts_by_events(process_); }
    std::vector<SchemaViolation> check_state(const Instance& instance,
                                             const Document& wanted) const override {
        return check_process_state(instance.state, wanted);
    }
    Document with_own_state(const Instance& instance, Document earlier) const override {
        return with_current_step(instance.state, std::move(earlier));
    }

    Reaction react(const Instance& instance, const Stimulus& stimulus, Moment now) const override {
        if (const auto* asked = std::get_if<stimulus::CancelRequested>(&stimulus))
            return cancelled(instance, asked->reason);
        if (std::holds_alternative<stimulus::StepRecorded>(stimulus) ||
            std::holds_alternative<stimulus::AttemptFailed>(stimulus))
            return {};
        if (std::holds_alternative<stimulus::Asked>(stimulus)) {
            Reaction reaction;
            reaction.refused = "a process takes no requests";
            return reaction;
        }
        Run run(process_, settings_, instance, now);
        if (is_starter(instance)) return react_of_starter(run, stimulus);
        if (std::holds_alternative<stimulus::StateEdited>(stimulus)) {
            run.go_on();
            if (!run.has_moves() && !fire_conditions(run)) return run.keep_rows();
            walk(run);
            return run.finish("state edited");
        }
        if (const auto* modified = std::get_if<stimulus::Modified>(&stimulus))
            if (auto why = modify_all(run, modified->steps)) {
                Reaction reaction;
                reaction.refused = std::move(why);
                return reaction;
            }
        run.go_on();
        const std::string happened = apply(run, stimulus);
        walk(run);
        return run.finish(happened);
    }

    Migration migrate(const Instance& instance, const Program& from,
                      const std::vector<MappedElement>& mapping, Moment now) const override {
        const auto* old = dynamic_cast<const ProcessProgram*>(&from);
        if (old)
            return engine::migrate({old->process_, old->settings_}, {process_, settings_}, instance,
                                   mapping, now);
        Migration migration;
        migration.report.blame("", "the versions are of different kinds");
        return migration;
    }

private:
    static std::optional<std::string> modify_all(Run& run, const std::vector<Modification>& steps) {
        for (const Modification& step : steps)
            if (auto why = modify(run, step)) return why;
        return std::nullopt;
    }

    // It never moves a token. Without a wait left, its schedule is over.
    static Reaction react_of_starter(Run& run, const Stimulus& stimulus) {
        if (std::holds_alternative<stimulus::StateEdited>(stimulus)) return {};
        if (std::holds_alternative<stimulus::Modified>(stimulus)) {
            Reaction reaction;
            reaction.refused = "a starter cannot be modified";
            return reaction;
        }
        std::string happened = "starts opened";
        if (std::holds_alternative<stimulus::StartsOpened>(stimulus))
            open_starts(run);
        else
            happened = apply(run, stimulus);
        if (!run.waits_for_anything()) run.end_process();
        return run.finish(happened);
    }

    static std::string apply(Run& run, const Stimulus& stimulus) {
        if (const auto* started = std::get_if<stimulus::Started>(&stimulus)) {
            start(run, *started);
            return "started";
        }
        if (std::holds_alternative<stimulus::Modified>(stimulus)) return "modified";
        if (const auto* arrived = std::get_if<stimulus::EventArrived>(&stimulus)) {
            resume(run, arrived->wait, arrived->event.value.value());
            return "event " + arrived->event.name;
        }
        if (const auto* reached = std::get_if<stimulus::TimerReached>(&stimulus)) {
            resume(run, reached->wait, nullptr);
            return "timer";
        }
        if (const auto* task = std::get_if<stimulus::TaskEnded>(&stimulus)) {
            if (Live* live = run.find(task->wait.owner))
                resume_user_task(run, *live, task->notice.value());
            return "event " + event_name_of(task->task);
        }
        if (const auto* job = std::get_if<stimulus::JobEnded>(&stimulus)) {
            if (Live* live = run.find(job->wait.owner))
                resume_work(run, *live, job->result.value());
            return "job " + to_string(job->job);
        }
        const auto& ended = std::get<stimulus::WorkflowEnded>(stimulus);
        if (Live* live = run.find(ended.wait.owner)) resume_call(run, *live, ended);
        return "workflow " + to_string(ended.workflow);
    }

    bpmn::Process process_;
    Settings settings_;
};

}  // namespace

std::shared_ptr<const Program> process_program(bpmn::Process process, Settings settings) {
    return std::make_shared<const ProcessProgram>(std::move(process), settings);
}

}  // namespace holdfast::engine
