// Looks a value up in canonical JSON without parsing the rest of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json/contains.h"

namespace holdfast::json {

// What `text_at` gives for the parsed text.
std::optional<std::string> text_in(std::string_view canonical, const Path& path);

}  // namespace holdfast::json
