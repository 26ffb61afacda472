// The heartbeat of a node on a shared store: the only statement that runs while nothing happens. It
// brings what wake-ups may have missed, so a lost one costs one beat (004.5).
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
        std::function<void()> before;            // just before the question
        std::function<void(const Beat&)> heard;  // its answer; not that of a life that is over
        std::function<void()> rejoined;            // another life has begun: look at everything
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
