// Holds a request to the rule of its route: what needs no look-up, from its head alone.
#pragma once

#include <optional>

#include "http/access/rule.h"
#include "http/wire/message.h"
#include "model/task.h"

namespace holdfast::http {

// 403: no role of the credential may use the route, or the route is about more than the definitions
// of the credential; 404: it is about another definition. A list is narrowed to the definition of a
// credential that has only one; 403: to which of several, the request must say.
std::optional<Response> refusal_by_rule(const Rule& rule, Request& head);

// Whether the workflow or the task in the path must be looked up to know whether the caller may
// know of it.
bool needs_look_up(const Request& request);
// Whether the caller may use the route for tasks that are its own, and no others.
bool is_for_own_tasks(const Request& request);
// The user holds it or may claim it.
bool is_own_task(const HumanTask& task, const Caller& caller);

}  // namespace holdfast::http
