#include "http/caller.h"

#include "base/ids/uuid.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace holdfast::http {

Result<Caller> caller_of(const Headers& headers) {
    Caller caller;
    const auto user = headers.find("X-User-Id");
    if (!user) return caller;
    if (headers.count("X-User-Id") > 1)
        return fail(ErrorCode::invalid_argument, "X-User-Id appears twice; send it once");
    if (user->empty() || user->size() > 256 || !is_utf8(*user) || has_control(*user))
        return fail(ErrorCode::invalid_argument,
                    "X-User-Id must have 1 to 256 bytes of UTF-8 without control characters");
    // A UUID in any case is one user.
    const auto uuid = parse_uuid(*user);
    caller.user = uuid ? to_string(*uuid) : std::string(*user);
    return caller;
}

Caller acting_as(const Caller& caller, std::string user, std::vector<std::string> groups) {
    Caller acting = caller;
    acting.user = std::move(user);
    acting.groups = std::move(groups);
    return acting;
}

}  // namespace holdfast::http
