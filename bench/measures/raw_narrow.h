// The narrow raw limit: the rows of a workflow with one step, in two group commits of 256, with
// plain SQL.
#pragma once

#include <string>

namespace holdfast::bench {

// Workflows a second, on an empty store of that kind. Takes about a second: shorter samples vary
// by half.
double raw_workflows_per_second(const std::string& kind);
// The median of commits of one narrow row, one at a time.
double raw_commit_ms(const std::string& kind);

}  // namespace holdfast::bench
