#include "coordinator/start.h"

#include "model/codec.h"

namespace holdfast::op {

void reads(const Start& op, ReadSet& reads) {
    reads.instance(op.instance(), Depth::row);
    reads.definition(op.definition);
}

Start::Outcome decide(const Start& op, View& view) {
    const Definition* definition = view.newest_definition(op.definition);
    if (!definition) return UnknownDefinition{op.definition};
    if (auto invalid = check_schema(definition, op.state)) return *std::move(invalid);

    Instance instance{.id = op.instance(), .definition = definition->ref, .business = op.business};
    instance.started_by = op.cause.user;
    instance.created_at = view.now();
    instance.execution_started_at = view.now();
    instance.last_modified_by = op.cause.user;
    instance.last_modified_at = view.now();
    instance.state = op.state;
    instance.state_metadata = op.state_metadata;
    Instance& stored = view.insert(std::move(instance));
    view.accept(stored, {.type = HistoryType::started,
                         .payload = op.state.text(),
                         .state_metadata = op.state_metadata.text(),
                         .cause = op.cause});
    return Started{stored};
}

boost::json::object to_json(const Start& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"clientKey", to_json(op.client_key)},
            {"definition", op.definition},
            {"businessReference", to_json(op.business)},
            {"state", op.state.value()},
            {"stateMetadata", op.state_metadata.value()}};
}

boost::json::object to_json(const Started& outcome) {
    return named("started", {{"instance", to_json(outcome.instance)}});
}

boost::json::object to_json(const UnknownDefinition& outcome) {
    return named("unknownDefinition", {{"definition", outcome.key}});
}

Result<Started> started_from_json(const boost::json::value& value) {
    auto instance = instance_from_json(value.at("instance"));
    if (!instance) return std::unexpected(instance.error());
    return Started{*std::move(instance)};
}

}  // namespace holdfast::op
