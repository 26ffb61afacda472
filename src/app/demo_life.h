// The demo that moves: workflows that live while one looks at them. A thread does over HTTP what
// programs and people outside would do; it uses nothing that they could not.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/demo_stories.h"

namespace holdfast::app {

class DemoLife {
public:
    // `token`: of a credential that is an operator and worker.
    DemoLife(std::string url, std::string token);
    // Ends the thread after the request that is under way.
    ~DemoLife();

private:
    void run(std::stop_token stop);
    void act_for_all(DemoCalls& calls);

    std::string url_;
    std::string token_;
    std::uint64_t started_ = 0;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
};

}  // namespace holdfast::app
