// One pass over the text before it is parsed: counts elements, attributes and levels, and stops at
// what is refused without being parsed (a DOCTYPE, an entity, a limit). It allocates nothing.
#pragma once

#include <optional>
#include <string_view>

#include "bpmn/problem.h"
#include "bpmn/xml/limits.h"

namespace holdfast::bpmn {

// Absent: the document may be parsed. The scan does not compare end tags with start tags.
std::optional<Problem> refused_by_scan(std::string_view text, const XmlLimits& limits);

}  // namespace holdfast::bpmn
