#include "flow/wording.h"

#include "base/json/canonical.h"

namespace holdfast::flow {
namespace {

template <class... Fs>
struct Each : Fs... {
    using Fs::operator()...;
};

std::string quoted(const std::string& text) { return " '" + text + "'"; }

// The input that distinguishes two calls of the same kind and name.
Json input_of(const CallSpec& spec) {
    return std::visit(Each{[](const StepCall& call) { return call.input; },
                           [](const ChildCall& call) { return call.arguments; },
                           [](const SendCall& call) {
                               boost::json::object input;
                               if (call.target) input["target"] = *call.target;
                               input["value"] = call.value;
                               return Json(std::move(input));
                           },
                           [](const SetStateCall& call) { return call.patch; },
                           [](const TaskCall& call) { return call.request.payload; },
                           [](const WorkflowCall& call) { return Json(call.id); },
                           [](const auto&) { return Json(nullptr); }},
                      spec);
}

}  // namespace

std::string_view kind_of(const CallSpec& spec) {
    return std::visit(
        Each{[](const StepCall&) { return "step"; }, [](const EventCall&) { return "event"; },
             [](const SleepCall&) { return "sleep"; },
             [](const ChildCall& call) { return call.detached ? "spawn" : "child"; },
             [](const WorkflowCall&) { return "workflow"; }, [](const SendCall&) { return "send"; },
             [](const SetStateCall&) { return "set state"; },
             [](const ReadStateCall&) { return "state"; },
             [](const RollbackCall&) { return "on rollback"; },
             [](const TaskCall&) { return "task"; },
             [](const ContinueCall&) { return "continue as"; },
             [](const GroupCall& call) {
                 return call.rule == GroupCall::Rule::all ? "all" : "any";
             }},
        spec);
}

std::string journal_name(const CallSpec& spec) {
    const auto with = [&](const std::string& name) {
        return std::string(kind_of(spec)) + " " + name;
    };
    return std::visit(Each{[](const StepCall& call) { return call.name; },
                           [&](const ChildCall& call) { return with(call.flow); },
                           [&](const WorkflowCall& call) { return with(call.id); },
                           [&](const SendCall& call) { return with(call.name); },
                           [&](const RollbackCall& call) { return with(call.undo.name); },
                           [&](const TaskCall& call) { return with(call.request.name); },
                           [&](const auto&) { return std::string(kind_of(spec)); }},
                      spec);
}

Digest input_hash(const CallSpec& spec) {
    std::string text(kind_of(spec));
    text += '\n';
    json::append_canonical(text, input_of(spec));
    return sha256(text);
}

std::string describe(const CallSpec& spec) {
    const std::string kind(kind_of(spec));
    return std::visit(Each{[&](const StepCall& call) { return kind + quoted(call.name); },
                           [&](const EventCall& call) { return kind + quoted(call.name); },
                           [&](const ChildCall& call) { return kind + quoted(call.flow); },
                           [&](const WorkflowCall& call) { return kind + quoted(call.id); },
                           [&](const SendCall& call) { return kind + quoted(call.name); },
                           [&](const RollbackCall& call) { return kind + quoted(call.undo.name); },
                           [&](const TaskCall& call) { return kind + quoted(call.request.name); },
                           [&](const auto&) { return std::string(kind); }},
                      spec);
}

std::string describe(const Arrival& arrival) {
    if (!arrival.winner) return "'" + arrival.name + "'";
    return std::string(name_of(arrival.winner->type)) + quoted(arrival.winner->name);
}

std::string describe(const Wait& wait) {
    std::string text;
    const auto add = [&](const std::string& one) { text += (text.empty() ? "" : " or ") + one; };
    for (const EventKey& key : wait.names) add("event" + quoted(key.name));
    for (const InstanceId& id : wait.workflows) add("workflow" + quoted(to_string(id)));
    if (wait.until) add("sleep");
    return text;
}

std::string task_event(const std::string& task) { return "task/" + task; }

}  // namespace holdfast::flow
