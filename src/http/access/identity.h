// Who a request comes from, by its credential alone.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "model/caller.h"
#include "model/role.h"

namespace holdfast::http {

// `local`: none is needed, because nobody else can reach the server; `token`: of an identity
// provider.
enum class CredentialKind { local, token_file, api_key, token };

struct Identity {
    CredentialKind kind = CredentialKind::local;
    std::string credential;  // its id: that of an API key, `token-file`, or `local`
    Caller caller;
    Roles roles;
    std::vector<std::string> definitions = {};  // the only ones that it reaches; empty: all

    bool may_act_for_others() const { return roles.has(Role::operator_) || roles.has(Role::admin); }
    bool is_restricted() const { return !definitions.empty(); }
    bool reaches(std::string_view definition) const {
        return definitions.empty() ||
               std::ranges::find(definitions, definition) != definitions.end();
    }
};

}  // namespace holdfast::http
