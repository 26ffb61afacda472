#include "model/role.h"

#include "base/names.h"

namespace holdfast {
namespace {

constexpr Named<Role> roles[] = {{Role::viewer, "viewer"},
                                 {Role::participant, "participant"},
                                 {Role::worker, "worker"},
                                 {Role::operator_, "operator"},
                                 {Role::admin, "admin"}};

}  // namespace

std::string_view name_of(Role role) { return name_in(roles, role); }
std::optional<Role> parse_role(std::string_view text) { return find_in(roles, text); }

}  // namespace holdfast
