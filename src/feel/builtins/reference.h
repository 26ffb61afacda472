// Generates docs/reference/feel.md from the tables of built-ins, with evaluated examples.
#pragma once

#include <string>

namespace holdfast::feel {

std::string reference_page();

}  // namespace holdfast::feel
