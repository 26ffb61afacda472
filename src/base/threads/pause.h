// Wraps std::this_thread::sleep_for, which is used nowhere else.
#pragma once

#include <chrono>

namespace holdfast {

// Blocks the calling thread. Do not use in code that depends on a Clock.
void pause_for(std::chrono::milliseconds time);

}  // namespace holdfast
