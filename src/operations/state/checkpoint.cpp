#include "operations/state/checkpoint.h"

#include "model/codec/codec.h"

namespace holdfast::op {

namespace bj = boost::json;

const holdfast::Checkpoint& take_checkpoint(View& view, const Instance& instance,
                                            const std::string& name, const Cause& cause) {
    view.put(holdfast::Checkpoint{.instance = instance.id,
                                  .name = name,
                                  .version = instance.version,
                                  .state = instance.state,
                                  .state_metadata = instance.state_metadata,
                                  .created_by = cause.user,
                                  .created_at = view.now()});
    view.edit(instance.id).last_checkpoint = LastCheckpoint{name, instance.version, view.now()};
    return *view.checkpoint(instance.id, name);
}

void reads(const Checkpoint& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::document);
    reads.checkpoint(op.instance, op.checkpoint);
}

Checkpoint::Outcome decide(const Checkpoint& op, View& view) {
    const Instance* instance = view.find(op.instance);
    if (!instance) return NotFound{};
    if (is_quarantined(view, *instance)) return Quarantined{};
    if (op.expected && *op.expected != instance->version)
        return refuse_stale(view, *instance, *op.expected, op.cause);
    if (const auto* taken = view.checkpoint(op.instance, op.checkpoint))
        return NameTaken{taken->version};
    return Checkpointed{take_checkpoint(view, *instance, op.checkpoint, op.cause)};
}

bj::object to_json(const Checkpoint& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"clientKey", to_json(op.client_key)},
            {"instance", to_string(op.instance)},
            {"expected", op.expected ? bj::value(*op.expected) : bj::value(nullptr)},
            {"name", op.checkpoint}};
}

bj::object to_json(const Checkpointed& outcome) {
    return named("checkpointed", {{"checkpoint", to_json(outcome.checkpoint)}});
}

bj::object to_json(const NameTaken& outcome) {
    return named("nameTaken", {{"version", outcome.version}});
}

Result<Checkpointed> checkpointed_from_json(const bj::value& value) {
    auto checkpoint = checkpoint_from_json(value.at("checkpoint"));
    if (!checkpoint) return std::unexpected(checkpoint.error());
    return Checkpointed{*std::move(checkpoint)};
}

}  // namespace holdfast::op
