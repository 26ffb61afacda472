// Jobs: work of a process that a worker does. A job is a signal whose envelope says what to do; its
// input is read when a worker begins it.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "model/signal.h"

namespace holdfast {

struct JobSpec {
    std::string type;  // which workers take it
    ActivityInstanceId activity;
    std::string element;
    std::uint32_t retries = 3;                   // attempts before it is an incident
    std::map<std::string, std::string> headers;  // from the model, as given
    // After each failed attempt, the last one after all further ones; empty: as the pump does.
    std::vector<std::chrono::microseconds> pauses{};

    bool operator==(const JobSpec&) const = default;
};

// The key under which nodes with a worker for the type claim its jobs. No definition has such a
// key.
std::string program_of_jobs(const std::string& type);

// refused: its headers are too long.
Result<SignalRow> job_row(const SignalId& id, const InstanceId& instance, const JobSpec& spec,
                          Moment now);
Result<JobSpec> job_in(const SignalRow& row);
// After the attempt of that number has failed, as the model says. Absent: it does not.
std::optional<std::chrono::microseconds> pause_after(const JobSpec& spec, std::uint32_t attempt);

}  // namespace holdfast
