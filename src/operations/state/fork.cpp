#include "operations/state/fork.h"

#include "model/codec/codec.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const Fork& op, ReadSet& reads) {
    reads.instance(op.source, Depth::document);
    reads.instance(op.instance(), Depth::row);
    reads.checkpoint(op.source, op.checkpoint);
}

Fork::Outcome decide(const Fork& op, View& view) {
    const Instance* source = view.find(op.source);
    if (!source) return NotFound{};
    if (is_quarantined(view, *source)) return Quarantined{};
    const holdfast::Checkpoint* checkpoint = view.checkpoint(op.source, op.checkpoint);
    if (!checkpoint) return NoCheckpoint{op.checkpoint};
    if (source->program) return RunsFlow{};

    Instance instance{.id = op.instance(),
                      .definition = source->definition,
                      .business = op.business.value_or(source->business)};
    instance.started_by = op.cause.user;
    instance.created_at = view.now();
    instance.execution_started_at = view.now();
    instance.last_modified_by = op.cause.user;
    instance.last_modified_at = view.now();
    instance.state = checkpoint->state;
    instance.state_metadata = checkpoint->state_metadata;
    Instance& stored = view.insert(std::move(instance));
    view.accept(stored, {.type = HistoryType::forked,
                         .payload = stored.state.text(),
                         .state_metadata = stored.state_metadata.text(),
                         .cause = op.cause});
    return Forked{stored};
}

bj::object to_json(const Fork& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"clientKey", to_json(op.client_key)},
            {"source", to_string(op.source)},
            {"checkpoint", op.checkpoint},
            {"businessReference", op.business ? to_json(*op.business) : bj::value(nullptr)}};
}

bj::object to_json(const Forked& outcome) {
    return named("forked", {{"instance", to_json(outcome.instance)}});
}

bj::object to_json(const RunsFlow&) { return named("runsFlow"); }

Result<Forked> forked_from_json(const bj::value& value) {
    auto instance = instance_from_json(value.at("instance"));
    if (!instance) return std::unexpected(instance.error());
    return Forked{*std::move(instance)};
}

}  // namespace holdfast::op
