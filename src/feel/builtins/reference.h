// docs/reference/feel.md: made from the tables of the built-ins, examples evaluated.
#pragma once

#include <string>

namespace holdfast::feel {

std::string reference_page();

}  // namespace holdfast::feel
