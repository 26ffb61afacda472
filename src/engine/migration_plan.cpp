// What of a running process is in another version of it, and what is not.
#include "engine/migrate.h"

namespace holdfast::engine {
namespace {

const char* name_of_position(bpmn::Event::Position position) {
    switch (position) {
        case bpmn::Event::Position::start: return "start event";
        case bpmn::Event::Position::intermediate_catch: return "catch event";
        case bpmn::Event::Position::intermediate_throw: return "throw event";
        case bpmn::Event::Position::boundary: return "boundary event";
        case bpmn::Event::Position::end: return "end event";
    }
    return "event";
}

std::string kind_of(const bpmn::Event& event) {
    // In the order of bpmn::Trigger.
    constexpr const char* names[] = {"message ",    "timer ",       "signal ",       "error ",
                                     "escalation ", "conditional ", "compensation ", "link ",
                                     "terminate ",  "cancel "};
    std::string text = event.all_triggers ? "parallel multiple " : "";
    for (const bpmn::Trigger& trigger : event.triggers) text += names[trigger.index()];
    return text + name_of_position(event.position);
}

std::string kind_of(const bpmn::Task& task) {
    constexpr const char* names[] = {"task",      "user task",    "service task", "script task",
                                     "send task", "receive task", "manual task",  "decision"};
    return names[static_cast<std::size_t>(task.kind)];
}

std::string kind_of(const bpmn::Gateway& gateway) {
    constexpr const char* names[] = {"exclusive", "parallel", "inclusive", "event-based",
                                     "complex"};
    return std::string(names[static_cast<std::size_t>(gateway.kind)]) + " gateway";
}

std::string kind_of(const bpmn::SubProcess& sub_process) {
    constexpr const char* names[] = {"sub-process", "event sub-process", "transaction",
                                     "ad-hoc sub-process"};
    return names[static_cast<std::size_t>(sub_process.kind)];
}

std::string kind_of(const bpmn::CallActivity&) { return "call activity"; }

const char* kind_of(const bpmn::Loop& loop) {
    if (std::holds_alternative<bpmn::StandardLoop>(loop)) return " in a loop";
    const auto* many = std::get_if<bpmn::MultiInstance>(&loop);
    if (!many) return "";
    return many->sequential ? " for each of many, in sequence" : " for each of many, in parallel";
}

std::string shown(const bpmn::TextOrExpression& text) {
    const auto* fixed = std::get_if<std::string>(&text);
    return fixed ? *fixed : "=" + std::get<feel::Expression>(text).text();
}

std::string shown(const bpmn::Message& message) {
    return shown(message.name) + '\n' +
           (message.correlation_key ? message.correlation_key->text() : "");
}

class Planner {
public:
    Planner(Run& before, const bpmn::Process& target, const std::vector<MappedElement>& mapping)
        : before_(before), target_(target) {
        for (const MappedElement& one : mapping) {
            names_[one.from] = one.to;
            if (!is_known(before.process(), one.from))
                blame(one.from, "the mapping names it, and the process has no such element");
            if (!is_known(target, one.to))
                blame(one.from, "it is mapped to '" + one.to + "', which is not in the target");
        }
    }

    MigrationPlan plan() {
        for (const Live& live : before_.lives()) place(live);
        for (const Live& live : before_.lives())
            if (live.role == Live::Role::listener) check_listener(live);
        for (const Live& live : before_.lives())
            if (plan_.places.contains(live.id)) check(live);
        for (const Live& live : before_.lives())
            if (const auto found = plan_.places.find(live.id); found != plan_.places.end())
                plan_.report.carry(before_.node_of(live).id, target_[found->second].id);
        for (const ActivityInstanceId& id : plan_.gone)
            MigrationReport::count(plan_.report.ended, before_.node_of(*before_.find(id)).id);
        return std::move(plan_);
    }

private:
    static bool is_known(const bpmn::Process& process, const std::string& id) {
        return process.find(id) ||
               std::ranges::any_of(process.flows, [&](const auto& flow) { return flow.id == id; });
    }

    void blame(const std::string& element, std::string why) {
        plan_.report.blame(element, std::move(why));
    }

    std::string target_name(const std::string& id) const {
        const auto found = names_.find(id);
        return found == names_.end() ? id : found->second;
    }

    void place(const Live& live) {
        const bpmn::FlowNode& node = before_.node_of(live);
        const bool chosen = names_.contains(node.id);
        const auto to = target_.find(target_name(node.id));
        const bool same = to && engine::kind_of(node) == engine::kind_of(target_[*to]);
        if (same) {
            plan_.places[live.id] = *to;
        } else if (live.role == Live::Role::listener && !chosen) {
            plan_.gone.push_back(live.id);
        } else if (to) {
            blame(node.id, "it is a " + engine::kind_of(node) + ", and in the target '" +
                               target_[*to].id + "' is a " + engine::kind_of(target_[*to]));
        } else if (!chosen) {
            blame(node.id, "it is active, and the target has no such element: map it to another");
        }
    }

