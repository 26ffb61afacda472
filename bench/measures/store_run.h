// What one run of a bench on one store measures, with the raw limit beside it.
#pragma once

#include <string>
#include <vector>

#include "measures/rate.h"
#include "measures/samples.h"

namespace holdfast::bench {

class StoreRun {
public:
    StoreRun(std::string store, Samples& samples) : store_(std::move(store)), samples_(samples) {}

    const std::string& store() const { return store_; }

    // What is added between two calls has the mean of both as its limit: the machine's speed
    // changes within a run. What was added after the last call is not reported.
    void measure_limit();

    void add(const std::string& workload, const std::string& metric, double value,
             const std::string& unit);
    struct RateOf {
        std::string workload;
        std::string metric;
        double times = 1;       // what the metric counts, of each workflow
        double rows_limit = 0;  // workflows a second; 0: not measured
    };
    // The rate, latencies, and the processor time of each thread. The latency of one at a time is
    // beside a commit of one row.
    void add_rate(const RateOf& of, Rate rate, const Callers& load);

private:
    enum class Beside { nothing, narrow_rate, single_commit };
    struct Pending {
        Figure figure;
        Beside beside = Beside::nothing;
    };

    const std::string store_;
    Samples& samples_;
    std::vector<Pending> pending_;
    double rate_ = 0;  // 0: not measured yet
    double commit_ms_ = 0;
};

}  // namespace holdfast::bench
