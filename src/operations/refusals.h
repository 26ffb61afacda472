// Refusals that several operations share, and the checks that lead to them.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <variant>
#include <vector>

#include "model/conflict.h"
#include "model/history.h"
#include "model/schema/state_schema.h"
#include "store/view.h"

namespace holdfast::op {

struct NotFound {};

// The instance failed its checksum: nothing changes it until it is released (002.1).
struct Quarantined {};

struct Ended {
    Status status;
    Version version;
};

// The version that the caller named is not the current one. Carries the current state (I15).
struct Stale {
    Version expected;
    Version actual;
    Document state;
    Document state_metadata;
    Moment last_modified_at;
    Resolution resolution = Resolution::rejected;
    std::vector<std::string> paths;  // overlapping ones of a merge
};

// The state does not satisfy its definition's schema.
struct InvalidState {
    std::vector<SchemaViolation> violations;
};

// The Idempotency-Key of a request, and the digest of that request.
struct ClientKey {
    std::string key;
    Digest request;

    bool operator==(const ClientKey&) const = default;
};

// Whether the instance must not be changed. Sets the flag on the row when its checksum failed.
bool is_quarantined(View& view, const Instance& instance);

// Adds a row to `conflicts` and returns what is stored.
Stale refuse_stale(View& view, const Instance& instance, Version expected, const Cause& cause,
                   std::vector<std::string> paths = {});

std::optional<InvalidState> check_schema(const Definition* definition, const Document& state);

// null where absent.
boost::json::value to_json(const std::optional<ClientKey>& key);

boost::json::object to_json(const NotFound&);
boost::json::object to_json(const Quarantined&);
boost::json::object to_json(const Ended&);
boost::json::object to_json(const Stale&);
boost::json::object to_json(const InvalidState&);

// {"outcome": name, ...members}
boost::json::object named(std::string_view outcome, boost::json::object members = {});

template <class... Outcomes>
boost::json::object outcome_json(const std::variant<Outcomes...>& outcome) {
    return std::visit([](const auto& value) { return to_json(value); }, outcome);
}

}  // namespace holdfast::op
