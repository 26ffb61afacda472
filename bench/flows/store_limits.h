// What the store does with the rows of a workload and nothing else.
#pragma once

#include <string>

namespace holdfast::bench {

struct RowsLimit {
    double per_second = 0;        // workflows
    double statements = 0;        // a workflow, those that begin and commit excepted
    double in_a_transaction = 0;  // workflows
};

// Records what Holdfast writes for that many workflows of W1, W2 or W3, and runs it again several
// times: the median.
RowsLimit measure_rows_limit(const std::string& store, const std::string& workload,
                             std::size_t workflows);

}  // namespace holdfast::bench
