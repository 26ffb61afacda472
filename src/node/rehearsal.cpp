#include "node/rehearsal.h"

#include <algorithm>
#include <boost/json.hpp>

#include "model/definition.h"
#include "model/job.h"
#include "program/process.h"
#include "store/options.h"

namespace holdfast {
namespace {

namespace bj = boost::json;

constexpr std::size_t most_turns = 100'000;  // of timers that are due at once
constexpr std::string_view retry_prefix = "retry:";

std::string lines_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
    return text;
}

// Somebody who may claim the task.
Caller person_for(const TaskSpec& spec) {
    Caller person{.user = "somebody"};
    if (!spec.candidate_users.empty()) person.user = spec.candidate_users.front();
    if (spec.assignee) person.user = *spec.assignee;
    person.groups = spec.candidate_groups;
    return person;
}

std::string element_of(const Instance& instance, const std::optional<ActivityInstanceId>& owner) {
    for (const Activity& activity : instance.children.active)
        if (owner == activity.id) return activity.activity;
    return "";
}

std::string trace_line(const HistoryRow& row) {
    const auto payload = boost::json::parse(row.payload);
    if (row.type == HistoryType::incident_raised)
        return "incident " + std::string(payload.at("code").as_string()) + ": " +
               std::string(payload.at("detail").as_string());
    if (row.type != HistoryType::step_recorded) return std::string(name_of(row.type));
    std::string line(payload.at("name").as_string());
    const bj::object* value = payload.at("value").if_object();
    const bj::value* active = value ? value->if_contains("active") : nullptr;
    std::string where;
    if (active && active->is_array())
        for (const bj::value& element : active->get_array())
            where += (where.empty() ? "" : ", ") + std::string(element.as_string());
    return line + (where.empty() ? "" : " -> " + where);
}

}  // namespace

std::string_view name_of(Rehearsal::Awaits what) {
    constexpr std::string_view names[] = {"task", "job", "event", "timer", "called", "retry"};
    return names[static_cast<std::size_t>(what)];
}

Rehearsal::Rehearsal(std::string url) : url_(std::move(url)) { open_store_again(); }

Rehearsal::~Rehearsal() { close(); }

void Rehearsal::close() {
    coordinator_.reset();
    store_.reset();
}

void Rehearsal::open_store_again() {
    auto opened = open_store(url_, {.clock = &clock_});
    if (!opened) throw std::runtime_error(opened.error().message);
    store_ = *std::move(opened);
    auto driven = Coordinator::open_driven(*store_, ids_, metrics_, {.node = "rehearsal"},
                                           [](std::size_t) {});
    if (!driven) throw std::runtime_error(driven.error().message);
    coordinator_ = *std::move(driven);
}

void Rehearsal::reopen() {
    if (url_ == "memory:") return;
    if (node_) static_cast<void>(store_->leave(*node_));
    node_.reset();
    claimed_.clear();
    close();
    open_store_again();
}

template <class Op>
Result<typename Op::Outcome> Rehearsal::run(Op op) {
    op.cause.operation = ids_.next<OperationId>();
    auto answer = coordinator_->submit(std::move(op));
    for (bool worked = true; worked;) {
        worked = false;
        for (auto& shard : coordinator_->shards()) worked = shard->run_round() || worked;
    }
    return answer.get();
}

Result<std::vector<std::string>> Rehearsal::deploy(const std::string& xml) {
    ModelDeployment deployment = deploy_model(xml);
    if (deployment.processes.empty())
        return fail(ErrorCode::invalid_argument, lines_of(deployment.problems));
    std::vector<std::string> keys;
    op::Deploy deploy;
    for (DeployedProcess& process : deployment.processes) {
        if (process.program->starts_by_call()) keys.push_back(process.key);
        deploy.parts.push_back({.key = process.key,
                                .kind = std::string(process_kind),
                                .source = xml,
                                .program = process.program});
    }
    HF_CHECK(run(std::move(deploy)));
    return keys;
}

