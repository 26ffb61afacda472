#include "engine/walks/random_model.h"

namespace holdfast::walks {
namespace {

constexpr std::size_t most_elements = 36;
constexpr int deepest = 3;

// Where a block begins, and where its token leaves it; absent: every token ends inside.
struct Block {
    Index entry = 0;
    std::optional<Index> exit;
};

class Builder {
public:
    explicit Builder(sim::Random& random) : random_(random) {}

    Graph build() {
        graph_.scopes.push_back({});
        fill(0, 0);
        name_thrown_signals();
        return std::move(graph_);
    }

private:
    bool chance(double percent) { return random_.chance(percent); }
    std::size_t below(std::size_t bound) { return random_.below(bound); }
    Element& at(Index element) { return graph_.elements[element]; }
    bool is_large() const { return graph_.elements.size() >= most_elements; }

    Index add(Kind kind, Index scope) {
        const Index index = graph_.elements.size();
        graph_.elements.push_back(
            {.id = "e" + std::to_string(index), .kind = kind, .scope = scope});
        graph_.scopes[scope].elements.push_back(index);
        return index;
    }
    Index connect(Index from, Index to, std::string condition = "") {
        const Index index = graph_.flows.size();
        graph_.flows.push_back({"f" + std::to_string(index), from, to, std::move(condition)});
        at(from).out.push_back(index);
        at(to).in.push_back(index);
        return index;
    }
    void name_thrown_signals() {
        std::vector<std::string> caught = {"nobody"};
        // What does not interrupt may throw what it catches, without end.
        for (const Element& element : graph_.elements)
            if (element.trigger == Trigger::signal && element.interrupts &&
                element.kind != Kind::start)
                caught.push_back(element.name);
        for (Element& element : graph_.elements)
            if (element.kind == Kind::throw_signal) element.name = random_.pick(caught);
    }
    std::string any_condition() { return condition_name(below(conditions)); }

    // Start, blocks, end; sometimes an event sub-process beside them.
    void fill(Index scope, int depth) {
        const Index start = add(Kind::start, scope);
        const Block body = sequence(scope, depth);
        connect(start, body.entry);
        if (body.exit) connect(*body.exit, add(Kind::end, scope));
        if (depth < deepest && !is_large() && chance(15)) add_event_sub_process(scope, depth);
    }
    void add_event_sub_process(Index scope, int depth) {
        const Index around = add(Kind::event_sub_process, scope);
        const Index inside = graph_.scopes.size();
        graph_.scopes.push_back({.owner = around, .elements = {}});
        at(around).inside = inside;
        const Index start = add(Kind::start, inside);
        set_trigger(start);
        at(start).interrupts = chance(50);
        const Block body = sequence(inside, depth + 1);
        connect(start, body.entry);
        if (body.exit) connect(*body.exit, add(Kind::end, inside));
    }

    Block sequence(Index scope, int depth) {
        Block all = block(scope, depth);
        for (std::size_t more = below(3); more > 0 && all.exit; --more) {
            const Block next = block(scope, depth);
            connect(*all.exit, next.entry);
            all.exit = next.exit;
        }
        return all;
    }

    Block block(Index scope, int depth) {
        if (depth >= deepest || is_large() || chance(45)) return leaf(scope, depth);
        switch (below(10)) {
            case 0:
            case 1: return branches(Kind::exclusive, scope, depth);
            case 2:
            case 3:
            case 4: return branches(Kind::parallel, scope, depth);
            case 5: return branches(Kind::inclusive, scope, depth);
            case 6: return race(scope, depth);
            case 7: return loop(scope, depth);
            default: return sub_process(scope, depth);
        }
    }

    Block leaf(Index scope, int depth) {
        static const std::vector<Kind> kinds = {
            Kind::pass, Kind::script,      Kind::user,    Kind::user,        Kind::job,
            Kind::job,  Kind::catch_event, Kind::receive, Kind::throw_signal};
        const Index index = add(random_.pick(kinds), scope);
        const Kind kind = at(index).kind;
        if (kind == Kind::script) at(index).name = "v" + std::to_string(index);
        if (kind == Kind::catch_event) set_trigger(index);
        if (kind == Kind::receive) at(index).trigger = Trigger::message, name_message(index);
        if (kind == Kind::user && chance(20)) set_repeat(index);
        Block block{index, index};
        if (kind == Kind::user || kind == Kind::job || kind == Kind::receive)
            attach_events(block, depth);
        return block;
    }
    void set_repeat(Index index) {
        static const std::vector<Repeat> repeats = {Repeat::parallel, Repeat::sequential,
                                                    Repeat::standard};
        at(index).repeat = random_.pick(repeats);
        at(index).times = 1 + static_cast<int>(below(3));
    }
    void name_message(Index index) { at(index).name = "m" + std::to_string(index); }
    void set_trigger(Index index) {
        static const std::vector<Trigger> triggers = {Trigger::message, Trigger::message,
                                                      Trigger::timer, Trigger::signal};
        at(index).trigger = random_.pick(triggers);
        if (at(index).trigger == Trigger::message) name_message(index);
        // One catcher each: the order of several is nobody's business.
        if (at(index).trigger == Trigger::signal) at(index).name = "sig" + std::to_string(index);
        // Sums of these meet rarely: two timers are not due at one moment.
        if (at(index).trigger == Trigger::timer)
            at(index).seconds = 1 + static_cast<int>(below(10'000'000));
    }

