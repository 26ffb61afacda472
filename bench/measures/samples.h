// The figures of several runs, reported as medians with their spread.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "report.h"

namespace holdfast::bench {

// Workload, store and metric.
using FigureName = std::tuple<std::string, std::string, std::string>;

class Samples {
public:
    // `file`: the JSON of an earlier run on the same machine.
    void compare_with(const std::string& file);
    // A figure of one run.
    void add(const Figure& figure);
    // The medians, in the order in which their names were first added.
    void report(Report& report);
    // The highest median of a metric of workloads whose name begins so. 0: none.
    double best(const std::string& workload, const std::string& store,
                const std::string& metric) const;

private:
    struct Runs {
        Figure first;
        std::vector<double> values;
        std::vector<double> raw_limits;
        std::vector<double> rows_limits;
    };

    std::vector<FigureName> order_;
    std::map<FigureName, Runs> runs_;
    std::map<FigureName, double> before_;
};

}  // namespace holdfast::bench
