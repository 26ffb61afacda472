#include "pump/nodes/heartbeat_thread.h"

#include "base/threads/threads.h"
#include "pump/outage.h"

namespace holdfast {

void HeartbeatThread::start(NodeLife& life, Hooks hooks) {
    thread_ = named_thread("heartbeat", [this, &life, hooks = std::move(hooks)](
                                            std::stop_token stop) { run(life, hooks, stop); });
}

void HeartbeatThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void HeartbeatThread::run(NodeLife& life, const Hooks& hooks, std::stop_token stop) {
    Outage outage("heartbeat");
    std::optional<NodeId> known = life.id();
    const auto pause = life.options().lease / 3;
    while (!stop.stop_requested()) {
        hooks.before_beat();
        const auto beat = life.beat();
        auto wait = pause;
        if (beat) {
            outage.over();
            const auto now = life.id();
            if (beat->alive) hooks.beat(*beat);
            if (now && now != known) hooks.rejoined();
            known = now;
        } else {
            wait = std::min<std::chrono::microseconds>(outage.failed(beat.error()), pause);
        }
        std::unique_lock lock(mutex_);
        never_.wait_for(lock, stop, wait, [] { return false; });
    }
}

}  // namespace holdfast
