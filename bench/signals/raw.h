// The cost of the parts of a signal's delivery in PostgreSQL alone.
#pragma once

#include <string>

namespace holdfast::bench {

struct RawSignals {
    double round_trip_ms = 0;            // NOTIFY and its reply, median
    double transactions_per_second = 0;  // one row into each of two tables, sequentially
};

RawSignals raw_signals(const std::string& url, std::size_t rounds);

}  // namespace holdfast::bench
