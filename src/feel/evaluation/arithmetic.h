// + - * / ** and the minus sign on values of all kinds.
#pragma once

#include "feel/evaluation/budget.h"
#include "feel/syntax/operator.h"
#include "feel/values/value.h"

namespace holdfast::feel {

// `sign` is one of add to power. null, with the reason recorded, if the kinds do not fit.
Value computed(Operator sign, const Value& left, const Value& right, Meter& meter);
Value negated(const Value& value, Meter& meter);

}  // namespace holdfast::feel
