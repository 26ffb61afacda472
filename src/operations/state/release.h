// Ends a quarantine: the stored documents pass their checks again, or the operator supplies
// repaired ones.
#pragma once

#include <variant>

#include "operations/refusals.h"
#include "operations/run.h"

namespace holdfast::op {

struct Released {
    Version version;
    Document state;
};
struct NotQuarantined {
    Version version;
};
struct StillCorrupt {
    Version version;
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
};

void reads(const Release& op, ReadSet& reads);
Release::Outcome decide(const Release& op, View& view);
boost::json::object to_json(const Release& op);
boost::json::object to_json(const Released& outcome);
boost::json::object to_json(const NotQuarantined& outcome);
boost::json::object to_json(const StillCorrupt& outcome);
Result<Released> released_from_json(const boost::json::value& value);

}  // namespace holdfast::op
