// A named version of an instance with its own copy of state and metadata (002.9).
#pragma once

#include <optional>
#include <string>

#include "model/instance.h"

namespace holdfast {

struct Checkpoint {
    InstanceId instance;
    std::string name;
    Version version = 0;
    Document state;
    Document state_metadata;
    std::string created_by;  // user; empty: nobody in particular
    Moment created_at;

    bool operator==(const Checkpoint&) const = default;
};

}  // namespace holdfast
