// The program of schedules: an instance that waits for its next due time, and starts a workflow or
// sends an event each time (ADR 62).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "program/program.h"
#include "program/schedule/progress.h"

namespace holdfast {

inline constexpr std::string_view schedule_kind = "schedule";
inline constexpr std::string_view schedule_definition = "holdfast.schedule";

// The id of the schedule of that name, whether it exists or not.
InstanceId schedule_of(const std::string& tenant, const std::string& name);

std::shared_ptr<const Program> schedule_program();

namespace schedule {

// The state of a schedule that has done nothing yet.
Document first_state(const boost::json::value& spec);

// A stored schedule.
struct Stored {
    boost::json::value spec_text;  // as it was written
    Spec spec;
    Progress progress;
};
// invalid_argument: its state is not one of a schedule.
Result<Stored> read_schedule(const Instance& instance);

struct Upcoming {
    Moment due;
    Moment at;  // with its jitter
};
// The next due times of a schedule that is not paused.
std::vector<Upcoming> upcoming(const Instance& instance, const Stored& stored, std::size_t count);

}  // namespace schedule
}  // namespace holdfast
