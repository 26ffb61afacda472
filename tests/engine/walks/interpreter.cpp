#include "engine/walks/interpreter.h"

#include <algorithm>
#include <set>

namespace holdfast::walks {

// Of one step; no model without a cycle makes as many.
constexpr int most_moves = 2'000;

Interpreter::Interpreter(const Graph& graph, Variables variables)
    : graph_(graph), variables_(std::move(variables)) {
    open_scope(0, 0);
    run();
}

Token& Interpreter::add(Index element, int around, Role role) {
    tokens_.push_back({.id = ++last_, .element = element, .around = around, .role = role});
    return tokens_.back();
}

Token* Interpreter::find(int id) {
    const auto found = std::ranges::find(tokens_, id, &Token::id);
    return found == tokens_.end() ? nullptr : &*found;
}

bool Interpreter::waits(const Token& token) const {
    if (token.role == Role::stuck) return true;
    if (token.role == Role::loop || token.role == Role::arrived) return false;
    return !of(token).inside;
}

bool Interpreter::is_ambiguous(const Token& token) const {
    const auto is_alike = [&](const Token& other) {
        return other.element == token.element && other.role == token.role;
    };
    const Token* first = &token;
    for (const Token& other : tokens_)
        if (is_alike(other) && other.armed < first->armed) first = &other;
    return std::ranges::any_of(tokens_, [&](const Token& other) {
        const bool is_of_its_loop = first->is_round && other.around == first->around;
        return other.id != first->id && is_alike(other) && other.since == first->since &&
               !is_of_its_loop;
    });
}

void Interpreter::begin_waiting(Token& token) {
    token.armed = ++armed_;
    token.since = step_;
}

Token* Interpreter::oldest(Index element, Role role) {
    Token* best = nullptr;
    for (Token& token : tokens_)
        if (token.element == element && token.role == role && (!best || token.armed < best->armed))
            best = &token;
    return best;
}

void Interpreter::kill(int id) {
    if (!find(id)) return;
    std::vector<int> also;
    for (const Token& token : tokens_)
        if (token.around == id || token.on == id) also.push_back(token.id);
    for (const int one : also) kill(one);
    std::erase_if(arrivals_, [&](const Arrival& arrival) { return arrival.around == id; });
    std::erase_if(tokens_, [&](const Token& token) { return token.id == id; });
}

void Interpreter::kill_inside(int around) {
    std::erase_if(arrivals_, [&](const Arrival& arrival) { return arrival.around == around; });
    std::vector<int> inside;
    for (const Token& token : tokens_)
        if (token.around == around) inside.push_back(token.id);
    for (const int id : inside) kill(id);
}

void Interpreter::open_scope(Index scope, int around) {
    for (const Index element : graph_.scopes[scope].elements)
        if (graph_[element].kind == Kind::event_sub_process)
            listen(graph_.scopes[*graph_[element].inside].elements.front(), around, 0);
    for (const Index element : graph_.scopes[scope].elements)
        if (graph_[element].kind == Kind::start) arrivals_.push_back({element, around, {}});
}

void Interpreter::run() {
    for (int moves = 0; !ended_ && !endless_; ++moves) {
        endless_ = moves > most_moves;
        if (!arrivals_.empty()) {
            const Arrival arrival = arrivals_.front();
            arrivals_.pop_front();
            enter(arrival);
        } else if (!fire_inclusive() && !finish_scope()) {
            return;
        }
    }
}

void Interpreter::enter(const Arrival& arrival) {
    const Element& element = graph_[arrival.element];
    switch (element.kind) {
        case Kind::start:
        case Kind::pass: return leave(arrival.element, arrival.around);
        case Kind::end: return;
        case Kind::terminate:
            kill_inside(arrival.around);
            ended_ = arrival.around == 0;
            return;
        case Kind::error_end: {
            const int thrower = add(arrival.element, arrival.around).id;
            return throw_from(thrower, element.name);
        }
        case Kind::script:
            variables_[element.name] = true;
            return leave(arrival.element, arrival.around);
        case Kind::throw_signal: {
            const int thrower = add(arrival.element, arrival.around).id;
            tell_signal(element.name);
            if (!find(thrower)) return;
            kill(thrower);
            return leave(arrival.element, arrival.around);
        }
        case Kind::exclusive: return choose(arrival.element, arrival.around);
        case Kind::parallel: return enter_parallel(arrival);
        case Kind::inclusive:
            if (element.in.size() < 2) return choose_all(arrival.element, arrival.around);
            add(arrival.element, arrival.around, Role::arrived).flow = arrival.flow;
            return;
        case Kind::event_gateway: {
            const int gate = ++last_;
            for (const Index flow : element.out) {
                Token& token = add(graph_.flows[flow].to, arrival.around);
                token.gate = gate;
                arm(token);
            }
            return;
        }
        case Kind::catch_event: return arm(add(arrival.element, arrival.around));
        default: return enter_activity(arrival.element, arrival.around);
    }
}

void Interpreter::enter_parallel(const Arrival& arrival) {
    const Element& element = graph_[arrival.element];
    if (element.in.size() > 1) {
        add(arrival.element, arrival.around, Role::arrived).flow = arrival.flow;
        std::map<Index, int> first;
        for (const Token& token : tokens_)
            if (token.element == arrival.element && token.around == arrival.around &&
                token.role == Role::arrived)
                first.emplace(*token.flow, token.id);
        if (first.size() < element.in.size()) return;
        for (const auto& [flow, id] : first) kill(id);
    }
    for (const Index flow : element.out) follow(flow, arrival.around);
}

void Interpreter::enter_activity(Index element, int around) {
    // A token that comes back to a loop is its next round.
    if (Token* loop = find(around); loop && loop->role == Role::loop && loop->element == element)
        return begin_round(*loop);
    const bool repeats = graph_[element].repeat != Repeat::none;
    Token& token = add(element, around, repeats ? Role::loop : Role::work);
    const int id = token.id;
    for (const Index event : graph_[element].boundary)
        if (graph_[event].trigger != Trigger::error) listen(event, around, id);
    if (!repeats) return begin(*find(id));
    const int rounds = graph_[element].repeat == Repeat::parallel ? graph_[element].times : 1;
    for (int i = 0; i < rounds; ++i) begin_round(*find(id));
}

void Interpreter::begin_round(Token& loop) {
    ++loop.begun;
    Token& round = add(loop.element, loop.id);
    round.is_round = true;
    begin(round);
}

void Interpreter::begin(Token& token) {
    begin_waiting(token);
    if (of(token).inside) open_scope(*of(token).inside, token.id);
}

void Interpreter::listen(Index element, int around, int on) {
    Token& token = add(element, around, Role::listener);
    token.on = on;
    arm(token);
}

void Interpreter::arm(Token& token) {
    begin_waiting(token);
    token.due = of(token).trigger == Trigger::timer ? now_ + of(token).seconds : 0;
}

void Interpreter::follow(Index flow, int around) {
    arrivals_.push_back({graph_.flows[flow].to, around, flow});
}

void Interpreter::leave(Index element, int around) {
    if (graph_[element].kind == Kind::exclusive) return choose(element, around);
    if (graph_[element].kind == Kind::inclusive) return choose_all(element, around);
    for (const Index flow : graph_[element].out) follow(flow, around);
}

bool Interpreter::is_true(const std::string& condition) const {
    const auto found = variables_.find(condition);
    return condition.empty() || (found != variables_.end() && found->second);
}

void Interpreter::choose(Index element, int around) {
    const auto& chooser = graph_[element];
    for (const Index flow : chooser.out)
        if (flow != chooser.default_flow && is_true(graph_.flows[flow].condition))
            return follow(flow, around);
    if (chooser.default_flow) return follow(*chooser.default_flow, around);
    if (!chooser.out.empty()) stick(element, around).leaving = true;
}

void Interpreter::choose_all(Index element, int around) {
    const auto& chooser = graph_[element];
    bool any = false;
    for (const Index flow : chooser.out) {
        if (flow == chooser.default_flow || !is_true(graph_.flows[flow].condition)) continue;
        follow(flow, around);
        any = true;
    }
    if (any || chooser.out.empty()) return;
    if (chooser.default_flow) return follow(*chooser.default_flow, around);
    stick(element, around).leaving = true;
}

Token& Interpreter::stick(Index element, int around) {
    Token& token = add(element, around, Role::stuck);
    begin_waiting(token);
    return token;
}

void Interpreter::finish(const Token& token) {
    const Token was = token;
    kill(was.id);
    if (!was.is_round) return leave(was.element, was.around);
    Token* loop = find(was.around);
    if (!loop) return;
    const Element& element = of(*loop);
    if (++loop->done < element.times) {
        if (element.repeat != Repeat::parallel) arrivals_.push_back({loop->element, loop->id, {}});
        return;
    }
    const Token ended = *loop;
    kill(ended.id);
    leave(ended.element, ended.around);
}

void Interpreter::complete(Index element, const Variables& values) {
    ++step_;
    const Token* token = oldest(element, Role::work);
    for (const auto& [name, value] : values) variables_[name] = value;
    finish(*token);
    run();
}

void Interpreter::throw_error(Index element, const std::string& code) {
    ++step_;
    throw_from(oldest(element, Role::work)->id, code);
    run();
}

// Outwards from the thrower; what nobody catches ends the thrower alone.
void Interpreter::throw_from(int id, const std::string& code) {
    for (const Token* at = find(id); at; at = find(at->around)) {
        if (at->is_round) continue;
        for (const Index event : of(*at).boundary) {
            if (graph_[event].trigger != Trigger::error || graph_[event].name != code) continue;
            const int around = at->around;
            kill(at->id);
            return leave(event, around);
        }
    }
    kill(id);
}

void Interpreter::fail(Index element) {
    ++step_;
    const Token failed = *oldest(element, Role::work);
    kill(failed.id);
    stick(failed.element, failed.around);
    run();
}

void Interpreter::retry(Index element) {
    ++step_;
    const Token stuck = *oldest(element, Role::stuck);
    kill(stuck.id);
    if (stuck.leaving)
        leave(stuck.element, stuck.around);
    else
        arrivals_.push_back({stuck.element, stuck.around, {}});
    run();
}

void Interpreter::send(const std::string& message, const Variables& values) {
    ++step_;
    Token* best = nullptr;
    for (Token& token : tokens_)
        if (of(token).trigger == Trigger::message && of(token).name == message && waits(token) &&
            token.role != Role::stuck && (!best || token.armed < best->armed))
            best = &token;
    for (const auto& [name, value] : values) variables_[name] = value;
    fire(best->id);
    run();
}

void Interpreter::tell_signal(const std::string& signal) {
    std::vector<int> waiting;
    for (const Token& token : tokens_)
        if (of(token).trigger == Trigger::signal && of(token).name == signal && waits(token))
            waiting.push_back(token.id);
    for (const int id : waiting)
        if (find(id)) fire(id);
}

// Each of them on its own: what follows from one is over when the next one is told.
void Interpreter::broadcast(const std::string& signal) {
    ++step_;
    std::vector<std::pair<std::int64_t, int>> waiting;
    for (const Token& token : tokens_)
        if (of(token).trigger == Trigger::signal && of(token).name == signal && waits(token))
            waiting.emplace_back(token.armed, token.id);
    std::ranges::sort(waiting);
    for (const auto& [armed, id] : waiting) {
        const Token* token = find(id);
        if (!token || token->armed != armed) continue;
        fire(id);
        run();
    }
}

bool Interpreter::advance() {
    ++step_;
    std::int64_t next = 0;
    for (const Token& token : tokens_)
        if (token.due > 0 && (next == 0 || token.due < next)) next = token.due;
    if (next == 0) return false;
    now_ = next;
    for (bool fired = true; fired;) {
        fired = false;
        for (const Token& token : tokens_) {
            if (token.due == 0 || token.due > now_) continue;
            fire(token.id);
            run();
            fired = true;
            break;
        }
    }
    return true;
}

void Interpreter::set(const Variables& values) {
    for (const auto& [name, value] : values) variables_[name] = value;
}

// What a token waits for has occurred.
void Interpreter::fire(int id) {
    Token& token = *find(id);
    const Token was = token;
    const Element& element = of(was);
    if (was.role == Role::listener) {
        if (!element.interrupts) {
            token.due = 0;  // a duration passes once
            begin_waiting(token);
        }
        if (element.kind == Kind::start) return begin_event_sub_process(was.element, was.around);
        if (element.interrupts) kill(was.on);
        return leave(was.element, was.around);
    }
    if (was.gate != 0) {
        std::vector<int> rivals;
        for (const Token& other : tokens_)
            if (other.gate == was.gate && other.id != id) rivals.push_back(other.id);
        for (const int rival : rivals) kill(rival);
    }
    if (element.kind == Kind::receive) return finish(*find(id));
    kill(id);
    leave(was.element, was.around);
}

void Interpreter::begin_event_sub_process(Index start, int around) {
    if (graph_[start].interrupts) kill_inside(around);
    const Index inside = graph_[start].scope;
    Token& token = add(*graph_.scopes[inside].owner, around);
    const int id = token.id;
    for (const Index element : graph_.scopes[inside].elements)
        if (graph_[element].kind == Kind::event_sub_process)
            listen(graph_.scopes[*graph_[element].inside].elements.front(), id, 0);
    arrivals_.push_back({start, id, {}});
}

std::vector<bool> Interpreter::upstream(Index flow) const {
    std::vector<bool> seen(graph_.elements.size());
    const Index target = graph_.flows[flow].to;
    std::vector<Index> open = {graph_.flows[flow].from};
    while (!open.empty()) {
        const Index element = open.back();
        open.pop_back();
        if (element == target || seen[element]) continue;
        seen[element] = true;
        for (const Index in : graph_[element].in) open.push_back(graph_.flows[in].from);
        if (graph_[element].attached_to) open.push_back(*graph_[element].attached_to);
    }
    return seen;
}

bool Interpreter::fire_inclusive() {
    for (const Token& join : tokens_) {
        if (join.role != Role::arrived || of(join).kind != Kind::inclusive) continue;
        std::map<Index, int> first;
        for (const Token& token : tokens_)
            if (token.element == join.element && token.around == join.around &&
                token.role == Role::arrived)
                first.emplace(*token.flow, token.id);
        const bool still_comes = std::ranges::any_of(of(join).in, [&](Index flow) {
            if (first.contains(flow)) return false;
            const auto reached = upstream(flow);
            return std::ranges::any_of(tokens_, [&](const Token& token) {
                return token.around == join.around && token.role != Role::listener &&
                       reached[token.element];
            });
        });
        if (still_comes) continue;
        const Token fired = join;
        for (const auto& [flow, id] : first) kill(id);
        choose_all(fired.element, fired.around);
        return true;
    }
    return false;
}

bool Interpreter::is_empty(int around) const {
    return std::ranges::none_of(tokens_, [&](const Token& token) {
        return token.around == around && token.role != Role::listener;
    });
}

bool Interpreter::finish_scope() {
    for (const Token& token : tokens_) {
        if (token.role != Role::work || !of(token).inside || !is_empty(token.id)) continue;
        finish(token);
        return true;
    }
    ended_ = is_empty(0);
    if (ended_) kill_inside(0);
    return false;
}

}  // namespace holdfast::walks
