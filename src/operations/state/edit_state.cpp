#include "operations/state/edit_state.h"

#include <algorithm>
#include <set>

#include "base/json/merge.h"
#include "operations/events/react.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

struct Documents {
    Document state;
    Document state_metadata;
};

using Shared = std::shared_ptr<const Documents>;
using Applied = std::variant<Documents, json::PatchFailure>;

// Parsing both documents of a pair, comparing or changing them, and writing one of them.
std::size_t bytes_worked_on(const Documents& one, const Documents& other) {
    return 2 * (one.state.text().size() + one.state_metadata.text().size() +
                other.state.text().size() + other.state_metadata.text().size());
}

Applied replaced(const Replace& replace, const Documents& to) {
    return Documents{replace.state.value_or(to.state),
                     replace.state_metadata.value_or(to.state_metadata)};
}

// Applies a patch to a pair of documents. Nothing of it has a meaning if the effort is exhausted,
// except for the failure of a JSON Patch.
Applied patched(const Edit& edit, const Documents& to, Effort& effort) {
    effort.spend_on_bytes(4 * to.state.text().size());
    if (const auto* merge = std::get_if<MergePatch>(&edit)) {
        if (!effort.spend_on_bytes(4 * merge->patch.text().size())) return to;
        return Documents{Document::keeping(json::apply_merge_patch(to.state.value(),
                                                                   *merge->patch.shared_value())),
                         to.state_metadata};
    }
    if (effort.is_exhausted()) return to;
    auto applied = json::apply_patch(to.state.value(), std::get<JsonPatch>(edit).patch, effort);
    if (auto* failure = std::get_if<json::PatchFailure>(&applied)) return std::move(*failure);
    return Documents{Document::keeping(std::get<bj::value>(std::move(applied))), to.state_metadata};
}

std::vector<std::string> with_prefix(std::string_view prefix, std::vector<std::string> paths) {
    for (std::string& path : paths) path.insert(0, prefix);
    return paths;
}

std::vector<std::string> changed_paths(const Document& a, const Document& b) {
    if (a == b) return {};
    return json::changed_paths(*a.shared_value(), *b.shared_value());
}

std::variant<bj::value, json::Overlap> merge(const Document& base, const Document& ours,
                                             const Document& theirs) {
    return json::merge(*base.shared_value(), *ours.shared_value(), *theirs.shared_value());
}

// Where two pairs of documents differ; metadata paths start with "/stateMetadata", state paths with
// "/state".
std::vector<std::string> differences(const Documents& a, const Documents& b) {
    auto paths = with_prefix("/state", changed_paths(a.state, b.state));
    auto more = with_prefix("/stateMetadata", changed_paths(a.state_metadata, b.state_metadata));
    paths.insert(paths.end(), more.begin(), more.end());
    return paths;
}

std::variant<Documents, json::Overlap> merge(const Documents& base, const Documents& ours,
                                             const Documents& theirs) {
    json::Overlap overlap;
    auto state = merge(base.state, ours.state, theirs.state);
    auto metadata = merge(base.state_metadata, ours.state_metadata, theirs.state_metadata);
    if (auto* both = std::get_if<json::Overlap>(&state))
        overlap.paths = with_prefix("/state", both->paths);
    if (auto* both = std::get_if<json::Overlap>(&metadata))
        std::ranges::copy(with_prefix("/stateMetadata", both->paths),
                          std::back_inserter(overlap.paths));
    if (!overlap.paths.empty()) return overlap;
    return Documents{Document::keeping(std::get<bj::value>(std::move(state))),
                     Document::keeping(std::get<bj::value>(std::move(metadata)))};
}

// One edit on one instance that is open and not quarantined. What takes long is computed outside of
// the round, by the content of the documents: it holds if they are the same when it comes back.
class Editing {
public:
    Editing(const EditState& op, View& view, const Instance& instance)
        : op_(op),
          view_(view),
          instance_(instance),
          current_(std::make_shared<const Documents>(
              Documents{instance.state, instance.state_metadata})) {}

    EditState::Outcome run() {
        const bool stale = op_.expected && *op_.expected != instance_.version;
        if (!stale) return write(apply(current_), std::nullopt);
        switch (op_.on_conflict) {
            case OnConflict::reject: break;
            case OnConflict::server_wins: return keep_server();
            case OnConflict::client_wins: return write(apply(current_), Resolution::client_wins);
            case OnConflict::merge: return merge_with_base();
        }
        return refuse_stale(view_, instance_, *op_.expected, op_.cause, touched_paths());
    }

private:
    template <class T, class Compute>
    T compute(std::string_view function, std::initializer_list<const Documents*> inputs,
              const Compute& run) {
        std::string key = std::string(function) + to_string(op_.cause.operation);
        for (const Documents* one : inputs)
            key += to_hex(one->state.checksum()) + to_hex(one->state_metadata.checksum());
        return view_.computed<T>(sha256(key), run);
    }

