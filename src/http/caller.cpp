#include "http/caller.h"

#include "base/ids/uuid.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "http/responses/problem.h"

namespace holdfast::http {
namespace {

// A user for whom the credential's user acts: has none of the groups and roles of the latter.
Caller in_the_name_of(const Identity& identity, std::string user) {
    Caller caller{.tenant = identity.caller.tenant, .user = std::move(user)};
    caller.by = identity.caller.user;
    return caller;
}

Result<std::string> read_user(const Headers& headers) {
    const auto user = headers.find("X-User-Id");
    if (headers.count("X-User-Id") > 1)
        return fail(ErrorCode::invalid_argument, "X-User-Id appears twice; send it once");
    if (user->empty() || user->size() > 256 || !is_utf8(*user) || has_control(*user))
        return fail(ErrorCode::invalid_argument,
                    "X-User-Id must have 1 to 256 bytes of UTF-8 without control characters");
    // A UUID in any case is one user.
    const auto uuid = parse_uuid(*user);
    return uuid ? to_string(*uuid) : std::string(*user);
}

}  // namespace

std::expected<Caller, Response> caller_of(const Identity& identity, const Headers& headers) {
    if (headers.count("X-User-Id") == 0) return identity.caller;
    auto user = read_user(headers);
    if (!user) return std::unexpected(problem(user.error()));
    if (*user == identity.caller.user) return identity.caller;
    if (!identity.may_act_for_others())
        return std::unexpected(
            problem(403, "not-allowed", "Not allowed",
                    "X-User-Id names another user, which needs the role operator; leave it out to "
                    "act as the user of the credential"));
    return in_the_name_of(identity, *std::move(user));
}

Result<Caller> acting_as(const Request& request, const std::optional<std::string>& user,
                         std::vector<std::string> groups) {
    const Caller& caller = request.caller;
    const bool is_caller = !user || *user == caller.user;
    if (is_caller && groups.empty()) {
        if (!caller.user.empty()) return caller;
        return fail(ErrorCode::invalid_argument,
                    "'user' is required: the acting user, 1 to 256 bytes of text");
    }
    if (!request.identity.may_act_for_others())
        return fail(ErrorCode::invalid_argument,
                    "'user' and 'groups' are those of the credential: leave them out");
    Caller acting = in_the_name_of(request.identity, user.value_or(caller.user));
    acting.groups = std::move(groups);
    if (acting.by == acting.user) acting.by.clear();
    return acting;
}

}  // namespace holdfast::http
