// A node without its doors: the store and all that works on it, started and stopped in one order.
#pragma once

#include <prometheus/registry.h>

#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "coordinator/coordinator.h"
#include "pump/recovery_thread.h"
#include "pump/timer_thread.h"

namespace holdfast::app {

struct EngineOptions {
    std::string store;
    std::string node;                         // empty: made of host name and process id
    std::optional<std::string> trace_rounds;  // a file that gets every round as a JSON line
    std::size_t writers = 0;                  // 0: what suits the store
    std::size_t readers = 4;
    std::size_t queue = 16'384;
};

class Engine {
public:
    // Opens the store and begins to fire timers and to recover.
    static Result<std::unique_ptr<Engine>> open(const EngineOptions& options,
                                                prometheus::Registry& registry);
    ~Engine();

    // Finishes what is queued; nothing is accepted any more.
    void stop();

    Store& store() { return *store_; }
    Coordinator& coordinator() { return *coordinator_; }
    IdSource& ids() { return ids_; }
    const Clock& clock() const { return clock_; }

private:
    explicit Engine(prometheus::Registry& registry);

    SystemClock clock_;
    IdSource ids_{clock_};
    CoordinatorMetrics metrics_;
    PumpMetrics pump_metrics_;
    TimerThread timers_;
    std::unique_ptr<RoundTrace> trace_;
    std::unique_ptr<Store> store_;
    std::unique_ptr<Coordinator> coordinator_;
    std::optional<RecoveryThread> recovery_;
};

}  // namespace holdfast::app
