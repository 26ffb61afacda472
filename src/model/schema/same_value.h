// Finds rules that lead to one another without descending into the value: checking them might not
// end.
#pragma once

#include "model/schema/rule.h"

namespace holdfast::schema {

// Whether a rule applies itself to the value it was given, or more than 32 rules in a row do.
bool applies_itself(const Program& program);

}  // namespace holdfast::schema
