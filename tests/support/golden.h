// Texts that a change must not alter unseen, in tests/golden/. After a deliberate change run once
// with HOLDFAST_UPDATE_GOLDEN=1 and look at the difference.
#pragma once

#include <string>

namespace holdfast::testing {

// The committed text of that name; empty if there is none.
std::string golden(const std::string& name);
// Fails the test unless the text is the committed one.
void expect_golden(const std::string& name, const std::string& text);

}  // namespace holdfast::testing
