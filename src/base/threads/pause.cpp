#include "base/threads/pause.h"

#include <thread>

namespace holdfast {

void pause_for(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

}  // namespace holdfast
