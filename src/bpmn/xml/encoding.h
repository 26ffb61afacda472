// The encoding of an XML file. Everything after this point is UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace holdfast::bpmn {

// UTF-8 without a byte order mark. Files in ISO-8859-1 and WINDOWS-1252, which some modelers write,
// are converted; lines keep their numbers. Any other encoding, and text that is not in the declared
// one, is invalid_argument with the `line` in its context.
Result<std::string> as_utf8(std::string_view bytes);

}  // namespace holdfast::bpmn
