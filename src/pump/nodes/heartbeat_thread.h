// The heartbeat of a node on a shared store: the only statement of an idle node. Its result covers
// what lost announcements missed, so that a lost one costs one heartbeat of delay (004.5).
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "pump/nodes/node_life.h"

namespace holdfast {

class HeartbeatThread {
public:
    struct Hooks {
        std::function<void()> before_beat;      // just before the statement
        std::function<void(const Beat&)> beat;  // its result, while this life lasts
        std::function<void()> rejoined;         // a new life has begun: look at everything
    };

    void start(NodeLife& life, Hooks hooks);
    void stop();

private:
    void run(NodeLife& life, const Hooks& hooks, std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any never_;
    std::jthread thread_;
};

}  // namespace holdfast