    // Their ways end, or meet that of the activity again.
    void attach_events(Block& block, int depth) {
        const Index host = block.entry;
        while (!is_large() && chance(30)) {
            const Index event = add(Kind::boundary, at(host).scope);
            at(event).attached_to = host;
            at(host).boundary.push_back(event);
            set_boundary_trigger(event, host);
            Index last = event;
            if (chance(50)) {
                const Block handler = this->leaf(at(host).scope, deepest);
                connect(event, handler.entry);
                last = *handler.exit;
            }
            if (depth < deepest && chance(40)) {
                if (block.exit == host) {
                    block.exit = add(Kind::exclusive, at(host).scope);
                    connect(host, *block.exit);
                }
                connect(last, *block.exit);
            } else {
                connect(last, add(Kind::end, at(host).scope));
            }
        }
    }
    void set_boundary_trigger(Index event, Index host) {
        const Kind kind = at(host).kind;
        const bool throws = kind == Kind::job || kind == Kind::sub_process;
        const bool has_error = std::ranges::any_of(
            at(host).boundary, [&](Index other) { return at(other).trigger == Trigger::error; });
        if (throws && !has_error && chance(50)) {
            at(event).trigger = Trigger::error;
            at(event).name = chance(70) ? "E1" : "E2";
            return;
        }
        set_trigger(event);
        at(event).interrupts = chance(60);
    }

    Block branches(Kind kind, Index scope, int depth) {
        const Index split = add(kind, scope);
        std::vector<Index> exits;
        const std::size_t count = 2 + below(2);
        for (std::size_t i = 0; i < count; ++i) {
            const bool is_last = i + 1 == count;
            const std::string condition = kind == Kind::parallel || is_last ? "" : any_condition();
            const Block branch = this->branch(scope, depth);
            const Index flow = connect(split, branch.entry, condition);
            if (is_last && kind != Kind::parallel) {
                if (chance(90))
                    at(split).default_flow = flow;
                else
                    graph_.flows[flow].condition = any_condition();
            }
            if (branch.exit) exits.push_back(*branch.exit);
        }
        return {split, merge(chance(85) ? kind : any_gateway(), scope, exits)};
    }
    Kind any_gateway() {
        static const std::vector<Kind> kinds = {Kind::exclusive, Kind::parallel, Kind::inclusive};
        return random_.pick(kinds);
    }
    // A branch may end: by an end event, for the whole scope, or by an error.
    Block branch(Index scope, int depth) {
        Block block = sequence(scope, depth + 1);
        if (!block.exit || !chance(12)) return block;
        static const std::vector<Kind> ends = {Kind::end, Kind::end, Kind::terminate,
                                               Kind::error_end};
        const Index end = add(random_.pick(ends), scope);
        if (at(end).kind == Kind::error_end) at(end).name = chance(70) ? "E1" : "E2";
        connect(*block.exit, end);
        block.exit.reset();
        return block;
    }
    std::optional<Index> merge(Kind kind, Index scope, const std::vector<Index>& exits) {
        if (exits.empty()) return std::nullopt;
        // Several flows into an activity are a merge too.
        const Index join = add(kind == Kind::exclusive && chance(30) ? Kind::pass : kind, scope);
        for (const Index exit : exits) connect(exit, join);
        return join;
    }

    // An event-based gateway.
    Block race(Index scope, int depth) {
        const Index gate = add(Kind::event_gateway, scope);
        std::vector<Index> exits;
        for (std::size_t count = 2 + below(2); count > 0; --count) {
            const Index event = add(Kind::catch_event, scope);
            set_trigger(event);
            connect(gate, event);
            if (chance(50)) {
                exits.push_back(event);
                continue;
            }
            const Block rest = branch(scope, depth);
            connect(event, rest.entry);
            if (rest.exit) exits.push_back(*rest.exit);
        }
        return {gate, merge(Kind::exclusive, scope, exits)};
    }

    // Every round waits for a person.
    Block loop(Index scope, int depth) {
        const Index entry = add(Kind::exclusive, scope);
        const Index wait = add(Kind::user, scope);
        connect(entry, wait);
        Block body{wait, wait};
        if (chance(50)) {
            const Block rest = block(scope, depth + 1);
            connect(wait, rest.entry);
            body.exit = rest.exit;
        }
        if (!body.exit) return {entry, std::nullopt};
        const Index again = add(Kind::exclusive, scope);
        const Index exit = add(Kind::pass, scope);
        connect(*body.exit, again);
        connect(again, entry, any_condition());
        at(again).default_flow = connect(again, exit);
        return {entry, exit};
    }

    Block sub_process(Index scope, int depth) {
        const Index around = add(Kind::sub_process, scope);
        const Index inside = graph_.scopes.size();
        graph_.scopes.push_back({.owner = around, .elements = {}});
        at(around).inside = inside;
        fill(inside, depth + 1);
        Block block{around, around};
        attach_events(block, depth);
        return block;
    }

    sim::Random& random_;
    Graph graph_;
};

}  // namespace

Graph random_model(sim::Random& random) { return Builder(random).build(); }

}  // namespace holdfast::walks
