// SIGTERM and SIGINT as something a thread can wait for.
#pragma once

namespace holdfast::app {

// Blocks the stop signals in this thread and all it starts. Call before any thread is started.
void block_stop_signals();
// Returns when one of them arrives.
void wait_for_stop_signal();

}  // namespace holdfast::app
