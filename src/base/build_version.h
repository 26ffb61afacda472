// The version of this program.
#pragma once

namespace holdfast {

inline constexpr const char* build_version = "0.1.0";

}  // namespace holdfast
