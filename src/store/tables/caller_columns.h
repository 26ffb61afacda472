// The user of a row, and the groups and roles of a caller as one column.
#pragma once

#include "model/caller.h"
#include "store/tables/column.h"

namespace holdfast::tables {

inline std::optional<std::string_view> user_or_null(const std::string& user) {
    return user.empty() ? std::nullopt : std::optional<std::string_view>(user);
}

// As a JSON object; null without any.
template <class SomeCaller>
struct Memberships {
    SomeCaller& caller;
};
template <class SomeCaller>
Memberships<SomeCaller> memberships(SomeCaller& caller) {
    return {caller};
}
template <class SomeCaller>
struct Stored<Memberships<SomeCaller>> {
    using Column = std::optional<std::string>;
    static Column to_column(const Memberships<SomeCaller>& member) {
        return memberships_to_json(member.caller);
    }
    static bool from_column(const Column& column, const Memberships<SomeCaller>& member) {
        return !column || memberships_from_json(*column, member.caller);
    }
};

}  // namespace holdfast::tables
