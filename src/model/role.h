// What a credential may do.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace holdfast {

enum class Role {
    viewer,       // reads
    participant,  // does the tasks that are the user's
    worker,       // runs workflows of its definitions
    operator_,    // NOLINT: the word is C++'s. Deploys, starts and changes workflows
    admin,        // everything, and the keys of others
};

inline constexpr Role all_roles[] = {Role::viewer, Role::participant, Role::worker, Role::operator_,
                                     Role::admin};

std::string_view name_of(Role role);
std::optional<Role> parse_role(std::string_view text);

// A set of them.
class Roles {
public:
    constexpr Roles() = default;
    constexpr Roles(std::initializer_list<Role> roles) {
        for (const Role role : roles) add(role);
    }

    constexpr void add(Role role) { bits_ |= 1u << static_cast<unsigned>(role); }
    constexpr bool has(Role role) const { return bits_ >> static_cast<unsigned>(role) & 1u; }
    // Those that are in both.
    constexpr Roles among(Roles others) const {
        Roles both;
        both.bits_ = bits_ & others.bits_;
        return both;
    }
    constexpr bool empty() const { return bits_ == 0; }

    constexpr bool operator==(const Roles&) const = default;

private:
    std::uint32_t bits_ = 0;
};

}  // namespace holdfast
