// The thread that fires timers: sleeps until the next due time of the store, and is woken early
// only by an earlier one.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "pump/timers/agenda.h"
#include "pump/timers/timer_pump.h"
#include "round/coordinator.h"

namespace holdfast {

// Listens to commits from before the coordinator exists; begins to fire when it is started.
class TimerThread final : public CommitListener {
public:
    void start(Store& store, Coordinator& coordinator, IdSource& ids, PumpMetrics& metrics);
    // Fires no more. Before the coordinator shuts down.
    void stop();

    void committed(const Touched& touched) override;
    // Somebody knows of a timer that is due then.
    void note_due(Moment due);
    // Whatever it knows may be old: other nodes may have armed timers unheard.
    void look_now();

    // How often it has looked into the store and gone to sleep again.
    std::size_t looks() const;

private:
    void run(TimerPump& pump, std::stop_token stop);
    // Sleeps for so long, or until it hears of something earlier, or is stopped.
    void sleep(std::optional<std::chrono::microseconds> time, std::stop_token stop);

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    Agenda agenda_;
    bool look_now_ = false;
    std::size_t looks_ = 0;
    std::jthread thread_;
};

}  // namespace holdfast
