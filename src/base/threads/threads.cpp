#include "base/threads/threads.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <utility>

#include "base/printable.h"

namespace holdfast {
namespace {

constexpr std::size_t longest_name = 15;

[[noreturn]] void die(const std::string& name, const char* what) {
    std::fprintf(stderr, "thread %s: uncaught exception: %s\n", name.c_str(),
                 printable(what).c_str());
    std::abort();
}

}  // namespace

std::jthread named_thread(std::string_view name, std::function<void(std::stop_token)> work) {
    std::string short_name(name.substr(0, longest_name));
    return std::jthread(
        [short_name = std::move(short_name), work = std::move(work)](const std::stop_token& stop) {
            pthread_setname_np(pthread_self(), short_name.c_str());
            try {
                work(stop);
            } catch (const std::exception& error) {
                die(short_name, error.what());
            } catch (...) {
                die(short_name, "not a std::exception");
            }
        });
}

}  // namespace holdfast
