// Ends a quarantine: the stored documents pass their checks again, or the operator supplies
// repaired ones.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Released {
    static constexpr std::string_view name = "released";

    Version version;
    Document state;

    static void describe(auto& outcome, auto& with) {
        with("version", outcome.version);
        with("state", outcome.state);
    }
};
struct NotQuarantined {
    static constexpr std::string_view name = "notQuarantined";

    Version version;

    static void describe(auto& outcome, auto& with) { with("version", outcome.version); }
};
struct StillCorrupt {
    static constexpr std::string_view name = "stillCorrupt";

    Version version;
    bool row = false;  // the row itself: no document that is sent repairs it

    static void describe(auto& outcome, auto& with) {
        with("version", outcome.version);
        with("row", outcome.row);
    }
};

struct Release {
    static constexpr std::string_view name = "release";
    using Outcome = std::variant<Released, NotQuarantined, StillCorrupt, NotFound, InvalidState>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    // The repaired documents; if only one is given, the other is accepted as stored.
    std::optional<Document> state;
    std::optional<Document> state_metadata;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("state", op.state);
        with("stateMetadata", op.state_metadata);
    }
};

void reads(const Release& op, ReadSet& reads);
Release::Outcome decide(const Release& op, View& view);

}  // namespace holdfast::op
