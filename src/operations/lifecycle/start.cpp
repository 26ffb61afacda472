#include "operations/lifecycle/start.h"

#include "model/codec/codec.h"

namespace holdfast::op {

Instance& begin_instance(View& view, const Definition& definition, Instance instance,
                         const Document& arguments, const Cause& cause) {
    instance.definition = definition.ref;
    instance.started_by = cause.user;
    instance.created_at = view.now();
    instance.execution_started_at = view.now();
    instance.last_modified_by = cause.user;
    instance.last_modified_at = view.now();
    if (definition.kind == DefinitionKind::flow) {
        instance.program = Program{};
        instance.index = 1;
        view.record(Step{.instance = instance.id,
                         .index = 0,
                         .name = "arguments",
                         .value = arguments,
                         .at = view.now()});
    }
    Instance& stored = view.insert(std::move(instance));
    view.accept(stored, {.type = HistoryType::started,
                         .payload = stored.state.text(),
                         .state_metadata = stored.state_metadata.text(),
                         .cause = cause});
    return stored;
}

void reads(const Start& op, ReadSet& reads) {
    reads.instance(op.instance(), Depth::row);
    reads.definition(op.definition);
}

Start::Outcome decide(const Start& op, View& view) {
    const Definition* definition = view.newest_definition(op.definition);
    if (!definition) return UnknownDefinition{op.definition};
    if (auto invalid = check_schema(definition, op.state)) return *std::move(invalid);

    Instance instance{.id = op.instance(), .business = op.business};
    instance.state = op.state;
    instance.state_metadata = op.state_metadata;
    return Started{begin_instance(view, *definition, std::move(instance), op.arguments, op.cause)};
}

boost::json::object to_json(const Start& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"clientKey", to_json(op.client_key)},
            {"definition", op.definition},
            {"businessReference", to_json(op.business)},
            {"state", op.state.value()},
            {"stateMetadata", op.state_metadata.value()},
            {"arguments", op.arguments.value()}};
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
