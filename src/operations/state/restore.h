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
    Version version;
    Document state;
    Document state_metadata;
    Moment last_modified_at;
    std::string safety_checkpoint;
};
struct NoCheckpoint {
    std::string name;
};

struct Restore {
    static constexpr std::string_view name = "restore";
    using Outcome = std::variant<Restored, NoCheckpoint, Stale, NotFound, Ended, Quarantined>;

    Cause cause;
    std::optional<ClientKey> client_key;
    InstanceId instance;
    std::string checkpoint;
    std::optional<Version> expected;
};

void reads(const Restore& op, ReadSet& reads);
Restore::Outcome decide(const Restore& op, View& view);
boost::json::object to_json(const Restore& op);
boost::json::object to_json(const Restored& outcome);
boost::json::object to_json(const NoCheckpoint& outcome);
Result<Restored> restored_from_json(const boost::json::value& value);

}  // namespace holdfast::op
