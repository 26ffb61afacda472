// A random model as the walks know it: independent of the graphs of `bpmn` and the rules of
// `engine`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace holdfast::walks {

using Index = std::size_t;

enum class Kind {
    start,
    end,
    terminate,
    error_end,
    pass,    // a task that nobody waits for
    script,  // sets the variable `name`
    user,
    job,
    receive,
    exclusive,
    parallel,
    inclusive,
    event_gateway,
    catch_event,
    throw_signal,
    boundary,
    sub_process,
    event_sub_process,
};

enum class Trigger { none, message, timer, signal, error };

enum class Repeat { none, parallel, sequential, standard };

struct Element {
    std::string id;
    Kind kind = Kind::pass;
    Index scope = 0;
    Trigger trigger = Trigger::none;  // of a receive task: message
    std::string name;                 // of the message, signal or variable; the code of the error
    int seconds = 0;                  // of a timer
    bool interrupts = true;
    std::optional<Index> attached_to;
    std::vector<Index> boundary;  // attached to it
    std::optional<Index> inside;  // the scope of a sub-process
    Repeat repeat = Repeat::none;
    int times = 1;
    std::vector<Index> in;  // flows
    std::vector<Index> out;
    std::optional<Index> default_flow;
};

struct Flow {
    std::string id;
    Index from = 0;
    Index to = 0;
    std::string condition;  // a variable that has to be true; empty: none
};

struct Scope {
    std::optional<Index> owner;  // the sub-process; absent: the process
    std::vector<Index> elements;
};

struct Graph {
    std::vector<Element> elements;
    std::vector<Flow> flows;
    std::vector<Scope> scopes;

    const Element& operator[](Index element) const { return elements[element]; }
};

// The variables that conditions look at.
inline constexpr int conditions = 4;
inline std::string condition_name(std::size_t n) { return "c" + std::to_string(n); }

// The model of the process `p` as XML.
std::string xml_of(const Graph& graph);

}  // namespace holdfast::walks
