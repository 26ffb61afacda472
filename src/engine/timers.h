// When the timers of events are due.
#pragma once

#include "engine/run.h"

namespace holdfast::engine {

// The memo of the activity counts how often it was due. Absent: never again, or no time at all.
Result<std::optional<Moment>> next_due_of(Run& run, Live& live, const bpmn::TimerTrigger& timer);

}  // namespace holdfast::engine
