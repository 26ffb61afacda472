// Deliberate bugs for mutation testing: a test enables one to prove that other tests detect it.
// They are in changed copies of the shipped files (defects.py), never in the shipped files
// themselves.
#pragma once

#include <string_view>

namespace holdfast {

// Empty: none.
inline std::string_view planted_defect;
inline bool defect(std::string_view name) { return planted_defect == name; }

}  // namespace holdfast
