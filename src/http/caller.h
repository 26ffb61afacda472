// Who acts in a request: the user of its credential, or another one for whom that user may act.
#pragma once

#include <expected>

#include "base/result.h"
#include "http/wire/message.h"

namespace holdfast::http {

// By the head of a request with this identity: `X-User-Id` names another user. 400: it does so
// wrongly; 403: the credential may not act for others.
std::expected<Caller, Response> caller_of(const Identity& identity, const Headers& headers);
// The body of a task request may name the user who acts, and that user's groups. Absent: it does
// not. invalid_argument: the credential may not act for others.
Result<Caller> acting_as(const Request& request, const std::optional<std::string>& user,
                         std::vector<std::string> groups);

}  // namespace holdfast::http
