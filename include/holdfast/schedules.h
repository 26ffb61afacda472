// Schedules: workflows that start, and events that are sent, by time.
//
//     node.schedules().put("nightly", {.cron = "0 2 * * *",
//                                      .time_zone = "Europe/Berlin",
//                                      .start = "report",
//                                      .arguments = Json::array{"${due}"}});
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "holdfast/values.h"

namespace holdfast {

// The members of a schedule over HTTP; an empty text has its default.
struct Schedule {
    // When: a cron text of five fields in a zone, or an interval such as "15m".
    std::string cron = {};
    std::string time_zone = {};  // "UTC"
    std::string every = {};
    std::string from = {};   // ISO 8601, in UTC; first time that may be due
    std::string until = {};  // last one
    // What: a flow or definition that it starts, or an event that it sends. `${due}` in texts of
    // the arguments, the business key and the value is the due time.
    std::string start = {};
    Json arguments = nullptr;
    std::string business_key = {};
    std::string send = {};
    Json value = nullptr;
    std::string correlation_key = {};
    std::string workflow = {};  // id of the one that gets the event; empty: a broadcast
    std::string fan_out = {};   // "one", or "all" for every wait of now
    std::string overlap = {};   // "skip", "queue", "cancel" or "allow"
    std::string catch_up = {};  // "1h": what was due longer ago is missed
    std::string jitter = {};    // "0s"
};

struct ScheduleStatus {
    bool paused = false;
    bool incident = false;
    std::optional<std::chrono::sys_time<std::chrono::microseconds>> next;  // due; absent: never
    std::uint64_t fired = 0;
    std::uint64_t skipped = 0;              // because of the overlap
    std::uint64_t missed = 0;               // due longer ago than `catch_up`
    std::string running = {};               // id of the workflow whose end it waits for
    std::vector<std::string> started = {};  // ids of the last workflows, the newest first
};

// All but `put` and `remove` throw Misuse if there is no schedule of this name.
class Schedules {
public:
    virtual ~Schedules() = default;

    // Creates a schedule, or changes the one of this name. Throws Misuse if it is not valid.
    virtual void put(const std::string& name, const Schedule& schedule) = 0;
    virtual ScheduleStatus status(const std::string& name) = 0;
    // False: there is none. What it started goes on.
    virtual bool remove(const std::string& name) = 0;
    virtual void pause(const std::string& name, const std::string& reason = {}) = 0;
    // Without what was due meanwhile.
    virtual void resume(const std::string& name, const std::string& reason = {}) = 0;
    // Fires now, also while it is paused. Throws Misuse if its overlap does not allow it.
    virtual void trigger(const std::string& name) = 0;
    // Fires for due times of the past, one after another; ISO 8601, in UTC.
    virtual void backfill(const std::string& name, const std::string& from,
                          const std::string& to) = 0;
};

}  // namespace holdfast
