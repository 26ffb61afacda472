// Expressions that try to hang, to crash or to fill the memory, each in a process of its own.
#pragma once

#include <string>
#include <vector>

namespace holdfast::bench {

struct Hostile {
    std::string name;
    std::string expression;
};

struct Cost {
    double milliseconds = 0;  // of processor time, parsing and evaluating
    double mebibytes = 0;     // that the process grew by at most
    std::string ended;        // the reason it was stopped, or "done"
};

std::vector<Hostile> hostile_expressions();
Cost cost_of(const Hostile& hostile);

}  // namespace holdfast::bench
