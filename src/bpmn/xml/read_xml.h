// XML text to a Tree, within limits. The only file that sees pugixml is read_xml.cpp.
#pragma once

#include <optional>
#include <string_view>

#include "bpmn/xml/element.h"
#include "bpmn/xml/limits.h"

namespace holdfast::bpmn {

// Absent: `problems` says why.
std::optional<Tree> read_xml(std::string_view bytes, const XmlLimits& limits, Problems& problems);

}  // namespace holdfast::bpmn
