// The columns of lives of nodes and of host locks.
#pragma once

#include "store/nodes.h"
#include "store/tables/decode.h"

namespace holdfast {

inline std::optional<HolderKind> parse_name(std::string_view name, std::type_identity<HolderKind>) {
    return parse_holder_kind(name);
}

namespace tables {

struct Nodes {
    static constexpr std::string_view name = "nodes";
    using Row = NodeRow;

    template <class Visit, class SomeNode>
    static void columns(Visit& visit, SomeNode& node) {
        visit("node_id", node.id);
        visit("name", node.name);
        visit("started_at", node.started_at);
        visit("beat_at", node.beat_at);
        visit("lease_until", node.lease_until);
        visit("kind", node.kind);
        visit("programs", texts(node.programs));
    }
};

struct HostLocks {
    static constexpr std::string_view name = "host_locks";
    using Row = HostLock;

    template <class Visit, class SomeLock>
    static void columns(Visit& visit, SomeLock& lock) {
        visit("name", lock.name);
        visit("owner", lock.owner);
        visit("until", lock.until);
        visit("term", lock.term);
    }
};

}  // namespace tables
}  // namespace holdfast
