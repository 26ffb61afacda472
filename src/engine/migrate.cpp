// What is active goes over as it is, under the elements of the other version; then what only that
// version waits for begins.
#include "engine/migrate.h"

#include <set>

#include "engine/families.h"
#include "model/definition.h"

namespace holdfast::engine {
namespace {

class Moving {
public:
    Moving(Run& before, Run& run, MigrationPlan plan, const std::vector<MappedElement>& mapping)
        : before_(before), run_(run), plan_(std::move(plan)) {
        for (const MappedElement& one : mapping) names_[one.from] = one.to;
    }

    MigrationReport move() {
        for (const ActivityInstanceId& id : plan_.gone) run_.end_waits(id);
        for (Live& live : run_.lives()) carry(live);
        for (const ActivityInstanceId& id : carried()) begin_around(id);
        begin_starts({}, bpmn::ScopeId{0});
        begin_at_gates();
        for (const Live& live : run_.lives())
            if (!plan_.places.contains(live.id))
                MigrationReport::count(plan_.report.begun, run_.node_of(live).id);
        return std::move(plan_.report);
    }

private:
    std::vector<ActivityInstanceId> carried() const {
        std::vector<ActivityInstanceId> ids;
        for (const Live& live : run_.lives()) ids.push_back(live.id);
        return ids;
    }

    std::string target_name(const std::string& id) const {
        const auto found = names_.find(id);
        return found == names_.end() ? id : found->second;
    }

    void carry(Live& live) {
        rename_flow(live, "from");
        rename_flow(live, "via");
        if (bj::value* later = live.memo.if_contains("later"))
            for (bj::value& id : later->as_array()) id = target_name(std::string(id.as_string()));
        rename_waits(live);
        if (run_.node_of(live).event()) await_changed_triggers(live);
        if (run_.node_of(live).task()) await_changed_message(live);
        if (live.role == Live::Role::work && run_.node_of(live).sub_process())
            declare_variables(run_, live);
    }

    void rename_flow(Live& live, const char* member) {
        const bj::value* flow = live.memo.if_contains(member);
        if (!flow || flow->as_string().empty()) return;
        const std::string name = target_name(std::string(flow->as_string()));
        if (flow_into(run_.process(), live.node, name))
            live.memo[member] = name;
        else
            live.memo.erase(member);
    }

    // What is awaited under the id of the element: a retry, or that somebody says to go on.
    void rename_waits(const Live& live) {
        const std::string& from = before_.node_of(*before_.find(live.id)).id;
        const std::string& to = run_.node_of(live).id;
        if (from == to) return;
        const bpmn::Task* task = before_.node_of(*before_.find(live.id)).task();
        const bool is_told = task && task->kind == bpmn::Task::Kind::receive && !task->message;
        for (const Waiting& waiting : run_.instance().waits) {
            if (waiting.owner != live.id || waiting.wait.names.empty()) continue;
            const std::string& name = waiting.wait.names.front().name;
            const bool retries = name == retry_name(from);
            const bool told = is_told && name == from;
            if (!retries && !told) continue;
            run_.end_wait(waiting.token);
            run_.await(live, {.names = {retries ? retry_name(to) : to}});
        }
    }

    // The wait of another message or signal begins anew; timers keep when they are due.
    void await_changed_triggers(Live& live) {
        const bj::value* known = live.memo.if_contains("triggers");
        if (!known) return;
        const auto& old = before_.node_of(*before_.find(live.id)).event()->triggers;
        const auto& fresh = run_.node_of(live).event()->triggers;
        const bj::object armed = known->as_object();
        for (const auto& [token, number] : armed) {
            const auto index = number.to_number<std::size_t>();
            if (is_same_trigger(before_.process(), old[index], run_.process(), fresh[index]))
                continue;
            live.memo.erase("was");
            if (std::holds_alternative<bpmn::ConditionTrigger>(fresh[index])) continue;
            run_.end_wait(*parse_id<TokenId>(token));
            live.memo["triggers"].as_object().erase(token);
            arm_one(run_, live, index);
            MigrationReport::count(plan_.report.begun, run_.node_of(live).id);
        }
    }

    void await_changed_message(const Live& live) {
        const bpmn::Task& old = *before_.node_of(*before_.find(live.id)).task();
        const bpmn::Task& fresh = *run_.node_of(live).task();
        if (fresh.kind != bpmn::Task::Kind::receive || live.role != Live::Role::work ||
            live.memo.contains("held") ||
            is_same_message(before_.process(), old.message, run_.process(), fresh.message))
            return;
        run_.end_waits(live.id);
        EventKey name(run_.node_of(live).id);
        if (fresh.message) {
            auto key = key_of(run_, run_.process()[*fresh.message], live.id);
            if (!key) return run_.raise("no_correlation_key", name.name, key.error().message);
            name = *std::move(key);
        }
        run_.await(live, {.names = {std::move(name)}});
        MigrationReport::count(plan_.report.begun, run_.node_of(live).id);
    }

    bool has_listener(bpmn::FlowNodeId node, const Around& parent, const Around& host) const {
        return std::ranges::any_of(run_.lives(), [&](const Live& live) {
            const bj::value* on = live.memo.if_contains("on");
            return live.role == Live::Role::listener && live.node == node &&
                   live.parent == parent && (!host || (on && on->as_string() == to_string(*host)));
        });
    }

