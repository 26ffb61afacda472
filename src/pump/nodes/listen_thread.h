// Receives the announcements of other nodes; after each (re)connect it looks at everything (I32).
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "store/hints.h"

namespace holdfast {

class ListenThread {
public:
    struct Hooks {
        std::function<void()> listening;  // earlier announcements were missed
        std::function<void(const Announcement&)> received;
    };

    void start(Hints& store, Hooks hooks);
    void stop();

private:
    void run(Hints& store, const Hooks& hooks, std::stop_token stop);

    std::mutex mutex_;
    std::condition_variable_any never_;
    std::jthread thread_;
};

}  // namespace holdfast
