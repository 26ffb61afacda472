// Who may use a route: part of its description, without which it does not compile.
#pragma once

#include "model/role.h"

namespace holdfast::http {

// How a route is held to the definitions that a credential is for, if it is not for all.
enum class Within {
    store,       // it is about everything: such a credential may not use it
    workflow,    // that of the workflow in the path
    task,        // that of the task in the path
    definition,  // the definition in the path
    filter,      // the query's `definition`
    handler,     // what its handler reads from the body
    nothing,     // it is about no definition
};

struct Rule {
    Roles roles;  // one of them suffices; none: nobody is asked for a credential
    Within reach = Within::store;

    constexpr Rule within(Within what) const { return {roles, what}; }

    bool operator==(const Rule&) const = default;
};

inline constexpr Rule anybody{};
inline constexpr Rule everyone{
    {Role::viewer, Role::participant, Role::worker, Role::operator_, Role::admin}};
inline constexpr Rule readers{{Role::viewer, Role::operator_, Role::admin}};
// Of what a worker needs to see too.
inline constexpr Rule run_readers{{Role::viewer, Role::worker, Role::operator_, Role::admin}};
inline constexpr Rule runners{{Role::worker, Role::operator_, Role::admin}};
// A participant, only of tasks that are the user's.
inline constexpr Rule task_readers{{Role::viewer, Role::participant, Role::operator_, Role::admin}};
inline constexpr Rule task_users{{Role::participant, Role::operator_, Role::admin}};
inline constexpr Rule operators{{Role::operator_, Role::admin}};
inline constexpr Rule admins{{Role::admin}};

}  // namespace holdfast::http
