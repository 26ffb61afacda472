// Lets a thread wait for SIGTERM and SIGINT, and for SIGHUP if that has a meaning.
#pragma once

#include <functional>

namespace holdfast::app {

// Blocks the stop signals in this thread and its later threads. Call before starting any thread.
void block_stop_signals();
// The same for SIGHUP, which then no longer ends the process.
void block_hangup();
// Returns when a stop signal arrives; until then calls `on_hangup` for each SIGHUP. Empty: SIGHUP
// is as the process found it.
void wait_for_stop_signal(const std::function<void()>& on_hangup);
// Sends one to this process. From any thread.
void send_stop_signal();

}  // namespace holdfast::app
