// What cannot go on, and what goes on later.
#include "engine/families.h"

namespace holdfast::engine {

void Run::raise(std::string code, const std::string& element, const std::string& detail) {
    if (!reaction_.incident)
        reaction_.incident = Reaction::Incident{std::move(code), element + ": " + detail};
}

Live& Run::stick(const Move& move, std::string code, const std::string& detail) {
    Live& live = add(move.node, move.parent, Live::Role::stuck);
    if (move.via) live.memo["via"] = process_[*move.via].id;
    await(live, {.names = {retry_name(process_[move.node].id)}});
    raise(std::move(code), process_[move.node].id, detail);
    return live;
}

void Run::stick_leaving(bpmn::FlowNodeId node, const Around& parent, std::uint32_t times,
                        std::string code, const std::string& detail) {
    stick({node, parent, std::nullopt}, std::move(code), detail).memo["leaving"] = times;
}

void Run::hold(Live& live, const char* what, std::string code, const std::string& detail) {
    if (!live.memo.contains("held")) await(live, {.names = {retry_name(node_of(live).id)}});
    live.memo["held"] = what;
    raise(std::move(code), node_of(live).id, detail);
}

void Run::release(Live& live) {
    if (!live.memo.contains("held")) return;
    live.memo.erase("held");
    const std::string name = retry_name(node_of(live).id);
    const auto is_its = [&](const auto& one) {
        return one.owner == live.id && !one.wait.names.empty() &&
               one.wait.names.front().name == name;
    };
    std::erase_if(reaction_.begin, is_its);
    for (const Waiting& waiting : instance_.waits)
        if (is_its(waiting)) end_wait(waiting.token);
}

bool Run::has_trouble() const {
    return std::ranges::any_of(lives_, [](const Live& live) {
        return live.role == Live::Role::stuck || live.memo.contains("held");
    });
}

void Run::put_moves_to_rest() {
    const std::deque<Move> moves = std::exchange(moves_, {});
    bool first = true;
    for (const Move& move : moves) {
        Live& live = add(move.node, move.parent, Live::Role::resting);
        if (move.via) live.memo["via"] = process_[*move.via].id;
        if (std::exchange(first, false)) live.memo["moved"] = moved_before_ + moves_made_;
    }
}

void Run::rest() {
    if (moved_before_ + moves_made_ >= most_moves)
        return rest_until_retried(
            "too_many_moves", "the process moves without end; repair the model or the variables");
    put_moves_to_rest();
    // Without an owner: whatever happens to the tokens, it stays.
    reaction_.begin.push_back(
        {.token = {new_id()}, .wait = {.until = now_}, .owner = {}, .nothing_pending = true});
}

void Run::rest_until_retried(std::string code, const std::string& detail) {
    put_moves_to_rest();
    for (Live& live : lives_) {
        if (live.role != Live::Role::resting) continue;
        live.memo["moved"] = 0;
        return hold(live, "moves", std::move(code), detail);
    }
}

void Run::go_on() {
    std::vector<ActivityInstanceId> resting;
    for (Live& live : lives_) {
        if (live.role != Live::Role::resting) continue;
        if (live.memo.contains("held")) return;
        if (const bj::value* moved = live.memo.if_contains("moved"))
            moved_before_ = std::max(moved_before_, moved->to_number<std::uint64_t>());
        resting.push_back(live.id);
    }
    for (const ActivityInstanceId& id : resting) {
        const Live& live = *find(id);
        Move move{live.node, live.parent, std::nullopt};
        if (const bj::value* via = live.memo.if_contains("via"))
            for (const bpmn::FlowId flow : node_of(live).incoming)
                if (process_[flow].id == via->as_string()) move.via = flow;
        moves_.push_back(move);
        end_waits(id);
        by_id_.erase(id);
    }
    std::erase_if(lives_, [](const Live& live) { return live.role == Live::Role::resting; });
    for (const Waiting& waiting : instance_.waits)
        if (!waiting.owner) end_wait(waiting.token);
}

namespace {

void retry_stuck(Run& run, const Live& stuck) {
    const bj::object memo = stuck.memo;
    Move move{stuck.node, stuck.parent, std::nullopt};
    if (const bj::value* via = memo.if_contains("via"))
        for (const bpmn::FlowId flow : run.node_of(stuck).incoming)
            if (run.process()[flow].id == via->as_string()) move.via = flow;
    run.drop(stuck.id);
    const bj::value* leaving = memo.if_contains("leaving");
    if (!leaving) return run.move(move.node, move.parent, move.via);
    if (const bj::value* payload = memo.if_contains("payload"))
        return take_and_leave(run, move.node, *payload, move.parent);
    leave(run, move.node, move.parent, leaving->to_number<std::uint32_t>());
}

void retry_held(Run& run, Live& live) {
    const std::string what(live.memo.at("held").as_string());
    run.release(live);
    if (what == "moves") return run.go_on();
    if (what == "arm") return arm_rest(run, live);
    if (what == "loop") return decide_loop(run, live);
    if (what == "ad_hoc") return check_ad_hoc(run, live.id);
    if (what == "activation") return check_activation(run, live.node, live.parent);
    const bj::object result = live.memo.at("result").as_object();
    live.memo.erase("result");
    if (what == "called") return complete_call(run, live, result);
    complete_activity(run, live.id, result);
}

}  // namespace

bool is_retry(Run& run, const Live& live, const Waiting& wait) {
    return (live.role == Live::Role::stuck || live.memo.contains("held")) &&
           !wait.wait.names.empty() &&
           wait.wait.names.front().name == retry_name(run.node_of(live).id);
}

void retry(Run& run, Live& live) {
    if (live.role == Live::Role::stuck)
        retry_stuck(run, live);
    else
        retry_held(run, live);
    if (!run.has_trouble()) run.reaction().settles_incident = true;
}

}  // namespace holdfast::engine
