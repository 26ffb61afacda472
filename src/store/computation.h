// Computations that may take longer than a round may: they run outside of it, and the operation
// carries their results.
#pragma once

#include <any>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>

#include "base/effort.h"
#include "base/ids/digest.h"

namespace holdfast {

// A round spends no more than this on the computations of one operation and of all of them.
constexpr std::uint64_t effort_in_operation = 100'000;
constexpr std::uint64_t effort_in_round = 2'000'000;
// Outside of a round, on another thread.
constexpr std::uint64_t effort_outside = 64'000'000;

// A pure function of values.
struct Computation {
    Digest key;  // names the function and its input: a result is used only for the same input
    std::function<std::any(Effort&)> run;
};

// The key of a function of these inputs.
inline Digest computation_key(std::string_view function, std::initializer_list<Digest> inputs) {
    std::string text(function);
    for (const Digest& input : inputs) text.append(input.bytes.begin(), input.bytes.end());
    return sha256(text);
}

// The results that an operation carries, by key.
using Computed = std::map<Digest, std::any>;

}  // namespace holdfast
