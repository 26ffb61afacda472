#include "operations/state/write.h"

#include "model/codec/codec.h"
#include "operations/events/suspend.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

bj::value optional_version(const std::optional<Version>& version) {
    return version ? bj::value(*version) : bj::value(nullptr);
}

// The API's JSON plus the members that the API does not show.
bj::object whole_json(const Instance& instance) {
    bj::object object = to_json(instance);
    object["tenant"] = instance.tenant;
    object["children"] = to_json(instance.children);
    object["hasResult"] = instance.result.has_value();
    if (instance.waiting)
        object["waiting"].as_object()["operation"] = to_string(instance.waiting->operation);
    return object;
}

// Replaces the stored instance by the caller's, except for the fields that the engine owns.
void overwrite(Instance& stored, const Instance& written) {
    const Instance kept = std::exchange(stored, written);
    stored.version = kept.version;
    stored.rev = kept.rev;
    stored.history_hash = kept.history_hash;
    stored.quarantined = kept.quarantined;
    stored.last_checkpoint = kept.last_checkpoint;
}

}  // namespace

void reads(const Write& op, ReadSet& reads) {
    reads.instance(op.instance.id, Depth::whole, Past::looked_up);
}

Write::Outcome decide(const Write& op, View& view) {
    const Instance* found = view.find(op.instance.id);
    if (found && is_quarantined(view, *found)) return Quarantined{};
    if (found && op.expected != found->version)
        return InconsistentState{found->version, op.expected};
    if (!found && op.expected) return InconsistentState{std::nullopt, op.expected};

    Instance& instance = found ? view.edit(op.instance.id) : view.insert(op.instance);
    if (found) overwrite(instance, op.instance);
    instance.last_modified_by = op.cause.user;
    instance.last_modified_at = view.now();
    view.accept(instance, {.type = HistoryType::written,
                           .payload = instance.state.text(),
                           .state_metadata = instance.state_metadata.text(),
                           .cause = op.cause});
    if (is_registered(instance)) register_wait(view, instance);
    return Written{instance.version};
}

bj::object to_json(const Write& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"expected", optional_version(op.expected)},
            {"instance", whole_json(op.instance)}};
}

bj::object to_json(const Written& outcome) {
    return named("written", {{"version", outcome.version}});
}

bj::object to_json(const InconsistentState& outcome) {
    return named("inconsistentState", {{"stored", optional_version(outcome.stored)},
                                       {"expected", optional_version(outcome.expected)}});
}

}  // namespace holdfast::op
