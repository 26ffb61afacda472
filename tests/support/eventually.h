// Waits for something that other threads or processes do, and gives up in the end: a test that
// waits fails instead of hanging.
#pragma once

#include <chrono>

#include "base/threads/pause.h"

namespace holdfast::testing {

// Whether the condition became true; checked every few milliseconds.
template <class Condition>
bool eventually(Condition&& condition, std::chrono::seconds at_most = std::chrono::minutes(1)) {
    const auto deadline = std::chrono::steady_clock::now() + at_most;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        pause_for(std::chrono::milliseconds(2));
    }
    return true;
}

}  // namespace holdfast::testing
