// Golden files in tests/golden/. After a deliberate change run once with HOLDFAST_UPDATE_GOLDEN=1
// and review the diff.
#pragma once

#include <string>

namespace holdfast::testing {

// The content of that golden file; empty if there is none.
std::string golden(const std::string& name);
// Fails the test unless `text` equals the golden file.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace holdfast::testing