    std::optional<bpmn::FlowNodeId> place_of(const Around& id) const {
        if (!id) return std::nullopt;
        const auto found = plan_.places.find(*id);
        return found == plan_.places.end() ? std::nullopt : std::optional(found->second);
    }

    // A boundary event that is at another activity now is another event.
    void check_listener(const Live& live) {
        const bj::value* on = live.memo.if_contains("on");
        const auto place = place_of(live.id);
        if (!on || !place) return;
        const auto host = place_of(parse_id<ActivityInstanceId>(on->as_string()));
        if (!host || target_[*place].event()->attached_to == host) return;
        const std::string& id = before_.node_of(live).id;
        if (names_.contains(id))
            blame(id, "in the target it is at another activity");
        else
            plan_.gone.push_back(live.id);
        plan_.places.erase(live.id);
    }

    // How many scopes a node is below the activity around it: a start of an event sub-process
    // listens one scope further out than it is.
    std::optional<std::size_t> levels_below(const bpmn::Process& process, bpmn::FlowNodeId node,
                                            std::optional<bpmn::FlowNodeId> around) const {
        if (around == node) return 0;
        std::size_t levels = 1;
        for (auto scope = std::optional(process[node].scope); scope; ++levels) {
            if (process[*scope].owner == around) return levels;
            scope = process[*scope].parent;
        }
        return std::nullopt;
    }

    void check_scope(const Live& live, bpmn::FlowNodeId place) {
        const Live* around = before_.find(live.parent);
        const auto to = place_of(live.parent);
        if (around && !to) return;  // that is the problem
        const auto from = around ? std::optional(around->node) : std::nullopt;
        if (levels_below(before_.process(), live.node, from) != levels_below(target_, place, to))
            blame(before_.node_of(live).id, "in the target it is inside of another sub-process");
    }

    void check_flow(const Live& live, bpmn::FlowNodeId place, const char* member) {
        const bj::value* flow = live.memo.if_contains(member);
        if (!flow || flow->as_string().empty()) return;
        const std::string id(flow->as_string());
        if (!flow_into(target_, place, target_name(id)))
            blame(before_.node_of(live).id, "a token that came by '" + id +
                                                "' is there, and in the target no such flow "
                                                "leads to it: map the flow to another");
    }

    void check_later(const Live& live) {
        const bj::value* later = live.memo.if_contains("later");
        for (const bj::value& one : later ? later->as_array() : bj::array{}) {
            const std::string id(one.as_string());
            if (!target_.find(target_name(id)))
                blame(id, "its turn comes later, and the target has no such element");
        }
    }

    void check(const Live& live) {
        const bpmn::FlowNodeId place = plan_.places.at(live.id);
        check_scope(live, place);
        check_flow(live, place, "from");
        // Only a join asks where a token came from.
        if (target_[place].gateway()) check_flow(live, place, "via");
        check_later(live);
        if (live.role == Live::Role::done &&
            before_.node_of(live).activity.compensation_handler.has_value() !=
                target_[place].activity.compensation_handler.has_value())
            blame(before_.node_of(live).id,
                  "it has completed, and only one of the versions compensates it");
    }

    Run& before_;
    const bpmn::Process& target_;
    std::map<std::string, std::string> names_;
    MigrationPlan plan_;
};

}  // namespace

std::string kind_of(const bpmn::FlowNode& node) {
    std::string text =
        std::visit([](const auto& element) { return kind_of(element); }, node.element) +
        kind_of(node.activity.loop);
    if (node.activity.start_quantity > 1)
        text += " of " + std::to_string(node.activity.start_quantity) + " tokens";
    return text;
}

bool is_same_message(const bpmn::Process& from, const std::optional<bpmn::MessageId>& one,
                     const bpmn::Process& to, const std::optional<bpmn::MessageId>& other) {
    if (!one || !other) return !one && !other;
    return shown(from[*one]) == shown(to[*other]);
}

bool is_same_trigger(const bpmn::Process& from, const bpmn::Trigger& one, const bpmn::Process& to,
                     const bpmn::Trigger& other) {
    if (const auto* message = std::get_if<bpmn::MessageTrigger>(&one))
        return is_same_message(from, message->message, to,
                               std::get<bpmn::MessageTrigger>(other).message);
    if (const auto* signal = std::get_if<bpmn::SignalTrigger>(&one))
        return shown(from[signal->signal].name) ==
               shown(to[std::get<bpmn::SignalTrigger>(other).signal].name);
    if (const auto* condition = std::get_if<bpmn::ConditionTrigger>(&one))
        return condition->condition.text() ==
               std::get<bpmn::ConditionTrigger>(other).condition.text();
    return true;
}

std::optional<bpmn::FlowId> flow_into(const bpmn::Process& process, bpmn::FlowNodeId node,
                                      std::string_view id) {
    for (const bpmn::FlowId flow : process[node].incoming)
        if (process[flow].id == id) return flow;
    return std::nullopt;
}

MigrationPlan plan_migration(Run& before, const bpmn::Process& target,
                             const std::vector<MappedElement>& mapping) {
    return Planner(before, target, mapping).plan();
}

}  // namespace holdfast::engine