Result<InstanceId> Rehearsal::start(const std::string& key, const bj::value& variables) {
    const Document state = Document::of(bj::object{{"variables", variables}});
    HF_TRY(const auto outcome,
           run(op::Start{
               .definition = key, .state = state, .state_metadata = Document::of(bj::object{})}));
    const auto* started = std::get_if<op::Started>(&outcome);
    if (!started)
        return fail(ErrorCode::invalid_argument, "'" + key + "' cannot be started by a call");
    last_ = started->instance.id;
    settle();
    return *last_;
}

Instance Rehearsal::read(const InstanceId& id) {
    auto found = store_->ask(FindInstance{id, Depth::whole});
    if (!found || !*found) throw std::runtime_error("there is no workflow " + to_string(id));
    return std::move((*found)->instance);
}

std::vector<Instance> Rehearsal::instances() {
    std::vector<Instance> all;
    InstanceQuery query{.limit = 500};
    do {
        auto page = store_->ask(query);
        if (!page) throw std::runtime_error(page.error().message);
        for (const auto& found : page->items)
            if (!is_starter(found.instance)) all.push_back(read(found.instance.id));
        query.cursor = page->next;
    } while (query.cursor);
    std::ranges::reverse(all);
    return all;
}

void Rehearsal::add_open(const Instance& instance, const Waiting& waiting, std::vector<Open>& all) {
    if (!waiting.owner) return;
    Open open{.element = element_of(instance, waiting.owner),
              .instance = instance.id,
              .activity = *waiting.owner};
    open.due = waiting.wait.until;
    if (!waiting.wait.names.empty()) {
        open.name = waiting.wait.names.front().name;
        open.key = waiting.wait.names.front().correlation;
    }
    switch (kind_of(waiting)) {
        case WaitingKind::task_completion:
            open.what = Awaits::task;
            open.task = parse_id<TaskId>(std::string_view(open.name).substr(5));
            break;
        case WaitingKind::job: open.what = Awaits::job; break;
        case WaitingKind::sub_workflow: open.what = Awaits::called; break;
        case WaitingKind::timer: open.what = Awaits::timer; break;
        default: open.what = Awaits::event;
    }
    if (open.what == Awaits::event && open.name.starts_with(retry_prefix))
        open.what = Awaits::retry;
    all.push_back(std::move(open));
}

std::vector<Rehearsal::Open> Rehearsal::open() {
    std::vector<Open> all;
    for (const Instance& instance : instances())
        for (const Waiting& waiting : instance.waits) add_open(instance, waiting, all);
    return all;
}

Result<Rehearsal::Open> Rehearsal::find(Awaits what, const std::string& element) {
    for (Open& one : open())
        if (one.what == what && one.element == element) return std::move(one);
    return fail(ErrorCode::not_found,
                "no " + std::string(name_of(what)) + " waits at '" + element + "'");
}

Result<void> Rehearsal::complete_task(const std::string& element, const bj::object& outputs) {
    HF_TRY(const Open open, find(Awaits::task, element));
    HF_TRY(const auto task, store_->ask(FindTask{*open.task}));
    const Cause cause{.caller = person_for(task->spec)};
    HF_CHECK(run(op::ClaimTask{.cause = cause, .instance = open.instance, .task = *open.task}));
    HF_TRY(const auto done, run(op::CompleteTask{.cause = cause,
                                                 .instance = open.instance,
                                                 .task = *open.task,
                                                 .outputs = Document::of(outputs)}));
    if (!std::holds_alternative<op::TaskChanged>(done))
        return fail(ErrorCode::refused, "the task at '" + element + "' is not completed by that");
    settle();
    return {};
}

