// What PostgreSQL alone takes for the parts of a signal's way, measured beside it.
#pragma once

#include <string>

namespace holdfast::bench {

struct RawSignals {
    double round_trip_ms = 0;            // NOTIFY there and back, the middle one
    double transactions_per_second = 0;  // one row into each of two tables, one after the other
};

RawSignals raw_signals(const std::string& url, std::size_t rounds);

}  // namespace holdfast::bench
