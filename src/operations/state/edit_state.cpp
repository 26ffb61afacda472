#include "operations/state/edit_state.h"

#include <algorithm>
#include <set>

#include "base/defect.h"
#include "base/json/merge.h"
#include "model/codec/codec.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

struct Documents {
    Document state;
    Document state_metadata;
};

// Applies the edit to a pair of documents.
std::variant<Documents, json::PatchFailure> apply(const Edit& edit, const Documents& to) {
    if (const auto* replace = std::get_if<Replace>(&edit))
        return Documents{replace->state.value_or(to.state),
                         replace->state_metadata.value_or(to.state_metadata)};
    if (const auto* merge = std::get_if<MergePatch>(&edit))
        return Documents{
            Document::of(json::apply_merge_patch(to.state.value(), merge->patch.value())),
            to.state_metadata};
    auto patched = json::apply_patch(to.state.value(), std::get<JsonPatch>(edit).patch);
    if (auto* failure = std::get_if<json::PatchFailure>(&patched)) return std::move(*failure);
    return Documents{Document::of(std::get<bj::value>(patched)), to.state_metadata};
}

std::vector<std::string> with_prefix(std::string_view prefix, std::vector<std::string> paths) {
    for (std::string& path : paths) path.insert(0, prefix);
    return paths;
}

// Where two pairs of documents differ; metadata paths start with "/stateMetadata", state paths with
// "/state".
std::vector<std::string> differences(const Documents& a, const Documents& b) {
    auto paths = with_prefix("/state", json::changed_paths(a.state.value(), b.state.value()));
    auto more = with_prefix(
        "/stateMetadata", json::changed_paths(a.state_metadata.value(), b.state_metadata.value()));
    paths.insert(paths.end(), more.begin(), more.end());
    return paths;
}

// The paths that a stale edit would have touched, for the conflict ledger.
std::vector<std::string> touched_paths(const Edit& edit, const Documents& current) {
    const auto wanted = apply(edit, current);
    const auto* documents = std::get_if<Documents>(&wanted);
    return documents ? differences(current, *documents) : std::vector<std::string>{};
}

std::variant<Documents, json::Overlap> merge(const Documents& base, const Documents& ours,
                                             const Documents& theirs) {
    json::Overlap overlap;
    auto state = json::merge(base.state.value(), ours.state.value(), theirs.state.value());
    auto metadata = json::merge(base.state_metadata.value(), ours.state_metadata.value(),
                                theirs.state_metadata.value());
    if (auto* both = std::get_if<json::Overlap>(&state))
        overlap.paths = with_prefix("/state", both->paths);
    if (auto* both = std::get_if<json::Overlap>(&metadata))
        std::ranges::copy(with_prefix("/stateMetadata", both->paths),
                          std::back_inserter(overlap.paths));
    if (!overlap.paths.empty()) return overlap;
    return Documents{Document::of(std::get<bj::value>(state)),
                     Document::of(std::get<bj::value>(metadata))};
}

// One edit on one instance that is open and not quarantined.
class Editing {
public:
    Editing(const EditState& op, View& view, const Instance& instance)
        : op_(op),
          view_(view),
          instance_(instance),
          current_{instance.state, instance.state_metadata} {}

    EditState::Outcome run() {
        const bool stale =
            op_.expected && *op_.expected != instance_.version && !defect("edit_ignores_version");
        if (!stale) return write(apply(op_.edit, current_), std::nullopt);
        switch (op_.on_conflict) {
            case OnConflict::reject: break;
            case OnConflict::server_wins: return keep_server();
            case OnConflict::client_wins:
                return write(apply(op_.edit, current_), Resolution::client_wins);
            case OnConflict::merge: return merge_with_base();
        }
        return refuse_stale(view_, instance_, *op_.expected, op_.cause,
                            touched_paths(op_.edit, current_));
    }

private:
    EditState::Outcome keep_server() {
        record(Resolution::server_wins, touched_paths(op_.edit, current_));
        return Edited{instance_.version, instance_.state, instance_.state_metadata,
                      instance_.last_modified_at, Resolution::server_wins};
    }

