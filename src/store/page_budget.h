// What one page of a list may cost.
#pragma once

#include <cstdint>
#include <stop_token>

#include "base/effort.h"

namespace holdfast {

// A page that costs more ends early: it says so and has a cursor.
struct PageBudget {
    std::uint64_t effort = 10'000'000;  // units of Effort, about a tenth of a second
    // Of the texts in its rows; one row may have more. The page ends before the row that exceeds
    // it.
    std::size_t bytes = 4 * 1024 * 1024;
    // Requested once nobody waits for the page any more: the read ends soon, as unavailable.
    std::stop_token stop;
};

// For a job in the background: nobody waits for its pages.
inline const PageBudget unhurried{.effort = 100'000'000};

}  // namespace holdfast