Result<std::optional<SignalRow>> Rehearsal::claim(const Open& job) {
    if (!node_) {
        node_ = ids_.next<NodeId>();
        HF_CHECK(store_->join({*node_, "rehearsal", std::chrono::days(36'500)}));
    }
    HF_TRY(const JobPage page, store_->ask(JobQuery{.instance = job.instance, .limit = 500}));
    for (const SignalRow& row : page.items) {
        const auto spec = job_in(row);
        if (!spec || spec->activity != job.activity) continue;
        HF_TRY(const auto claimed,
               store_->claim({.node = *node_, .programs = {program_of_jobs(spec->type)}}));
        for (const SignalRow& one : claimed.signals) claimed_.insert_or_assign(one.id, one);
        const auto found = claimed_.find(row.id);
        if (found != claimed_.end()) return found->second;
    }
    return std::nullopt;
}

Result<void> Rehearsal::end_job(const std::string& element, const bj::object& result) {
    HF_TRY(const Open open, find(Awaits::job, element));
    HF_TRY(const auto job, claim(open));
    if (!job) return fail(ErrorCode::not_found, "there is no job for '" + element + "'");
    claimed_.erase(job->id);
    HF_CHECK(run(op::EndJob{.instance = open.instance,
                            .signal = job->id,
                            .lease = {*job->leased_by, job->epoch},
                            .result = Document::of(result)}));
    settle();
    return {};
}

Result<void> Rehearsal::send(const std::string& name, const std::string& key,
                             const bj::value& value, FanOut fan_out) {
    HF_CHECK(run(op::SendEvent{.event = ids_.next<EventId>(),
                               .event_name = name,
                               .correlation = key,
                               .value = Document::of(value),
                               .fan_out = fan_out}));
    settle();
    return {};
}

Result<void> Rehearsal::retry(const std::string& element) {
    HF_TRY(const Open open, find(Awaits::retry, element));
    HF_CHECK(run(op::SendEvent{.event = ids_.next<EventId>(),
                               .event_name = open.name,
                               .target = open.instance,
                               .value = Document::of(bj::object{})}));
    settle();
    return {};
}

Result<void> Rehearsal::patch(const bj::object& variables) {
    if (!last_) return fail(ErrorCode::not_found, "nothing was started");
    const op::MergePatch patch{Document::of(bj::object{{"variables", variables}})};
    HF_TRY(const auto outcome, run(op::EditState{.instance = *last_, .edit = patch}));
    if (!std::holds_alternative<op::Edited>(outcome))
        return fail(ErrorCode::refused, "the variables of the process cannot be changed so");
    settle();
    return {};
}

void Rehearsal::settle() {
    for (std::size_t turn = 0; turn < most_turns; ++turn) {
        const auto due = store_->ask(FindDueTimers{.limit = 1});
        if (!due || due->due.empty()) return;
        const DueTimer& timer = due->due.front();
        if (!run(op::FireTimer{.instance = timer.instance, .token = timer.token})) return;
    }
}

void Rehearsal::advance(std::chrono::microseconds time) {
    const Moment until = clock_.now() + time;
    for (std::size_t turn = 0; turn < most_turns; ++turn) {
        const auto timers = store_->ask(FindDueTimers{.limit = 1});
        if (!timers || !timers->next || *timers->next > until) break;
        clock_.set(std::max(clock_.now(), *timers->next));
        settle();
    }
    clock_.set(until);
}

bool Rehearsal::advance_to_next() {
    const auto timers = store_->ask(FindDueTimers{.limit = 1});
    if (!timers || !timers->next) return false;
    clock_.set(std::max(clock_.now(), *timers->next));
    settle();
    return true;
}

std::vector<std::string> Rehearsal::trace() {
    std::vector<std::string> lines;
    for (const Instance& instance : instances()) {
        Version& shown = shown_[instance.id];
        const auto page = store_->ask(HistoryQuery{instance.id, shown + 1, 500});
        if (!page) continue;
        for (const HistoryRow& row : page->items) {
            shown = row.version;
            if (row.type == HistoryType::state_changed) continue;
            lines.push_back(to_iso8601(row.at).substr(0, 19) + "  " + instance.definition.key +
                            "  " + trace_line(row));
        }
    }
    return lines;
}

}  // namespace holdfast
