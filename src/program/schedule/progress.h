// What a schedule has done: the part of its state that its program alone writes.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "program/schedule/spec.h"

namespace holdfast::schedule {

// Why something fired.
enum class Why {
    due,
    caught_up,  // it was due while nothing ran
    triggered,
    backfill,
};
std::string_view name_of(Why why);

struct Running {
    InstanceId workflow;
    Moment due;
};

// Due times of the past that somebody wants to have fired, from `next` to `to`.
struct Backfill {
    Moment next;  // those before it are done
    Moment to;
    Overlap overlap = Overlap::queue;  // or allow
};

struct Queued {
    Moment due;
    Why why = Why::due;
};

// One of the last firings.
struct Fired {
    Moment due;
    Moment at;
    std::string why;
    std::optional<InstanceId> workflow;  // absent: an event
};

inline constexpr std::size_t most_queued = 100;
inline constexpr std::size_t most_backfills = 10;
inline constexpr std::size_t most_recent = 10;

struct Progress {
    Moment last;                 // all due times up to this one are settled
    std::optional<Moment> next;  // that it waits for; absent: none
    std::uint64_t fired = 0;
    std::uint64_t skipped = 0;  // because of the overlap
    std::uint64_t missed = 0;   // due longer ago than `catchUp`
    std::optional<Running> running;
    std::deque<Queued> queue;
    std::deque<Backfill> backfills;
    std::deque<Fired> recent;  // the newest first
};

boost::json::object to_json(const Progress& progress);
// What is missing or unreadable has its default.
Progress read_progress(const boost::json::value& value, Moment created);

}  // namespace holdfast::schedule
