// Upper and lower case, with Unicode's mappings of single code points.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace holdfast::feel {

std::uint32_t upper(std::uint32_t code);
std::uint32_t lower(std::uint32_t code);
std::string upper(std::string_view text);
std::string lower(std::string_view text);

}  // namespace holdfast::feel
