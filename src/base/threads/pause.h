// The one place where a thread sleeps.
#pragma once

#include <chrono>

namespace holdfast {

// Blocks the calling thread. Not for code that a clock can drive.
void pause_for(std::chrono::milliseconds time);

}  // namespace holdfast
