// A simple interpreter of random models: tokens on a graph, in memory, written from the rules of
// BPMN and without anything of the engine. What it says is compared with what the engine does.
#pragma once

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <string>
#include <vector>

#include "engine/walks/graph.h"

namespace holdfast::walks {

enum class Role { work, arrived, listener, loop, stuck };

struct Token {
    int id = 0;
    Index element = 0;
    int around = 0;  // the token of the sub-process or loop that contains it; 0: the process
    Role role = Role::work;
    int on = 0;                 // listener: the activity that it is attached to
    int gate = 0;               // of the same event-based gateway
    std::optional<Index> flow;  // arrived
    std::int64_t due = 0;       // timer
    std::int64_t armed = 0;     // since when it waits, to tell the oldest
    int since = 0;              // the step with which it began to wait
    bool leaving = false;       // stuck: its work is done
    bool is_round = false;      // of a loop
    int begun = 0;              // loop
    int done = 0;
};

class Interpreter {
public:
    using Variables = std::map<std::string, bool>;

    Interpreter(const Graph& graph, Variables variables);

    const std::list<Token>& tokens() const { return tokens_; }
    const Variables& variables() const { return variables_; }
    bool has_ended() const { return ended_; }
    // It moves without end: the engine says so with an incident, which is not compared.
    bool is_endless() const { return endless_; }
    // Who waits for something from outside.
    bool waits(const Token& token) const;
    // Whether the one that takes what this one waits for is not the only one since its step: nobody
    // says which of them is first. Rounds of one loop are alike.
    bool is_ambiguous(const Token& token) const;

    // What happens. The token of that kind that waits longest at the element takes it.
    void complete(Index element, const Variables& values);  // a user task or job
    void throw_error(Index element, const std::string& code);
    void fail(Index element);
    void send(const std::string& message, const Variables& values);
    void broadcast(const std::string& signal);
    // False: no timer is set.
    bool advance();
    void retry(Index element);
    void set(const Variables& values);

private:
    struct Arrival {
        Index element = 0;
        int around = 0;
        std::optional<Index> flow;
    };

    const Element& of(const Token& token) const { return graph_[token.element]; }
    Token& add(Index element, int around, Role role = Role::work);
    Token* find(int id);
    Token* oldest(Index element, Role role);
    // With what is inside of it and what listens on it.
    void kill(int id);
    void kill_inside(int around);

    void run();
    void open_scope(Index scope, int around);
    void enter(const Arrival& arrival);
    void enter_parallel(const Arrival& arrival);
    void enter_activity(Index element, int around);
    void begin_round(Token& loop);
    void begin(Token& token);
    void listen(Index element, int around, int on);
    void arm(Token& token);
    void begin_waiting(Token& token);
    void follow(Index flow, int around);
    void leave(Index element, int around);
    void choose(Index element, int around);
    void choose_all(Index element, int around);
    Token& stick(Index element, int around);
    void finish(const Token& token);
    void throw_from(int id, const std::string& code);
    void tell_signal(const std::string& signal);
    void fire(int id);
    void begin_event_sub_process(Index start, int around);
    bool fire_inclusive();
    bool finish_scope();
    bool is_empty(int around) const;
    // From where a token can still come to the flow, without passing its target.
    std::vector<bool> upstream(Index flow) const;
    bool is_true(const std::string& condition) const;

    const Graph& graph_;
    Variables variables_;
    std::list<Token> tokens_;
    std::deque<Arrival> arrivals_;
    std::int64_t now_ = 0;
    std::int64_t armed_ = 0;
    int last_ = 0;
    int step_ = 0;
    bool ended_ = false;
    bool endless_ = false;
};

}  // namespace holdfast::walks
