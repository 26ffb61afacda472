#include "operations/lifecycle/start.h"

#include "operations/events/react.h"

namespace holdfast::op {

Instance& begin_instance(View& view, const Definition& definition, Instance instance,
                         const Stimulus& stimulus, const Cause& cause) {
    instance.tenant = definition.tenant;
    instance.definition = definition.ref;
    instance.started_by = cause.caller.user;
    instance.created_at = view.now();
    instance.execution_started_at = view.now();
    instance.last_modified_by = cause.caller.user;
    instance.last_modified_at = view.now();
    instance.run_by = definition.program->run_by();
    const InstanceId id = instance.id;
    Instance& stored = view.insert(std::move(instance));
    view.accept(stored, {.type = HistoryType::started,
                         .payload = stored.state.text(),
                         .state_metadata = stored.state_metadata.text(),
                         .cause = cause});
    react(view, id, stimulus, cause);
    return view.edit(id);
}

void reads(const Start& op, ReadSet& reads) {
    reads.instance(op.instance(), Depth::row);
    reads.definition({op.cause.tenant(), op.definition});
}

Start::Outcome decide(const Start& op, View& view) {
    const Definition* definition = view.newest_definition({op.cause.tenant(), op.definition});
    if (!definition) return UnknownDefinition{op.definition};
    if (definition->disabled) return DisabledDefinition{op.definition};
    if (!definition->program->starts_by_call()) return NotStartable{op.definition};
    if (auto invalid = check_schema(view, definition, op.state)) return *std::move(invalid);

    Instance instance{.id = op.instance(), .business = op.business};
    instance.state = op.state;
    instance.state_metadata = op.state_metadata;
    if (auto wrong = definition->program->check_state({}, op.state); !wrong.empty())
        return InvalidState{std::move(wrong)};
    return Started{begin_instance(view, *definition, std::move(instance),
                                  stimulus::Started{op.arguments}, op.cause)};
}

}  // namespace holdfast::op
