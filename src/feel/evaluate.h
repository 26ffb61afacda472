// Evaluates a parsed expression over a scope, within a budget.
#pragma once

#include <optional>

#include "base/time/moment.h"
#include "feel/evaluation/budget.h"
#include "feel/evaluation/scope.h"
#include "feel/expression.h"
#include "feel/values/value.h"

namespace holdfast::feel {

struct Settings {
    Budget budget;
    std::optional<Moment> now;  // absent: `now` and `today` are null
};

struct Evaluated {
    Value value;
    // The first reason for a null during the evaluation. The value may still be valid:
    // `if missing then 1 else 2` is 2. If a budget is exceeded, the value is null and this says
    // which one.
    std::optional<Trouble> trouble;
    std::uint64_t steps = 0;
    std::uint64_t memory = 0;
};

Evaluated evaluate(const Expression& expression, const Scope& scope, const Settings& settings = {});

// Whether `input` passes unary tests: true, false or null.
Evaluated evaluate_tests(const Expression& tests, const Value& input, const Scope& scope,
                         const Settings& settings = {});

}  // namespace holdfast::feel
