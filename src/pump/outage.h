// One outage of the store as one thread sees it: a line when it begins and one when it is over, and
// how long to rest before the next try.
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
    explicit Outage(std::string who) : who_(std::move(who)) {}

    // A try failed. How long to rest: more each time, at most 5 s.
    std::chrono::milliseconds failed(const Error& error) {
        if (tries_++ == 0)
            log::warn(who_ + ".failed", {{"error", name_of(error.code)},
                                         {"message", error.message},
                                         {"next", "tried again until it works"}});
        const auto rest = rest_;
        rest_ = std::min(rest_ * 2, longest);
        return rest;
    }
    void over() {
        if (tries_ > 0) log::info(who_ + ".resumed", {{"tries", tries_}});
        tries_ = 0;
        rest_ = shortest;
    }

private:
    static constexpr std::chrono::milliseconds shortest{100};
    static constexpr std::chrono::milliseconds longest{5'000};

    const std::string who_;
    std::size_t tries_ = 0;
    std::chrono::milliseconds rest_ = shortest;
};

}  // namespace holdfast
