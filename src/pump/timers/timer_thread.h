// The thread that fires timers: sleeps until the next due time, and wakes early only for an earlier
// one.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "pump/timers/agenda.h"
#include "pump/timers/timer_pump.h"
#include "round/coordinator.h"

namespace holdfast {

// Constructed before the coordinator, as its listener; fires only once it is started.
class TimerThread final : public CommitListener {
public:
    void start(Reads& store, Coordinator& coordinator, IdSource& ids, PumpMetrics& metrics);
    // Stops firing. Call before the coordinator shuts down.
    void stop();

    void committed(const Touched& touched) override;
    // A timer is due then.
    void note_due(Moment due);
    // Looks at once: other nodes may have set timers without an announcement.
    void look_now();

    // How many looks it has done.
    std::size_t looks() const;

private:
    void run(TimerPump& pump, std::stop_token stop);
    // Sleeps for this long, or until an earlier due time is noted, or until it is stopped.
    void sleep(std::optional<std::chrono::microseconds> time, std::stop_token stop);

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    Agenda agenda_;
    bool look_now_ = false;
    std::size_t looks_ = 0;
    std::jthread thread_;
};

}  // namespace holdfast