    // Boundary events, and starts of event sub-processes inside of it.
    void begin_around(const ActivityInstanceId& id) {
        const Live& live = *run_.find(id);
        const bpmn::FlowNode& node = run_.node_of(live);
        const bool is_work = live.role == Live::Role::work;
        const bool is_host = live.role == Live::Role::loop ||
                             (is_work && node.is_activity() && !live.memo.contains("body"));
        if (is_host)
            for (const bpmn::FlowNodeId event : node.activity.boundary_events)
                if (!has_listener(event, live.parent, id)) arm_boundary_event(run_, live, event);
        const bpmn::SubProcess* sub_process = node.sub_process();
        const bool compensates = sub_process && live.memo.contains("compensates") &&
                                 sub_process->kind == bpmn::SubProcess::Kind::event;
        if (is_work && sub_process && !compensates) begin_starts(id, sub_process->inside);
    }

    void begin_starts(const Around& owner, bpmn::ScopeId scope) {
        if (is_closing(owner)) return;
        for (const bpmn::FlowNodeId start : listening_starts(run_.process(), scope))
            if (!has_listener(start, owner, {}))
                arm(run_, run_.add(start, owner, Live::Role::listener));
    }

    // An event sub-process has interrupted it, or it is cancelled: nothing new begins in it.
    bool is_closing(const Around& scope) const {
        return std::ranges::any_of(before_.lives(), [&](const Live& live) {
            if (live.parent != scope || live.role != Live::Role::work) return false;
            if (live.memo.contains("cancels")) return true;
            const bpmn::SubProcess* inner = before_.node_of(live).sub_process();
            if (!inner || inner->kind != bpmn::SubProcess::Kind::event) return false;
            const auto& starts = before_.process()[inner->inside].triggered_starts;
            return std::ranges::any_of(starts, [&](const bpmn::FlowNodeId start) {
                const bpmn::Event* event = before_.process()[start].event();
                return event && event->interrupts;
            });
        });
    }

    // The events behind an event-based gateway that only the other version has.
    void begin_at_gates() {
        std::map<std::string, std::vector<ActivityInstanceId>> gates;
        for (const Live& live : run_.lives())
            if (const bj::value* gate = live.memo.if_contains("gate"))
                gates[std::string(gate->as_string())].push_back(live.id);
        for (const auto& [gate, members] : gates) begin_at_gate(gate, members);
    }

    void begin_at_gate(const std::string& gate, const std::vector<ActivityInstanceId>& members) {
        std::set<bpmn::FlowNodeId> there;
        for (const ActivityInstanceId& id : members) there.insert(run_.find(id)->node);
        const Around parent = run_.find(members.front())->parent;
        for (const bpmn::FlowNodeId node : behind_gateway_of(*there.begin())) {
            if (there.contains(node)) continue;
            if (!run_.process()[node].event()) {
                begin_activity(run_, node, parent, {{"gate", gate}});
                continue;
            }
            Live& live = run_.add(node, parent);
            live.memo["gate"] = gate;
            arm(run_, live);
        }
    }

    std::vector<bpmn::FlowNodeId> behind_gateway_of(bpmn::FlowNodeId event) const {
        std::vector<bpmn::FlowNodeId> nodes;
        for (const bpmn::FlowId flow : run_.process()[event].incoming) {
            const bpmn::FlowNode& source = run_.process()[run_.process()[flow].source];
            if (!source.gateway() || source.gateway()->kind != bpmn::Gateway::Kind::event_based)
                continue;
            for (const bpmn::FlowId out : source.outgoing)
                nodes.push_back(run_.process()[out].target);
            break;
        }
        return nodes;
    }

    Run& before_;
    Run& run_;
    MigrationPlan plan_;
    std::map<std::string, std::string> names_;
};

// The rows of what goes over, under the elements of the other version.
Instance renamed(const Instance& instance, const MigrationPlan& plan, const bpmn::Process& target) {
    Instance moved = instance;
    std::erase_if(moved.children.active, [&](const holdfast::Activity& active) {
        return !plan.places.contains(active.id);
    });
    for (holdfast::Activity& active : moved.children.active)
        active.activity = target[plan.places.at(active.id)].id;
    return moved;
}

}  // namespace

Migration migrate(const Version& from, const Version& to, const Instance& instance,
                  const std::vector<MappedElement>& mapping, Moment now) {
    Migration migration;
    if (is_starter(instance)) {
        migration.report.blame("", "it waits for what starts instances of its version");
        return migration;
    }
    Run before(from.process, from.settings, instance, now);
    MigrationPlan plan = plan_migration(before, to.process, mapping);
    migration.report = plan.report;
    if (!migration.report.problems.empty()) return migration;
    const Instance moved = renamed(instance, plan, to.process);
    Run run(to.process, to.settings, moved, now);
    migration.report = Moving(before, run, std::move(plan), mapping).move();
    // Of an event that cannot wait there, which says so as "element: why".
    if (const auto& incident = run.reaction().incident) {
        const std::size_t colon = incident->detail.find(": ");
        migration.report.blame(incident->detail.substr(0, colon),
                               incident->detail.substr(colon + 2));
        return migration;
    }
    settle_joins(run);
    run.go_on();
    walk(run);
    migration.reaction = run.finish("migrated");
    if (!migration.reaction.rows) migration.reaction.rows = moved.children;
    return migration;
}

}  // namespace holdfast::engine
