// Variables that move between scopes, and data objects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "feel/expression.h"

namespace holdfast::bpmn {

// target := source. Targets may be paths: `order.total`.
struct Mapping {
    feel::Expression source;
    std::string target;
};

// Inputs are evaluated before an activity begins, outputs after it ended.
struct Mappings {
    std::vector<Mapping> inputs;
    std::vector<Mapping> outputs;
    bool all_in = false;   // every variable of the caller, for call activities
    bool all_out = false;  // every variable of the called process, and Zeebe's propagation
    bool business_key = false;
    std::optional<feel::Expression> business_key_value;
};

// A data object or a property: a variable of the scope that declares it.
struct Variable {
    std::string id;
    std::string name;
    bool is_collection = false;
};

}  // namespace holdfast::bpmn
