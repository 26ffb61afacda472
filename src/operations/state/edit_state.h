// Changes an instance's state under the version that the client names (002.2 to 002.6).
#pragma once

#include <variant>

#include "base/json/patch.h"
#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

// An absent document is unchanged.
struct Replace {
    std::optional<Document> state;
    std::optional<Document> state_metadata;
};
struct MergePatch {
    Document patch;
};
struct JsonPatch {
    json::Patch patch;
    Document source;  // as the client sent it
};
using Edit = std::variant<Replace, MergePatch, JsonPatch>;

struct Edited {
    Version version;
    Document state;
    Document state_metadata;
    Moment last_modified_at;
    std::optional<Resolution> resolution;  // of a stale edit; absent: it was not stale
};
struct PatchRefused {
    json::PatchFailure failure;
    Version version;
    Document state;
};

struct EditState {
    static constexpr std::string_view name = "editState";
    using Outcome =
        std::variant<Edited, Stale, NotFound, Ended, Quarantined, InvalidState, PatchRefused>;

    Cause cause;
    InstanceId instance;
    std::optional<Version> expected;  // absent: any version
    Edit edit;
    OnConflict on_conflict = OnConflict::reject;
};

void reads(const EditState& op, ReadSet& reads);
EditState::Outcome decide(const EditState& op, View& view);
boost::json::object to_json(const EditState& op);
boost::json::object to_json(const Edited& outcome);
boost::json::object to_json(const PatchRefused& outcome);

}  // namespace holdfast::op
