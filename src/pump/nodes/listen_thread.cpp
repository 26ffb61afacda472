#include "pump/nodes/listen_thread.h"

#include "base/threads/threads.h"
#include "pump/outage.h"

namespace holdfast {

void ListenThread::start(Hints& store, Hooks hooks) {
    thread_ = named_thread("listen", [this, &store, hooks = std::move(hooks)](
                                         std::stop_token stop) { run(store, hooks, stop); });
}

void ListenThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void ListenThread::run(Hints& store, const Hooks& hooks, std::stop_token stop) {
    Outage outage("listen");
    const auto listening = [&] {
        outage.over();
        hooks.listening();
    };
    while (!stop.stop_requested()) {
        const auto ended = store.listen(listening, hooks.received, stop);
        if (ended || stop.stop_requested()) return;  // an embedded store has no announcements
        const auto backoff = outage.failed(ended.error());
        std::unique_lock lock(mutex_);
        never_.wait_for(lock, stop, backoff, [] { return false; });
    }
}

}  // namespace holdfast
