// Workflows that programs of fault nodes run, beside others that are driven from outside.
#pragma once

#include <string>
#include <vector>

#include "faults/effects.h"
#include "faults/faults.h"

namespace holdfast::testing {

struct Loads {
    // `inside` needs no name and no runner of its own.
    Loads(const RelayOptions& outside_options, const RelayOptions& inside_options,
          const std::vector<std::string>& urls);

    // A node that came back listens elsewhere; empty: it is down.
    void move(std::size_t node, const std::string& url);
    // Compares both, and what the programs did to the world.
    void judge(const std::string& url, const EffectFile& effects, FaultReport& report);

    RelayLoad outside;
    RelayLoad inside;
};

}  // namespace holdfast::testing
