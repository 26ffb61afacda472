// Deliberate mistakes, planted by tests to prove that other tests see them. They exist only where
// HOLDFAST_DEFECTS is defined; in everything that ships the question is `false` at compile time.
#pragma once

#include <string_view>

namespace holdfast {

#ifdef HOLDFAST_DEFECTS
// Empty: none.
inline std::string_view planted_defect;
inline bool defect(std::string_view name) { return planted_defect == name; }
#else
constexpr bool defect(std::string_view) { return false; }
#endif

}  // namespace holdfast
