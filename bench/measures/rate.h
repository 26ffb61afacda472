// How fast a workload ran, and what it cost.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace holdfast::bench {

struct Rate {
    std::size_t done = 0;
    double seconds = 0;
    std::vector<double> latencies_ms;
    double cpu_us = 0;  // per workflow: this process and, on PostgreSQL, the database server
    // The same by thread of this process; "callers" are all who called, "database" is its server.
    std::map<std::string, double> thread_us;

    double per_second() const { return static_cast<double>(done) / seconds; }
    // Of all threads whose name begins so.
    double us_of(const std::string& threads) const {
        double sum = 0;
        for (const auto& [name, time] : thread_us)
            if (name.starts_with(threads)) sum += time;
        return sum;
    }
};

// The number of concurrent callers, and of the workflows that they run in total.
struct Callers {
    std::size_t callers = 1;
    std::size_t workflows = 1;
};

}  // namespace holdfast::bench
