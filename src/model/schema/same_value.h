// Finds cycles of rules that do not descend into the value: checking them would not terminate.
#pragma once

#include "model/schema/rule.h"

namespace holdfast::schema {

// Whether a rule applies itself to the same value, or a chain of more than 32 rules applies to it.
bool applies_itself(const Program& program);

}  // namespace holdfast::schema
