// Expressions that try to hang, crash or exhaust memory; each runs in its own process.
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
    double mebibytes = 0;     // growth of the process's peak memory
    std::string ended;        // the reason it was stopped, or "done"
};

std::vector<Hostile> hostile_expressions();
Cost cost_of(const Hostile& hostile);

}  // namespace holdfast::bench
