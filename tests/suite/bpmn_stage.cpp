#include "suite/bpmn_stage.h"

#include "bpmn/model.h"
#include "engine/process_program.h"
#include "engine/process_state.h"
#include "engine/run.h"
#include "engine/supported.h"
#include "program/kinds.h"
#include "suite/killed.h"

namespace holdfast::suite {
namespace {

namespace bj = boost::json;

constexpr engine::Settings settings{.hands_over_work = true};
constexpr std::string_view kind = "suite";

Result<std::shared_ptr<const Program>> compile_for_suite(const std::string& xml,
                                                         const std::string& key) {
    bpmn::Compiled compiled = bpmn::compile(xml);
    for (bpmn::Process& process : compiled.model->processes)
        if (process.id == key) return engine::process_program(std::move(process), settings);
    return fail(ErrorCode::corrupt, "no such process");
}

}  // namespace

BpmnStage::BpmnStage(Manner manner)
    : manner_(manner),
      world_(manner.restart == Restart::none ? "memory" : "sqlite", {.clock = &clock_}) {
    ProgramKinds::known().add(std::string(kind), [](const Definition& definition) {
        return compile_for_suite(definition.source.value_or(""), definition.ref.key);
    });
}

template <class Op>
typename Op::Outcome BpmnStage::run(Op op) {
    op.cause = world_.cause();
    if constexpr (Keyed<Op>)
        op.client_key = {to_string(op.cause.operation), sha256(to_string(op.cause.operation))};
    typename Op::Outcome outcome = world_.run(op);
    restart(world_, manner_.restart);
    if (manner_.twice) {
        op.cause = world_.cause();
        world_.run(op);
        restart(world_, manner_.restart);
    }
    return outcome;
}

bool BpmnStage::deploy(const std::string& xml) {
    bpmn::Compiled compiled = bpmn::compile(xml);
    for (const bpmn::Problem& problem : compiled.problems) why_refused += text_of(problem) + "; ";
    if (!compiled.model) return false;
    for (const bpmn::Process& process : compiled.model->processes)
        for (const bpmn::Problem& problem : engine::not_supported(process)) {
            why_refused = text_of(problem);
            return false;
        }
    for (const bpmn::Process& process : compiled.model->processes) {
        processes_.insert_or_assign(process.id, process);
        run(op::Define{.key = process.id,
                       .kind = std::string(kind),
                       .source = xml,
                       .program = engine::process_program(process, settings)});
    }
    return true;
}

bool BpmnStage::start(const std::string& process, const bj::value& variables) {
    if (!processes_.contains(process)) return false;
    const auto outcome = run(op::Start{.definition = process,
                                       .state = Document::of(bj::object{{"variables", variables}}),
                                       .state_metadata = Document::of(bj::object{})});
    if (!std::holds_alternative<op::Started>(outcome)) return false;
    settle();
    return true;
}

std::vector<Instance> BpmnStage::instances() {
    std::vector<Instance> all;
    for (const auto& [key, process] : processes_) {
        const auto page = world_.store->ask(InstanceQuery{.definition = key, .limit = 100});
        for (const auto& item : page->items) all.push_back(world_.read(item.instance.id));
    }
    return all;
}

std::string BpmnStage::script_of(const Instance& instance, const ActivityInstanceId& activity) {
    const bpmn::Process& process = processes_.at(instance.definition.key);
    for (const Activity& active : instance.children.active) {
        if (active.id != activity) continue;
        const bpmn::Task* task = process[*process.find(active.activity)].task();
        return task && task->script ? task->script->text : "";
    }
    return "";
}

// Written to the data output of the task, if it has one.
bj::object BpmnStage::string_data(const Instance& instance, const ActivityInstanceId& activity) {
    bj::object variables{{"data", "String"}};
    const bpmn::Process& process = processes_.at(instance.definition.key);
    for (const Activity& active : instance.children.active)
        if (active.id == activity)
            for (const auto& mapping :
                 process[*process.find(active.activity)].activity.mappings.outputs)
                variables[mapping.source.text()] = "String";
    return variables;
}

void BpmnStage::answer(const Answer& answer) {
    run(op::SendEvent{.event = world_.ids.next<EventId>(),
                      .event_name = answer.event,
                      .target = answer.instance,
                      .value = Document::of(answer.value)});
}

void BpmnStage::perform(const Instance& instance, const Waiting& waiting) {
    const std::string script = script_of(instance, *waiting.owner);
    Answer done{instance.id, waiting.wait.names.front().name, {}};
    const bj::object state = engine::variables_of(instance.state);
    bj::object variables;
    if (script.starts_with("SCRIPT_")) trace_.insert(script);
    if (script == "CREATE_MARKER_FILE") marker_ = true;
    if (script.starts_with("INCREMENT_INTEGER_VARIABLE"))
        variables["integerVariable"] = state.at("integerVariable").to_number<std::int64_t>() + 1;
    if (script == "INCREMENT_INTEGER_VARIABLE_AND_LOG") trace_.insert("INCREMENT_correct");
    if (script == "SET_STRING_DATA") variables = string_data(instance, *waiting.owner);
    if (script == "LOG_DATA" && state.contains("data") && state.at("data") == "String")
        trace_.insert("DATA_correct");
    if (script == "THROW_ERROR") done.value["error"] = "ERR_CODE";
    done.value["variables"] = variables;
    const bool takes_time = script == "WAIT_TEN_SECONDS" || script.starts_with("CREATE_TIMESTAMP");
    if (!takes_time) return answer(done);
    const Moment end = clock_.now() + std::chrono::seconds(10);
    if (script.starts_with("CREATE_TIMESTAMP")) intervals_[script] = {clock_.now(), end};
    later_.emplace(end, done);
}

bool BpmnStage::do_scripts() {
    for (const Instance& instance : instances())
        for (const Waiting& waiting : instance.waits) {
            if (waiting.wait.names.empty() ||
                !waiting.wait.names.front().name.starts_with("process/work/"))
                continue;
            if (!performed_.insert(waiting.token).second) continue;
            perform(instance, waiting);
            return true;
        }
    return false;
}

void BpmnStage::settle() {
    for (int i = 0; i < 1000 && do_scripts(); ++i) {
    }
}

bool BpmnStage::fire_due_timers() {
    for (const Instance& instance : instances())
        for (const Waiting& waiting : instance.waits)
            if (waiting.wait.until && *waiting.wait.until <= clock_.now()) {
                run(op::FireTimer{.instance = instance.id, .token = waiting.token});
                return true;
            }
    return false;
}

bool BpmnStage::do_next(Moment until) {
    std::optional<Moment> next;
    for (const Instance& instance : instances())
        for (const Waiting& waiting : instance.waits)
            if (waiting.wait.until && (!next || *waiting.wait.until < *next))
                next = waiting.wait.until;
    const bool timer = next && (later_.empty() || *next <= later_.begin()->first);
    if (!timer && !later_.empty()) next = later_.begin()->first;
    if (!next || *next > until) return false;
    if (*next > clock_.now()) clock_.pass(*next - clock_.now());
    if (timer) return fire_due_timers();
    answer(later_.begin()->second);
    later_.erase(later_.begin());
    return true;
}

void BpmnStage::pass(std::chrono::milliseconds time) {
    const Moment until = clock_.now() + time;
    for (int i = 0; i < 1000 && do_next(until); ++i) settle();
    if (until > clock_.now()) clock_.pass(until - clock_.now());
}

std::multiset<std::string> BpmnStage::trace() {
    std::multiset<std::string> all = trace_;
    if (marker_) all.insert("MARKER_exists");
    if (intervals_.size() == 2) {
        const auto& first = intervals_.begin()->second;
        const auto& second = intervals_.rbegin()->second;
        if (first.first < second.second && second.first < first.second)
            all.insert("EXECUTION_parallel");
    }
    for (const Instance& instance : instances()) {
        if (instance.incident) all.insert("ERROR_runtime");
        for (const HistoryRow& row : world_.history(instance.id))
            if (row.payload.find("\"uncaught_error\"") != std::string::npos)
                all.insert("ERROR_thrownErrorEvent");
    }
    return all;
}

bool BpmnStage::any_open() {
    return std::ranges::any_of(instances(), [](const Instance& instance) {
        return is_open(instance.status) && !instance.incident && !is_starter(instance);
    });
}

}  // namespace holdfast::suite
