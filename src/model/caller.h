// Who asks for something. Made in one place where requests come in (http/caller.h,
// node/workflow_api.h); part of every operation, and of what is recorded about it.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast {

struct Caller {
    // The owner of what the caller makes and finds. Empty: the engine itself, which acts for every
    // tenant.
    std::string tenant = "default";
    std::string user;                 // 1 to 256 printable characters; empty: nobody in particular
    std::vector<std::string> groups;  // of the user
    std::vector<std::string> roles;   // likewise
    std::string by;                   // the user who acts for `user`; empty: nobody else

    static Caller engine() { return Caller{.tenant = {}, .user = {}, .groups = {}, .roles = {}}; }
    bool may_find(std::string_view owner) const { return tenant.empty() || tenant == owner; }

    bool operator==(const Caller&) const = default;

    static void describe(auto& caller, auto& with) {
        with("tenant", caller.tenant);
        with("user", caller.user);
        with("groups", caller.groups);
        with("roles", caller.roles);
        with("by", caller.by);
    }
};

// A key that callers choose, such as that of a definition: each tenant has its own.
struct TenantKey {
    std::string tenant;
    std::string key;

    auto operator<=>(const TenantKey&) const = default;
};

}  // namespace holdfast
