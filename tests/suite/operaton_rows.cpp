// What the queries of the step suite see: rows of what is stored, as the cases name them.
#include <algorithm>

#include "engine/process_state.h"
#include "suite/operaton_stage.h"

namespace holdfast::suite {

const bpmn::Process& OperatonStage::process_of(const Instance& instance) const {
    return processes_.at(instance.definition);
}

std::vector<Instance> OperatonStage::instances(bool open_only) {
    std::vector<Instance> all;
    std::set<std::string> keys;
    for (const auto& [ref, process] : processes_) keys.insert(ref.key);
    for (const std::string& key : keys) {
        const auto page = world_.store->ask(InstanceQuery{.definition = key, .limit = 500});
        for (const auto& item : page->items)
            if (!open_only || is_open(item.instance.status))
                all.push_back(world_.read(item.instance.id));
    }
    return all;
}

std::map<ActivityInstanceId, OperatonStage::Known> OperatonStage::known_of(
    const Instance& instance) const {
    std::map<ActivityInstanceId, Known> known;
    for (const Activity& active : instance.children.active)
        known[active.id].activity = active.activity;
    for (const VariableScope& row : instance.children.variables)
        if (const auto found = known.find({row.id.value}); found != known.end())
            found->second.content = row.variables.value().as_object();
    return known;
}

std::vector<HumanTask> OperatonStage::open_tasks() {
    auto tasks = world_.store->ask(TaskQuery{.limit = 500})->items;
    std::erase_if(tasks, [](const HumanTask& task) { return !is_open(task.state); });
    return tasks;
}

namespace {

std::string role_of(const bj::object& content) {
    const bj::value* role = content.if_contains("role");
    return role ? std::string(role->as_string()) : "work";
}

// The trigger of an event that this wait is for. Null: none.
const bpmn::Trigger* trigger_of(const bpmn::FlowNode& node, const bj::object& content,
                                const TokenId& token) {
    const bj::value* memo = content.if_contains("memo");
    const bj::value* triggers = memo ? memo->as_object().if_contains("triggers") : nullptr;
    const bj::value* index =
        triggers ? triggers->as_object().if_contains(to_string(token)) : nullptr;
    if (!index || !node.event()) return nullptr;
    return &node.event()->triggers[index->to_number<std::size_t>()];
}

// Empty: no subscription.
std::string type_of(const bpmn::FlowNode& node, const bpmn::Trigger* trigger) {
    if (trigger && std::holds_alternative<bpmn::MessageTrigger>(*trigger)) return "message";
    if (trigger && std::holds_alternative<bpmn::SignalTrigger>(*trigger)) return "signal";
    if (trigger && std::holds_alternative<bpmn::ConditionTrigger>(*trigger)) return "conditional";
    return node.task() && node.task()->message ? "message" : "";
}

bj::object task_row(const HumanTask& task) {
    const bj::value payload = task.spec.payload.value();
    bj::object row{{"id", to_string(task.id)},     {"name", task.spec.name},
                   {"key", payload.at("element")}, {"instance", to_string(task.instance)},
                   {"process", task.definition},   {"execution", to_string(task.id)},
                   {"assignee", nullptr}};
    if (task.spec.assignee) row["assignee"] = *task.spec.assignee;
    if (task.holder) row["assignee"] = *task.holder;
    row["candidate_users"] = bj::value_from(task.spec.candidate_users);
    row["candidate_groups"] = bj::value_from(task.spec.candidate_groups);
    return row;
}

}  // namespace

void OperatonStage::add_subscriptions(const Instance& instance, bj::array& rows) {
    const auto known = known_of(instance);
    const bpmn::Process& process = process_of(instance);
    for (const Waiting& waiting : instance.waits) {
        if (waiting.wait.names.empty() || !waiting.owner || !known.contains(*waiting.owner))
            continue;
        const Known& owner = known.at(*waiting.owner);
        const bpmn::FlowNode& node = process[*process.find(owner.activity)];
        const std::string type = type_of(node, trigger_of(node, owner.content, waiting.token));
        if (type.empty()) continue;
        bj::object row{
            {"id", to_string(waiting.token)},          {"type", type},
            {"name", waiting.wait.names.front().name}, {"activity", owner.activity},
            {"instance", to_string(instance.id)},      {"execution", to_string(*waiting.owner)}};
        if (is_starter(instance)) row["instance"] = nullptr;
        rows.push_back(std::move(row));
    }
    for (const auto& [id, one] : known) {
        const auto handler = process[*process.find(one.activity)].activity.compensation_handler;
        if (role_of(one.content) != "done" || !handler) continue;
        rows.push_back(bj::object{{"id", to_string(id)},
                                  {"type", "compensate"},
                                  {"name", nullptr},
                                  {"activity", process[*handler].id},
                                  {"instance", to_string(instance.id)},
                                  {"execution", to_string(id)}});
    }
}

void OperatonStage::add_executions(const Instance& instance, bj::array& rows) {
    const bpmn::Process& process = process_of(instance);
    for (const auto& [id, one] : known_of(instance)) {
        const std::string role = role_of(one.content);
        const bpmn::FlowNode& node = process[*process.find(one.activity)];
        if (role == "done" || role == "loop" || node.sub_process()) continue;
        bj::object row{
            {"id", to_string(id)},
            {"instance", to_string(instance.id)},
            {"process", instance.definition.key},
            {"activity", role == "listener" ? bj::value(nullptr) : bj::value(one.activity)},
            {"message", nullptr},
            {"signal", nullptr}};
        for (const Waiting& waiting : instance.waits) {
            if (waiting.owner != id || waiting.wait.names.empty()) continue;
            const std::string type = type_of(node, trigger_of(node, one.content, waiting.token));
            if (type == "message" || type == "signal") row[type] = waiting.wait.names.front().name;
        }
        // The start of an event sub-process waits where its scope does.
        if (role == "listener" && !one.content.contains("in") &&
            node.event()->position == bpmn::Event::Position::start)
            row["id"] = to_string(instance.id);
        rows.push_back(std::move(row));
    }
}

void OperatonStage::add_variables(const Instance& instance, bj::array& rows) {
    for (const auto& member : engine::variables_of(instance.state))
        rows.push_back(bj::object{{"id", to_string(instance.id) + "/" + std::string(member.key())},
                                  {"name", member.key()},
                                  {"value", member.value()}});
    for (const auto& [id, one] : known_of(instance))
        if (const bj::value* variables = one.content.if_contains("variables"))
            for (const auto& member : variables->as_object())
                rows.push_back(bj::object{{"id", to_string(id) + "/" + std::string(member.key())},
                                          {"name", member.key()},
                                          {"value", member.value()}});
}

void OperatonStage::add_wait_rows(const Instance& instance, const Waiting& waiting,
                                  bj::array& rows) {
    if (!waiting.wait.until) return;
    const auto known = known_of(instance);
    bj::object row{{"id", to_string(waiting.token)},
                   {"instance", to_string(instance.id)},
                   {"activity", waiting.owner && known.contains(*waiting.owner)
                                    ? bj::value(known.at(*waiting.owner).activity)
                                    : bj::value(nullptr)},
                   {"process", instance.definition.key},
                   {"due", waiting.wait.until->time_since_epoch().count()}};
    if (is_starter(instance)) row["instance"] = nullptr;
    rows.push_back(std::move(row));
}

bj::array OperatonStage::rows(const std::string& kind) {
    bj::array rows;
    if (kind == "tasks")
        for (const HumanTask& task : open_tasks()) rows.push_back(task_row(task));
    if (kind == "tasks") return rows;
    for (const Instance& instance : instances()) {
        if (kind == "subscriptions") add_subscriptions(instance, rows);
        if (kind == "timers")
            for (const Waiting& waiting : instance.waits) add_wait_rows(instance, waiting, rows);
        if (is_starter(instance)) continue;
        if (kind == "executions") add_executions(instance, rows);
        if (kind == "variables") add_variables(instance, rows);
        if (kind == "instances")
            rows.push_back(
                bj::object{{"id", to_string(instance.id)},
                           {"process", instance.definition.key},
                           {"business_key", instance.business.key},
                           {"ended", false},
                           {"parent", instance.parent ? bj::value(to_string(*instance.parent))
                                                      : bj::value(nullptr)}});
    }
    return rows;
}

bool OperatonStage::matches(const bj::object& row, const std::string& field,
                            const bj::value& value) {
    const auto has = [&](const char* list, const bj::value& name) {
        const bj::array& names = row.at(list).as_array();
        return std::ranges::find(names, name) != names.end();
    };
    if (field == "candidate_group")
        return row.at("assignee").is_null() && has("candidate_groups", value);
    if (field == "candidate_user") {
        if (!row.at("assignee").is_null()) return false;
        if (has("candidate_users", value)) return true;
        for (const std::string& group : groups_[std::string(value.as_string())])
            if (has("candidate_groups", bj::value(group))) return true;
        return false;
    }
    return row.contains(field) && row.at(field) == value;
}

}  // namespace holdfast::suite
