// The columns of API keys.
#pragma once

#include "model/api_key.h"
#include "store/tables/decode.h"

namespace holdfast::tables {

struct ApiKeys {
    static constexpr std::string_view name = "api_keys";
    using Row = ApiKey;

    template <class Visit, class SomeKey>
    static void columns(Visit& visit, SomeKey& key) {
        visit("key_id", key.id);
        visit("tenant", key.tenant);
        visit("name", key.name);
        visit("user_id", key.user);
        visit("user_groups", texts(key.groups));
        visit("roles", texts(key.roles));
        visit("definitions", texts(key.definitions));
        visit("secret", key.secret);
        visit("created_at", key.created_at);
        visit("created_by", or_null(key.created_by));
        visit("expires_at", key.expires_at);
        visit("revoked_at", key.revoked_at);
        visit("last_used_at", key.last_used_at);
        visit("replaces", or_null(key.replaces));
        visit("change", key.change);
        visit("kind", key.kind);
        visit("parent", or_null(key.parent));
    }
};

}  // namespace holdfast::tables
