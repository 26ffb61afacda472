// The one way to start a thread: it has a name, and what escapes it ends the process loudly.
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>
#include <thread>

namespace holdfast {

// `name` is what `top -H` and a debugger show; the system keeps its first 15 bytes.
// An exception that leaves `work` is written to stderr and aborts the process.
std::jthread named_thread(std::string_view name, std::function<void(std::stop_token)> work);

}  // namespace holdfast
