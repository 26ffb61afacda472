// One outage of the store as seen by one thread: logs its begin and its end, and computes the
// backoff between tries.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>

#include "base/log.h"
#include "base/result.h"

namespace holdfast {

// Belongs to one thread.
class Outage {
public:
    explicit Outage(std::string name) : name_(std::move(name)) {}

    // A try failed. Returns the backoff: twice as long each time, at most 5 s.
    std::chrono::milliseconds failed(const Error& error) {
        if (tries_++ == 0)
            log::warn(name_ + ".failed", {{"error", name_of(error.code)},
                                          {"message", error.message},
                                          {"next", "retried until it succeeds"}});
        const auto backoff = backoff_;
        backoff_ = std::min(backoff_ * 2, longest);
        return backoff;
    }
    void over() {
        if (tries_ > 0) log::info(name_ + ".resumed", {{"tries", tries_}});
        tries_ = 0;
        backoff_ = shortest;
    }

private:
    static constexpr std::chrono::milliseconds shortest{100};
    static constexpr std::chrono::milliseconds longest{5'000};

    const std::string name_;  // prefix of the log events
    std::size_t tries_ = 0;
    std::chrono::milliseconds backoff_ = shortest;
};

}  // namespace holdfast
