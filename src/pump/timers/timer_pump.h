// Submits due timers to the coordinator. It does not poll: it knows when the next one is due.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "base/ids/id_source.h"
#include "operations/events/fire_timer.h"
#include "pump/metrics.h"
#include "store/reads.h"

namespace holdfast {

struct NextDue {
    Moment due;
    std::chrono::microseconds in{0};  // from the look on
};

// Belongs to one thread.
class TimerPump {
public:
    using Outcomes = std::vector<Result<op::FireTimer::Outcome>>;
    // Runs the operations and returns their outcomes, in order, once all are answered.
    using Fire = std::function<Outcomes(std::vector<op::FireTimer>)>;

    TimerPump(Reads& store, IdSource& ids, PumpMetrics& metrics, Fire fire)
        : store_(store), ids_(ids), metrics_(metrics), fire_(std::move(fire)) {}

    // Fires due timers, in bounded bursts. Absent: no timer is set. An error: the store cannot be
    // reached; try again later.
    Result<std::optional<NextDue>> look();

private:
    // Returns how many of them ended a wait.
    Result<std::size_t> fire(const std::vector<DueTimer>& due);

    Reads& store_;
    IdSource& ids_;
    PumpMetrics& metrics_;
    Fire fire_;
};

}  // namespace holdfast
