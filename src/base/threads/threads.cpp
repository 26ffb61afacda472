#include "base/threads/threads.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "base/printable.h"

namespace holdfast {
namespace {

constexpr std::size_t longest_name = 15;
constexpr int background_nice = 15;  // a thirtieth of the share of other threads

[[noreturn]] void die(const std::string& name, const char* what) {
    std::fprintf(stderr, "thread %s: uncaught exception: %s\n", name.c_str(),
                 printable(what).c_str());
    std::abort();
}

}  // namespace

std::jthread named_thread(std::string_view name, std::function<void(std::stop_token)> work,
                          Priority priority) {
    std::string short_name(name.substr(0, longest_name));
    return std::jthread([short_name = std::move(short_name), work = std::move(work),
                         priority](const std::stop_token& stop) {
        pthread_setname_np(pthread_self(), short_name.c_str());
        // Linux has a nice value for each thread. Everybody may raise his own; if a sandbox
        // forbids it, the thread runs like the others.
        if (priority == Priority::background) [[maybe_unused]]
            const int nice_value = ::nice(background_nice);
        try {
            work(stop);
        } catch (const std::exception& error) {
            die(short_name, error.what());
        } catch (...) {
            die(short_name, "not a std::exception");
        }
    });
}

std::size_t threads_for_long_work() {
    constexpr unsigned most = 4;
    return std::clamp(std::thread::hardware_concurrency() / 2, 1U, most);
}

}  // namespace holdfast
