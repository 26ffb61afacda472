// Writes a checkpoint's documents as a new version, after a safety checkpoint of the current one
// (002.9).
#pragma once

#include <string_view>
#include <variant>

#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

// A restore at version N first saves that version under this prefix and N; the prefix is reserved.
constexpr std::string_view safety_prefix = "before-restore-";

struct Restored {
    static constexpr std::string_view name = "restored";

    Version version;
    Document state;
    Document state_metadata;
    Moment last_modified_at;
    std::string safety_checkpoint;

    static void describe(auto& outcome, auto& with) {
        with("version", outcome.version);
        with("state", outcome.state);
        with("stateMetadata", outcome.state_metadata);
        with("lastModifiedAt", outcome.last_modified_at);
        with("safetyCheckpoint", outcome.safety_checkpoint);
    }
};
struct NoCheckpoint {
    static constexpr std::string_view name = "noCheckpoint";

    std::string checkpoint;

    static void describe(auto& outcome, auto& with) { with("checkpoint", outcome.checkpoint); }
};

struct Restore {
    static constexpr std::string_view name = "restore";
    using Outcome = std::variant<Restored, NoCheckpoint, Stale, NotFound, Ended, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::string checkpoint;
    std::optional<Version> expected;

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with("checkpoint", op.checkpoint);
    }
};

void reads(const Restore& op, ReadSet& reads);
Restore::Outcome decide(const Restore& op, View& view);

}  // namespace holdfast::op
