// Refusals that several operations share, and the checks that lead to them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "model/conflict.h"
#include "model/history.h"
#include "model/schema/state_schema.h"
#include "store/view.h"

namespace holdfast::op {

struct NotFound {
    static constexpr std::string_view name = "notFound";
};

// The instance failed its checksum: nothing changes it until it is released (002.1).
struct Quarantined {
    static constexpr std::string_view name = "quarantined";
};

struct Ended {
    static constexpr std::string_view name = "ended";

    Status status;
    Version version;

    static void describe(auto& outcome, auto& with) {
        with("status", outcome.status);
        with("version", outcome.version);
    }
};

// The version that the caller named is not the current one. Carries the current state (I15).
struct Stale {
    static constexpr std::string_view name = "stale";

    Version expected;
    Version actual;
    Document state;
    Document state_metadata;
    Moment last_modified_at;
    Resolution resolution = Resolution::rejected;
    std::vector<std::string> paths;  // overlapping ones of a merge

    static void describe(auto& outcome, auto& with) {
        with("expected", outcome.expected);
        with("actual", outcome.actual);
        with("state", outcome.state);
        with("resolution", outcome.resolution);
        with("paths", outcome.paths);
    }
};

// The state does not satisfy its definition's schema.
struct InvalidState {
    static constexpr std::string_view name = "invalidState";

    std::vector<SchemaViolation> violations;

    static void describe(auto& outcome, auto& with) { with("violations", outcome.violations); }
};

// The Idempotency-Key of a request, and the digest of that request.
struct ClientKey {
    std::string key;
    Digest request;

    bool operator==(const ClientKey&) const = default;

    static void describe(auto& client, auto& with) {
        with("key", client.key);
        with("request", client.request);
    }
};

// Whether the instance must not be changed. Sets the flag on the row when its checksum failed.
bool is_quarantined(View& view, const Instance& instance);

// Adds a row to `conflicts` and returns what is stored.
Stale refuse_stale(View& view, const Instance& instance, Version expected, const Cause& cause,
                   std::vector<std::string> paths = {});

// Absent: the state satisfies the schema of the definition. A check that takes long runs outside of
// the round.
std::optional<InvalidState> check_schema(View& view, const Definition* definition,
                                         const Document& state);

}  // namespace holdfast::op
