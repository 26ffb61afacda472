#include "engine/run.h"

#include "base/json/canonical.h"

namespace holdfast::engine {

std::string retry_name(const std::string& element) { return "retry:" + element; }
std::string work_name(const ActivityInstanceId& activity) {
    return "process/work/" + to_string(activity);
}
std::string escalation_name(const InstanceId& called) {
    return "process/escalation/" + to_string(called);
}

Run::Run(const bpmn::Process& process, const Settings& settings, const Instance& instance,
         Moment now)
    : process_(process), settings_(settings), instance_(instance), now_(now) {
    load();
}

// More than id_made_by can count: the id of one of those makes the others.
Uuid Run::new_id() {
    const std::uint32_t n = ids_made_++;
    if (n < 0x8000) return id_made_by(instance_, static_cast<std::uint16_t>(n + 1));
    Instance around{.id = {id_made_by(instance_, static_cast<std::uint16_t>(0x8000 + n / 0x8000))}};
    around.version = instance_.version;
    return id_made_by(around, static_cast<std::uint16_t>(n % 0x8000));
}

Live& Run::add(bpmn::FlowNodeId node, Around parent, Live::Role role) {
    const ActivityInstanceId id{new_id()};
    lives_.push_back({.id = id, .node = node, .parent = parent, .role = role});
    by_id_[id] = std::prev(lives_.end());
    return lives_.back();
}

Live* Run::find(const Around& id) {
    if (!id) return nullptr;
    const auto found = by_id_.find(*id);
    return found == by_id_.end() ? nullptr : &*found->second;
}

std::vector<ActivityInstanceId> Run::inside(const Around& parent) {
    std::vector<ActivityInstanceId> ids;
    for (const Live& live : lives_)
        if (live.parent == parent && live.role != Live::Role::done) ids.push_back(live.id);
    return ids;
}

std::vector<ActivityInstanceId> Run::done_inside(const Around& parent) {
    std::vector<ActivityInstanceId> ids;
    for (const Live& live : lives_)
        if (live.parent == parent && live.role == Live::Role::done) ids.push_back(live.id);
    return ids;
}

bool Run::is_inside(Around inner, const Around& outer) {
    while (inner && inner != outer) {
        const Live* live = find(inner);
        if (!live) return false;
        inner = live->parent;
    }
    return inner == outer;
}

void Run::drop_listeners(ActivityInstanceId id) {
    const std::string name = to_string(id);
    std::vector<ActivityInstanceId> listeners;
    for (const Live& live : lives_) {
        const bj::value* on = live.memo.if_contains("on");
        if (on && on->is_string() && on->get_string() == name) listeners.push_back(live.id);
    }
    for (const ActivityInstanceId& listener : listeners) drop(listener);
}

void Run::drop(ActivityInstanceId id) {
    Live* live = find(id);
    if (!live) return;
    cancel_job(*live);
    end_waits(id);
    if (const bj::value* task = live->memo.if_contains("task"))
        reaction_.cancel_tasks.push_back(*parse_id<TaskId>(task->as_string()));
    if (const bj::value* child = live->memo.if_contains("child"))
        reaction_.cancel_children.push_back(*parse_id<InstanceId>(child->as_string()));
    const bpmn::FlowNode& node = node_of(*live);
    if (!node.activity.boundary_events.empty()) drop_listeners(id);
    if (node.sub_process() || live->role == Live::Role::loop) {
        drop_inside(id);
        for (const ActivityInstanceId& done : done_inside(id)) drop(done);
    }
    // One activity instance is one row: active as long as it is kept for its compensation.
    if (by_id_.at(id)->role == Live::Role::done) note_completed(*by_id_.at(id));
    lives_.erase(by_id_.at(id));
    by_id_.erase(id);
}

void Run::cancel_job(const Live& live) {
    const auto id = job_of(live);
    if (!id) return;
    const bool begun_now =
        std::erase_if(reaction_.jobs, [&](const Reaction::Job& one) { return one.id == *id; }) > 0;
    if (!begun_now) reaction_.cancel_jobs.push_back(*id);
}

std::optional<SignalId> Run::job_of(const Live& live) const {
    // Of a process that began with an earlier version.
    if (const bj::value* job = live.memo.if_contains("job"))
        return parse_id<SignalId>(job->as_string());
    if (!node_of(live).task()) return std::nullopt;
    const std::string name = work_name(live.id);
    const auto is_its = [&](const auto& waiting) {
        return waiting.owner == live.id && !waiting.wait.names.empty() &&
               waiting.wait.names.front().name == name;
    };
    if (!std::ranges::any_of(reaction_.begin, is_its) &&
        !std::ranges::any_of(instance_.waits, is_its))
        return std::nullopt;
    return SignalId{live.id.value};
}

void Run::drop_inside(Around parent) {
    std::erase_if(moves_, [&](const Move& move) { return move.parent == parent; });
    for (const ActivityInstanceId& id : inside(parent)) drop(id);
}

void Run::note_completed(const Live& live) { completed_.push_back({live.id, node_of(live).id}); }

void Run::move(bpmn::FlowNodeId node, Around parent, std::optional<bpmn::FlowId> via) {
    moves_.push_back({node, parent, via});
}

bool Run::has_moves_in(const Around& parent) const {
    return std::ranges::any_of(moves_, [&](const Move& move) { return move.parent == parent; });
}

Move Run::next_move() {
    ++moves_made_;
    const Move move = moves_.front();
    moves_.pop_front();
    return move;
}

TokenId Run::await(const Live& live, Wait wait) {
    const TokenId token{new_id()};
    reaction_.begin.push_back({.token = token, .wait = std::move(wait), .owner = live.id});
    return token;
}

TokenId Run::await_new(const Live& live, EventKey name) {
    const TokenId token = await(live, {.names = {std::move(name)}});
    reaction_.begin.back().nothing_pending = true;
    return token;
}

void Run::end_wait(const TokenId& token) {
    const bool begun_now = std::erase_if(reaction_.begin, [&](const Reaction::Begin& begin) {
                               return begin.token == token;
                           }) > 0;
    if (!begun_now && find_wait(instance_.waits, token) && ended_waits_.insert(token).second)
        reaction_.end.push_back(token);
}

void Run::end_waits(const ActivityInstanceId& owner) {
    std::erase_if(reaction_.begin,
                  [&](const Reaction::Begin& begin) { return begin.owner == owner; });
    for (const Waiting& waiting : instance_.waits)
        if (waiting.owner == owner && ended_waits_.insert(waiting.token).second)
            reaction_.end.push_back(waiting.token);
}

bool Run::waits_for_anything() const {
    if (!reaction_.begin.empty()) return true;
    return std::ranges::any_of(instance_.waits, [&](const Waiting& waiting) {
        return !ended_waits_.contains(waiting.token);
    });
}

void Run::fail_process(const std::string& code, const std::string& message) {
    moves_.clear();
    for (const ActivityInstanceId& id : inside(std::nullopt)) drop(id);
    error_ = bj::object{{"code", code}, {"message", message}, {"variables", root_}};
    ended_ = true;
}

void Run::note(const std::string& name, bj::value value) {
    reaction_.history.push_back(
        {HistoryType::step_recorded,
         json::canonical(
             bj::object{{"index", instance_.index}, {"name", name}, {"value", std::move(value)}})});
}

}  // namespace holdfast::engine
