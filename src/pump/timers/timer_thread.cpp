#include "pump/timers/timer_thread.h"

#include "base/threads/threads.h"
#include "pump/outage.h"

namespace holdfast {

void TimerThread::start(Reads& store, Coordinator& coordinator, IdSource& ids,
                        PumpMetrics& metrics) {
    thread_ = named_thread("timers", [&, this](std::stop_token stop) {
        TimerPump pump(store, ids, metrics, [&](std::vector<op::FireTimer> operations) {
            return coordinator.run_all(std::move(operations));
        });
        run(pump, stop);
    });
}

void TimerThread::stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
}

void TimerThread::committed(const Touched& touched) {
    if (const auto due = earliest_due(touched)) note_due(*due);
}

void TimerThread::note_due(Moment due) {
    const std::lock_guard lock(mutex_);
    if (!agenda_.note_due(due)) return;
    look_now_ = true;
    changed_.notify_one();
}

void TimerThread::look_now() { note_due(Moment::min()); }

std::size_t TimerThread::looks() const {
    const std::lock_guard lock(mutex_);
    return looks_;
}

void TimerThread::run(TimerPump& pump, std::stop_token stop) {
    Outage outage("timers");
    while (!stop.stop_requested()) {
        {
            const std::lock_guard lock(mutex_);
            look_now_ = false;
            agenda_.begin_look();
        }
        const auto next = pump.look();
        const bool armed = next && *next;
        {
            const std::lock_guard lock(mutex_);
            ++looks_;
            if (agenda_.end_look(armed ? std::optional((*next)->due) : std::nullopt) && next)
                continue;
        }
        if (next) outage.over();
        if (!next)
            sleep(outage.failed(next.error()), stop);
        else
            sleep(armed ? std::optional((*next)->in) : std::nullopt, stop);
    }
}

void TimerThread::sleep(std::optional<std::chrono::microseconds> time, std::stop_token stop) {
    std::unique_lock lock(mutex_);
    const auto early = [this] { return look_now_; };
    if (time)
        changed_.wait_for(lock, stop, *time, early);
    else
        changed_.wait(lock, stop, early);
}

}  // namespace holdfast
