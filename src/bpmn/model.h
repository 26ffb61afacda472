// BPMN 2.0 XML to processes, or to a list of everything that is wrong with it. A model with one
// error is refused as a whole.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "bpmn/problem.h"
#include "bpmn/process/process.h"
#include "bpmn/xml/limits.h"

namespace holdfast::bpmn {

struct Model {
    std::vector<Process> processes;  // executable ones, then global tasks, in document order
};

struct Compiled {
    std::optional<Model> model;     // absent: refused
    std::vector<Problem> problems;  // errors and warnings, by line
};

Compiled compile(std::string_view xml, const XmlLimits& limits = {});

}  // namespace holdfast::bpmn
