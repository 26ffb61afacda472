// Who a request comes from. The only place that says so: until access control is built, every
// request belongs to the tenant `default`, and the client names the user.
#pragma once

#include "base/result.h"
#include "http/wire/message.h"
#include "model/caller.h"

namespace holdfast::http {

// By the head of an admitted request: `X-User-Id` names the user.
Result<Caller> caller_of(const Headers& headers);
// The body of a task request names the user who acts, and that user's groups.
Caller acting_as(const Caller& caller, std::string user, std::vector<std::string> groups);

}  // namespace holdfast::http
