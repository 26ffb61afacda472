// The limits beside the rates of a run: the store without Holdfast.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace holdfast::bench {

struct Limits {
    double narrow = 0;     // workflows/s: five narrow rows each
    double commit_ms = 0;  // a commit of one narrow row, one at a time
    struct Rows {
        double per_second = 0;        // workflows
        double statements = 0;        // a workflow, those that begin and commit excepted
        double in_a_transaction = 0;  // workflows
    };
    std::map<std::string, Rows> rows;  // by workload: what Holdfast writes for it
};

// `workflows`: how many are recorded for each workload that `rows` names.
Limits measure_limits(const std::string& store, const std::vector<std::string>& workloads,
                      std::size_t workflows);

}  // namespace holdfast::bench
