// Who a request comes from, by its credential alone.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time/moment.h"
#include "model/caller.h"
#include "model/role.h"

namespace holdfast::http {

// `local`: none is needed, because nobody else can reach the server; `token`: of an identity
// provider; `session`: the cookie of a browser.
enum class CredentialKind { local, token_file, api_key, token, session };

struct Identity {
    CredentialKind kind = CredentialKind::local;
    // Its id: that of an API key or a session, `token-file`, `token`, `local`, or `demo`.
    std::string credential;
    Caller caller;
    Roles roles;
    std::vector<std::string> definitions = {};  // the only ones that it reaches; empty: all
    std::string parent = {};                    // of a session: the credential that it stands for
    std::optional<Moment> until = {};           // of a token: when it expires

    bool may_act_for_others() const { return roles.has(Role::operator_) || roles.has(Role::admin); }
    bool is_restricted() const { return !definitions.empty(); }
    bool reaches(std::string_view definition) const {
        return definitions.empty() ||
               std::ranges::find(definitions, definition) != definitions.end();
    }
};

}  // namespace holdfast::http
