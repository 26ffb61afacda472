// Deliberate bugs for mutation testing: a test enables one to prove that other tests detect it.
// Compiled in only with HOLDFAST_DEFECTS; in release builds defect() is a constant false.
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
