#include "operations/lifecycle/start_child.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "operations/lifecycle/incident.h"
#include "program/program.h"

namespace holdfast::op {

namespace bj = boost::json;

namespace {

// More than calls may be inside of each other.
constexpr std::uint32_t most_generations_counted = 100;

// How many workflows are around one that this one starts. What is not loaded yet is read: few
// workflows are far inside of others, and only processes ask.
std::uint32_t generations(const View& view, const InstanceId& id) {
    std::uint32_t count = 1;
    const Instance* at = view.find(id);
    for (; at && at->parent && count < most_generations_counted; at = view.find(*at->parent))
        ++count;
    return count;
}

void begin_child(View& view, const Definition& definition, const InstanceId& parent,
                 const Reaction::Child& child, const Cause& cause) {
    Instance instance{.id = child.id, .business = child.business};
    if (!child.detached) instance.parent = parent;
    begin_instance(view, definition, std::move(instance),
                   stimulus::Started{child.arguments, child.at, child.depth}, cause);
}

// What an event starts sorts by the time of its operation, as every instance does; its starter has
// an id without a time.
Reaction::Child with_id(Reaction::Child child, const Cause& cause) {
    if (child.at.empty()) return child;
    std::uint64_t number = 0;
    for (std::size_t i = 9; i < 16; ++i) number = number << 8 | child.id.value.bytes[i];
    child.id = {derive(cause.operation.value, number)};
    return child;
}

}  // namespace

void read_child(ReadSet& reads, const std::string& tenant, const Reaction::Child& wanted,
                const Cause& cause) {
    reads.instance(with_id(wanted, cause).id, Depth::row);
    reads.definition({tenant, wanted.definition});
}

void add_child(View& view, const InstanceId& parent, const Reaction::Child& wanted,
               const Cause& cause) {
    const Reaction::Child child = with_id(wanted, cause);
    const Definition* definition =
        view.newest_definition({view.find(parent)->tenant, child.definition});
    if (definition && child.at.empty() && !definition->program->starts_by_call())
        return raise_incident(view, parent, "not_startable",
                              "only events start instances of '" + child.definition + "'", cause);
    // A call goes on with what is there; a schedule starts nothing that nobody may start.
    if (definition && definition->disabled && child.detached && child.at.empty())
        return raise_incident(view, parent, "definition_disabled",
                              "'" + child.definition + "' is disabled", cause);
    if (definition) return begin_child(view, *definition, parent, child, cause);
    raise_incident(view, parent, "unknown_definition",
                   "there is no definition '" + child.definition + "' to start a child with",
                   cause);
}

void reads(const StartChild& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.instance(op.child(), Depth::row);
    reads.step(op.instance, op.run.index);
    reads.definition({op.cause.tenant(), op.definition});
    read_fence(reads, op.instance, op.run);
}

StartChild::Outcome decide(const StartChild& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (auto repeat = answer_repeat(view, *found, op.run, op.step_name, op.input_hash))
        return repeat_as<StartChild::Outcome>(*std::move(repeat));
    const Definition* definition = view.newest_definition({found->tenant, op.definition});
    if (!definition) return UnknownDefinition{op.definition};

    const bj::value id = bj::string(to_string(op.child()));
    const std::uint64_t index = op.run.index;
    Instance& parent = record_at_index(view, op.instance,
                                       {.instance = op.instance,
                                        .index = index,
                                        .name = op.step_name,
                                        .input_hash = op.input_hash,
                                        .value = Document::of(id),
                                        .at = view.now()},
                                       op.cause);
    view.execute(parent, {.type = HistoryType::step_recorded,
                          .payload = json::canonical(
                              bj::object{{"index", index}, {"name", op.step_name}, {"value", id}}),
                          .cause = op.cause});
    Reaction::Child child{.id = op.child(),
                          .definition = op.definition,
                          .business = op.business,
                          .arguments = op.arguments,
                          .detached = op.detached};
    // A cycle of calls may lead through programs that count none.
    if (traits_of(definition->program->run_by()).moves_alone)
        child.depth = generations(view, op.instance);
    begin_child(view, *definition, op.instance, child, op.cause);
    return ChildStarted{op.child(), view.now()};
}

}  // namespace holdfast::op
