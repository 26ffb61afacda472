#include "operations/state/restore.h"

#include "model/codec/codec.h"
#include "operations/state/checkpoint.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const Restore& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::document);
    reads.checkpoint(op.instance, op.checkpoint);
}

Restore::Outcome decide(const Restore& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    const holdfast::Checkpoint* checkpoint = view.checkpoint(op.instance, op.checkpoint);
    if (!checkpoint) return NoCheckpoint{op.checkpoint};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (op.expected && *op.expected != found->version)
        return refuse_stale(view, *found, *op.expected, op.cause);

    const holdfast::Checkpoint wanted = *checkpoint;
    const std::string safety = std::string(safety_prefix) + std::to_string(found->version);
    take_checkpoint(view, *found, safety, op.cause);
    Instance& instance = view.edit(op.instance);
    instance.state = wanted.state;
    instance.state_metadata = wanted.state_metadata;
    instance.last_modified_by = op.cause.user;
    instance.last_modified_at = view.now();
    view.accept(instance, {.type = HistoryType::restored,
                           .payload = instance.state.text(),
                           .state_metadata = instance.state_metadata.text(),
                           .cause = op.cause});
    return Restored{instance.version, instance.state, instance.state_metadata, view.now(), safety};
}

bj::object to_json(const Restore& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"clientKey", to_json(op.client_key)},
            {"instance", to_string(op.instance)},
            {"expected", op.expected ? bj::value(*op.expected) : bj::value(nullptr)},
            {"checkpoint", op.checkpoint}};
}

bj::object to_json(const Restored& outcome) {
    return named("restored", {{"version", outcome.version},
                              {"state", outcome.state.value()},
                              {"stateMetadata", outcome.state_metadata.value()},
                              {"lastModifiedAt", to_iso8601(outcome.last_modified_at)},
                              {"safetyCheckpoint", outcome.safety_checkpoint}});
}

bj::object to_json(const NoCheckpoint& outcome) {
    return named("noCheckpoint", {{"checkpoint", outcome.name}});
}

Result<Restored> restored_from_json(const bj::value& value) {
    const auto at = parse_iso8601(value.at("lastModifiedAt").as_string());
    if (!at)
        return fail(ErrorCode::corrupt, "the stored outcome of a restore has no lastModifiedAt");
    return Restored{value.at("version").to_number<Version>(), Document::of(value.at("state")),
                    Document::of(value.at("stateMetadata")), *at,
                    std::string(value.at("safetyCheckpoint").as_string())};
}

}  // namespace holdfast::op
