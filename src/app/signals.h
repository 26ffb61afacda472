// Lets a thread wait for SIGTERM and SIGINT.
#pragma once

namespace holdfast::app {

// Blocks the stop signals in this thread and its later threads. Call before starting any thread.
void block_stop_signals();
// Returns when one of them arrives.
void wait_for_stop_signal();
// Sends one to this process. From any thread.
void send_stop_signal();

}  // namespace holdfast::app
