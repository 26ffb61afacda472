// BPMN models as programs: what a model deploys, and the program of each of its processes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "program/program.h"

namespace holdfast {

inline constexpr std::string_view process_kind = "bpmn";

struct DeployedProcess {
    std::string key;  // of its definition: the id of the process
    std::shared_ptr<const Program> program;
};

struct ModelDeployment {
    std::vector<DeployedProcess> processes;  // empty: refused
    std::vector<std::string> problems;       // errors and warnings, with line and element
};

// A model that the engine cannot execute as a whole is refused.
ModelDeployment deploy_model(std::string_view xml);

// The program of one process of a model. corrupt: it is not in it, or the model is refused.
Result<std::shared_ptr<const Program>> process_of(std::string_view xml, std::string_view key);

}  // namespace holdfast