    Applied apply(const Shared& to) {
        if (const auto* replace = std::get_if<Replace>(&op_.edit)) return replaced(*replace, *to);
        return compute<Applied>("apply", {to.get()}, [&edit = op_.edit, to](Effort& effort) {
            return patched(edit, *to, effort);
        });
    }

    std::vector<std::string> differences_from_current(const Documents& next) {
        return compute<std::vector<std::string>>(
            "differences", {current_.get(), &next},
            [before = current_, after = next](Effort& effort) {
                return effort.spend_on_bytes(bytes_worked_on(*before, after))
                           ? differences(*before, after)
                           : std::vector<std::string>{};
            });
    }

    // The paths that a stale edit would have touched, for the conflict ledger.
    std::vector<std::string> touched_paths() {
        const Applied wanted = apply(current_);
        const auto* documents = std::get_if<Documents>(&wanted);
        return documents ? differences_from_current(*documents) : std::vector<std::string>{};
    }

    EditState::Outcome keep_server() {
        record(Resolution::server_wins, touched_paths());
        return Edited{instance_.version, instance_.state, instance_.state_metadata,
                      instance_.last_modified_at, Resolution::server_wins};
    }

    EditState::Outcome merge_with_base() {
        const auto found = view_.state_at(instance_.id, *op_.expected);
        if (!found) return refuse(Resolution::base_missing, touched_paths(), {});
        const auto base =
            std::make_shared<const Documents>(Documents{found->state, found->state_metadata});
        Applied theirs = apply(base);
        if (std::holds_alternative<json::PatchFailure>(theirs))
            return write(std::move(theirs), Resolution::merged);
        auto merged = merge_all(base, std::get<Documents>(theirs));
        if (auto* overlap = std::get_if<json::Overlap>(&merged))
            return refuse(Resolution::overlapping, overlap->paths, overlap->paths);
        return write(std::get<Documents>(std::move(merged)), Resolution::merged);
    }

    std::variant<Documents, json::Overlap> merge_all(const Shared& base, const Documents& theirs) {
        using Merged = std::variant<Documents, json::Overlap>;
        return compute<Merged>("merge", {base.get(), current_.get(), &theirs},
                               [base, ours = current_, theirs](Effort& effort) -> Merged {
                                   effort.spend_on_bytes(bytes_worked_on(*base, *ours));
                                   if (!effort.spend_on_bytes(bytes_worked_on(theirs, theirs)))
                                       return *ours;
                                   return merge(*base, *ours, theirs);
                               });
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

    EditState::Outcome write(Applied applied, std::optional<Resolution> resolution) {
        if (auto* failure = std::get_if<json::PatchFailure>(&applied))
            return PatchRefused{*failure, instance_.version, instance_.state};
        auto& next = std::get<Documents>(applied);
        if (auto invalid = check_schema(view_, view_.definition(instance_), next.state))
            return *std::move(invalid);
        if (auto wrong = view_.program(instance_).check_state(instance_, next.state);
            !wrong.empty())
            return InvalidState{std::move(wrong)};
        if (resolution) record(*resolution, differences_from_current(next));

        Instance& instance = view_.edit(op_.instance);
        const bool metadata_changed = instance.state_metadata != next.state_metadata;
        instance.state = std::move(next.state);
        instance.state_metadata = std::move(next.state_metadata);
        instance.last_modified_by = op_.cause.caller.user;
        instance.last_modified_at = view_.now();
        view_.accept(instance, {.type = HistoryType::state_changed,
                                .payload = instance.state.text(),
                                .state_metadata =
                                    metadata_changed ? std::optional(instance.state_metadata.text())
                                                     : std::nullopt,
                                .cause = op_.cause});
        tell_of_edit(view_, op_.instance, op_.cause);
        const Instance& after = *view_.find(op_.instance);
        return Edited{after.version, after.state, after.state_metadata, view_.now(), resolution};
    }

    void record(Resolution resolution, std::vector<std::string> paths) {
        view_.add(ConflictRow{.id = op_.cause.operation,
                              .instance = instance_.id,
                              .caller = op_.cause.caller,
                              .expected = *op_.expected,
                              .actual = instance_.version,
                              .paths = std::move(paths),
                              .resolution = resolution,
                              .at = view_.now()});
    }

    const EditState& op_;
    View& view_;
    const Instance& instance_;
    const Shared current_;
};

}  // namespace

Result<void> JsonPatch::complete() {
    HF_TRY(patch, json::parse_patch(source.value()));
    return {};
}

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

}  // namespace holdfast::op
