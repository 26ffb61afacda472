// The binary operators: arithmetic first, then comparisons.
#pragma once

#include <cstdint>

namespace holdfast::feel {

enum class Operator : std::uint8_t {
    add,
    subtract,
    multiply,
    divide,
    power,
    equal,
    unequal,
    less,
    at_most,
    greater,
    at_least,
};

}  // namespace holdfast::feel
