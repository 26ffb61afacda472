#include "http/responses/me.h"

#include <boost/json/array.hpp>

namespace holdfast::http {
namespace {

boost::json::array array_of(const std::vector<std::string>& texts) {
    return boost::json::array(texts.begin(), texts.end());
}

}  // namespace

boost::json::object me_json(const Identity& identity, const Caller& caller) {
    boost::json::array roles;
    for (const Role role : all_roles)
        if (identity.roles.has(role)) roles.push_back(boost::json::value(holdfast::name_of(role)));
    boost::json::value user;
    if (!caller.user.empty()) user = boost::json::string(caller.user);
    return {{"credential", identity.credential},
            {"user", std::move(user)},
            {"groups", array_of(caller.groups)},
            {"roles", std::move(roles)},
            {"definitions", array_of(identity.definitions)},
            {"tenant", caller.tenant}};
}

}  // namespace holdfast::http
