// One event for thousands of waits, and another client meanwhile.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "clients.h"

namespace holdfast::bench {

struct FanOutWork {
    std::vector<double> alone_ms;      // of the other client, before
    std::vector<double> meanwhile_ms;  // from the send until the last wait has ended
    double seconds = 0;                // that took
};

// Starts that many workflows of the definition, which all wait for one event, and sends it with
// `fanOut: all`. The other client sends events to a workflow of its own, one after the other.
FanOutWork wake_all(const std::string& url, const std::string& definition, std::size_t waiters,
                    std::chrono::seconds alone);

}  // namespace holdfast::bench
