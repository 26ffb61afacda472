// Changes an instance's state under the version that the client names (002.2 to 002.6).
#pragma once

#include <variant>

#include "base/json/patch.h"
#include "operations/refusals.h"
#include "store/view.h"

namespace holdfast::op {

// An absent document is unchanged.
struct Replace {
    static constexpr std::string_view name = "replace";

    std::optional<Document> state;
    std::optional<Document> state_metadata;

    static void describe(auto& edit, auto& with) {
        with("state", edit.state);
        with("stateMetadata", edit.state_metadata);
    }
};
struct MergePatch {
    static constexpr std::string_view name = "mergePatch";

    Document patch;

    static void describe(auto& edit, auto& with) { with("patch", edit.patch); }
};
struct JsonPatch {
    static constexpr std::string_view name = "jsonPatch";

    json::Patch patch;
    Document source;  // as the client sent it

    // Parses the patch from its source.
    Result<void> complete();

    static void describe(auto& edit, auto& with) { with("patch", edit.source); }
};
using Edit = std::variant<Replace, MergePatch, JsonPatch>;

struct Edited {
    static constexpr std::string_view name = "edited";

    Version version;
    Document state;
    Document state_metadata;
    Moment last_modified_at;
    std::optional<Resolution> resolution;  // of a stale edit; absent: it was not stale

    static void describe(auto& outcome, auto& with) {
        with("version", outcome.version);
        with("state", outcome.state);
        with("lastModifiedAt", outcome.last_modified_at);
        with("resolution", outcome.resolution);
    }
};
struct PatchRefused {
    static constexpr std::string_view name = "patchRefused";

    json::PatchFailure failure;
    Version version;
    Document state;

    static void describe(auto& outcome, auto& with) {
        with("step", outcome.failure.step);
        with("message", outcome.failure.message);
    }
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

    static void describe(auto& op, auto& with) {
        with("instance", op.instance);
        with("expected", op.expected);
        with("edit", op.edit);
        with("onConflict", op.on_conflict);
    }
};

void reads(const EditState& op, ReadSet& reads);
EditState::Outcome decide(const EditState& op, View& view);

}  // namespace holdfast::op
