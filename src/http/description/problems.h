// Every problem type that the API answers with, described once: RFC 9457, `type` is
// "/problems/<slug>".
#pragma once

#include <span>
#include <string_view>

#include "http/access/rule.h"

namespace holdfast::http {

struct ProblemType {
    std::string_view slug;
    int status;
    std::string_view title;
    std::string_view when;  // one sentence
    // Headers that it carries, separated by blanks.
    std::string_view headers = {};
    // JSON: the members beside the standard ones, with an example of each.
    std::string_view members = "{}";
};

std::span<const ProblemType> problem_types();
// Null: there is none.
const ProblemType* find_problem(std::string_view slug);

// Which problems a route has without naming them.
enum class SharedBy { every_route, guarded_routes, changes };
std::span<const std::string_view> shared_problems(SharedBy routes);
// Those of a credential for other definitions.
std::span<const std::string_view> problems_within(Within reach);
// Those of requests that reach no route.
std::span<const std::string_view> routeless_problems();

}  // namespace holdfast::http
