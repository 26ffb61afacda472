#include "node/index_thread.h"

#include "base/log.h"
#include "base/threads/threads.h"

namespace holdfast {

void IndexThread::start(Upkeep& store) {
    thread_ =
        named_thread("indexes", [this, &store](const std::stop_token& stop) { run(store, stop); });
}

void IndexThread::want() {
    {
        const std::lock_guard lock(mutex_);
        wanted_ = true;
    }
    wake_.notify_all();
}

void IndexThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void IndexThread::run(Upkeep& store, const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, stop, [this] { return wanted_; });
            if (stop.stop_requested()) return;
            wanted_ = false;
        }
        if (auto built = store.build_indexes(stop); !built)
            log::warn("indexes.failed", {{"message", built.error().message},
                                         {"next", "retried after the next definition or restart"}});
    }
}

}  // namespace holdfast
