// Figures of a benchmark run: printed as a table, and written as one JSON object per line.
#pragma once

#include <algorithm>
#include <boost/json.hpp>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/json/canonical.h"

namespace holdfast::bench {

struct Figure {
    std::string workload;
    std::string store;
    std::string metric;
    double value = 0;
    std::string unit;
    std::optional<double> raw_limit;  // the same work without Holdfast, in the same run and unit
    // What the store does with Holdfast's rows and nothing else.
    std::optional<double> rows_limit = {};
    // Of several runs, whose median is the value.
    std::optional<std::pair<double, double>> spread = {};
    std::optional<double> before = {};  // in the run to compare with
};

class Report {
public:
    Report(std::string bench, const std::optional<std::string>& json_file)
        : bench_(std::move(bench)) {
        if (json_file) file_.open(*json_file);
    }

    void add(const Figure& figure) {
        std::printf("%-9s %-28s %-24s %12.2f %-6s", figure.store.c_str(), figure.workload.c_str(),
                    figure.metric.c_str(), figure.value, figure.unit.c_str());
        if (figure.spread)
            std::printf("  %10.2f to %10.2f", figure.spread->first, figure.spread->second);
        print_ratio("raw limit", figure, figure.raw_limit);
        print_ratio("limit of our rows", figure, figure.rows_limit);
        print_ratio("before", figure, figure.before);
        std::printf("\n");
        std::fflush(stdout);
        if (!file_.is_open()) return;
        boost::json::object line{{"bench", bench_},       {"workload", figure.workload},
                                 {"store", figure.store}, {"metric", figure.metric},
                                 {"value", figure.value}, {"unit", figure.unit},
                                 {"raw_limit", nullptr}};
        if (figure.raw_limit) line["raw_limit"] = *figure.raw_limit;
        if (figure.rows_limit) line["rows_limit"] = *figure.rows_limit;
        if (figure.spread) line["lowest"] = figure.spread->first;
        if (figure.spread) line["highest"] = figure.spread->second;
        file_ << json::readable(line) << '\n';
        file_.flush();
    }

private:
    static void print_ratio(const char* name, const Figure& figure,
                            const std::optional<double>& other) {
        if (other && *other > 0)
            std::printf("  %s %.2f, ratio %.2f", name, *other, figure.value / *other);
    }

    std::string bench_;
    std::ofstream file_;
};

// The value that `share` of the samples do not exceed; sorts them.
inline double percentile(std::vector<double>& samples, double share) {
    if (samples.empty()) return 0;
    std::ranges::sort(samples);
    const auto last = static_cast<double>(samples.size() - 1);
    return samples[static_cast<std::size_t>(share * last)];
}

}  // namespace holdfast::bench