    EditState::Outcome merge_with_base() {
        const auto base = view_.state_at(instance_.id, *op_.expected);
        if (!base) return refuse(Resolution::base_missing, touched_paths(op_.edit, current_), {});
        const Documents base_documents{base->state, base->state_metadata};
        auto theirs = apply(op_.edit, base_documents);
        if (std::holds_alternative<json::PatchFailure>(theirs))
            return write(std::move(theirs), Resolution::merged);
        auto merged = merge(base_documents, current_, std::get<Documents>(theirs));
        if (auto* overlap = std::get_if<json::Overlap>(&merged))
            return refuse(Resolution::overlapping, overlap->paths, overlap->paths);
        return write(std::get<Documents>(std::move(merged)), Resolution::merged);
    }

    EditState::Outcome refuse(Resolution resolution, std::vector<std::string> recorded,
                              std::vector<std::string> shown) {
        record(resolution, std::move(recorded));
        return Stale{.expected = *op_.expected,
                     .actual = instance_.version,
                     .state = instance_.state,
                     .state_metadata = instance_.state_metadata,
                     .last_modified_at = instance_.last_modified_at,
                     .resolution = resolution,
                     .paths = std::move(shown)};
    }

    EditState::Outcome write(std::variant<Documents, json::PatchFailure> applied,
                             std::optional<Resolution> resolution) {
        if (auto* failure = std::get_if<json::PatchFailure>(&applied))
            return PatchRefused{*failure, instance_.version, instance_.state};
        auto& next = std::get<Documents>(applied);
        if (auto invalid = check_schema(view_.definition(instance_.definition), next.state))
            return *std::move(invalid);
        if (resolution) record(*resolution, differences(current_, next));

        Instance& instance = view_.edit(op_.instance);
        const bool metadata_changed = instance.state_metadata != next.state_metadata;
        instance.state = std::move(next.state);
        instance.state_metadata = std::move(next.state_metadata);
        instance.last_modified_by = op_.cause.user;
        instance.last_modified_at = view_.now();
        view_.accept(instance, {.type = HistoryType::state_changed,
                                .payload = instance.state.text(),
                                .state_metadata =
                                    metadata_changed ? std::optional(instance.state_metadata.text())
                                                     : std::nullopt,
                                .cause = op_.cause});
        return Edited{instance.version, instance.state, instance.state_metadata, view_.now(),
                      resolution};
    }

    void record(Resolution resolution, std::vector<std::string> paths) {
        view_.add(ConflictRow{.id = op_.cause.operation,
                              .instance = instance_.id,
                              .user = op_.cause.user,
                              .expected = *op_.expected,
                              .actual = instance_.version,
                              .paths = std::move(paths),
                              .resolution = resolution,
                              .at = view_.now()});
    }

    const EditState& op_;
    View& view_;
    const Instance& instance_;
    const Documents current_;
};

bj::object replace_json(const Replace& replace) {
    bj::object object{{"kind", "replace"}};
    if (replace.state) object["state"] = replace.state->value();
    if (replace.state_metadata) object["stateMetadata"] = replace.state_metadata->value();
    return object;
}

bj::object edit_json(const Edit& edit) {
    if (const auto* replace = std::get_if<Replace>(&edit)) return replace_json(*replace);
    if (const auto* merge = std::get_if<MergePatch>(&edit))
        return {{"kind", "mergePatch"}, {"patch", merge->patch.value()}};
    return {{"kind", "jsonPatch"}, {"patch", std::get<JsonPatch>(edit).source.value()}};
}

}  // namespace

void reads(const EditState& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::document);
    if (op.expected && op.on_conflict == OnConflict::merge)
        reads.state_at(op.instance, *op.expected);
}

EditState::Outcome decide(const EditState& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    if (!is_open(instance->status)) return Ended{instance->status, instance->version};
    return Editing(op, view, *instance).run();
}

bj::object to_json(const EditState& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"expected", op.expected ? bj::value(*op.expected) : bj::value(nullptr)},
            {"onConflict", name_of(op.on_conflict)},
            {"edit", edit_json(op.edit)}};
}

bj::object to_json(const Edited& outcome) {
    bj::object object = named("edited", {{"version", outcome.version},
                                         {"state", outcome.state.value()},
                                         {"lastModifiedAt", to_iso8601(outcome.last_modified_at)}});
    if (outcome.resolution) object["resolution"] = name_of(*outcome.resolution);
    return object;
}

bj::object to_json(const PatchRefused& outcome) {
    return named("patchRefused",
                 {{"step", outcome.failure.step}, {"message", outcome.failure.message}});
}

}  // namespace holdfast::op
