// The only way to start a thread: it has a name, and an uncaught exception aborts the process.
#pragma once

#include <functional>
#include <stop_token>
#include <string_view>
#include <thread>

namespace holdfast {

// `background`: work that may take long; every other thread that is ready runs before it.
enum class Priority { usual, background };

// `top -H` and debuggers show `name`; the system keeps its first 15 bytes. An uncaught exception is
// printed to stderr before the abort.
std::jthread named_thread(std::string_view name, std::function<void(std::stop_token)> work,
                          Priority priority = Priority::usual);

// How many threads long work may have: it leaves half of the processors to the rest.
std::size_t threads_for_long_work();

}  // namespace holdfast
