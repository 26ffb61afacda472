#include "pump/timers/clock_thread.h"

#include "base/log.h"
#include "base/threads/threads.h"

namespace holdfast {
namespace {

constexpr auto pause = std::chrono::seconds(1);

}  // namespace

void ClockThread::start(const Clock& clock, std::function<void()> jumped) {
    thread_ = named_thread("clock", [this, &clock, jumped = std::move(jumped)](
                                        std::stop_token stop) { run(clock, jumped, stop); });
}

void ClockThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void ClockThread::run(const Clock& clock, const std::function<void()>& jumped,
                      std::stop_token stop) {
    JumpWatch watch;
    while (!stop.stop_requested()) {
        if (watch.has_jumped(clock.now(), std::chrono::steady_clock::now())) {
            log::warn("clock.jumped", {{"next", "timers and signals are checked again"}});
            jumped();
        }
        std::unique_lock lock(mutex_);
        never_.wait_for(lock, stop, pause, [] { return false; });
    }
}

}  // namespace holdfast
