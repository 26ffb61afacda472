// Two loads at once: workflows run by programs of the fault nodes, and workflows driven over HTTP.
#pragma once

#include <string>
#include <vector>

#include "faults/effects.h"
#include "faults/faults.h"

namespace holdfast::testing {

struct Loads {
    // Sets name and runner of `inside_options`.
    Loads(const RelayOptions& outside_options, const RelayOptions& inside_options,
          const std::vector<std::string>& urls);

    // The new address of a restarted node; empty: it is down.
    void move(std::size_t node, const std::string& url);
    // Compares both loads, and the side effects of the programs.
    void judge(const std::string& url, const EffectFile& effects, FaultReport& report);

    RelayLoad outside;
    RelayLoad inside;
};

}  // namespace holdfast::testing
