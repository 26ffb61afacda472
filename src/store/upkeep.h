// The seam of upkeep: what jobs delete, note and build outside of rounds.
#pragma once

#include <stop_token>
#include <string>

#include "base/result.h"
#include "store/pruning.h"

namespace holdfast {

class Upkeep {
public:
    virtual ~Upkeep() = default;

    // See FindMark.
    virtual Result<void> set_mark(const std::string& name, Moment at) = 0;
    // Deletes one bounded batch of what retention may delete, by one statement with the whole
    // predicate (I44).
    virtual Result<Pruned> prune(const Prune& prune) = 0;
    // Trims one bounded page of histories. What it deletes leaves an anchor, on which the rest of
    // the chain hangs.
    virtual Result<TrimmedHistories> trim_histories(const TrimHistories& trim) = 0;
    // Builds the declared indexes that do not exist yet, without blocking writers. Resumes after a
    // crash.
    virtual Result<void> build_indexes(std::stop_token stop) = 0;
};

}  // namespace holdfast
