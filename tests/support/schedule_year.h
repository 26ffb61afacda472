// A schedule's program through a year, without a store: it is told of its timers by a clock that
// goes on by itself.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/schedule/program.h"

namespace holdfast::testing {

struct YearPlan {
    boost::json::object spec;  // without what it does
    Moment begin;
    Moment end;
    // How late a timer may be, and how long nothing runs now and then.
    std::chrono::microseconds latest{0};
    std::chrono::microseconds outage{0};
    std::uint64_t seed = 1;
};

// The due times that it fired for, in order.
std::vector<Moment> fire_through(const YearPlan& plan);

}  // namespace holdfast::testing
