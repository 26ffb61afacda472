// Told which instances a commit touched, on the thread that committed, before anyone is answered.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "model/instance.h"

namespace holdfast {

// As committed; absent: cleared.
using Touched = std::vector<std::pair<InstanceId, std::optional<Instance>>>;

// Neither blocks nor throws.
class CommitListener {
public:
    virtual ~CommitListener() = default;
    virtual void committed(const Touched& touched) = 0;
};

}  // namespace holdfast
