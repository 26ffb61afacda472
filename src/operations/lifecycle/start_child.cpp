#include "operations/lifecycle/start_child.h"

#include <boost/json.hpp>

#include "base/json/canonical.h"
#include "model/codec/codec.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const StartChild& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.instance(op.child(), Depth::row);
    reads.step(op.instance, op.run.index);
    reads.definition(op.definition);
    read_fence(reads, op.instance, op.run);
}

StartChild::Outcome decide(const StartChild& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (auto repeat = answer_repeat(view, *found, op.run, op.step_name, op.input_hash))
        return repeat_as<StartChild::Outcome>(*std::move(repeat));
    const Definition* definition = view.newest_definition(op.definition);
    if (!definition) return UnknownDefinition{op.definition};

    const bj::value id = bj::string(to_string(op.child()));
    const std::uint64_t index = op.run.index;
    Instance& parent = record_at_index(view, op.instance,
                                       {.instance = op.instance,
                                        .index = index,
                                        .name = op.step_name,
                                        .input_hash = op.input_hash,
                                        .value = Document::of(id),
                                        .at = view.now()});
    view.execute(parent, {.type = HistoryType::step_recorded,
                          .payload = json::canonical(
                              bj::object{{"index", index}, {"name", op.step_name}, {"value", id}}),
                          .cause = op.cause});
    Instance child{.id = op.child(), .business = op.business};
    if (!op.detached) child.parent = op.instance;
    begin_instance(view, *definition, std::move(child), op.arguments, op.cause);
    return ChildStarted{op.child(), view.now()};
}

bj::object to_json(const StartChild& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"run", to_json(op.run)},
            {"name", op.step_name},
            {"inputHash", to_hex(op.input_hash)},
            {"definition", op.definition},
            {"businessReference", holdfast::to_json(op.business)},
            {"arguments", op.arguments.value()},
            {"detached", op.detached}};
}

bj::object to_json(const ChildStarted& outcome) {
    return named("childStarted", {{"child", to_string(outcome.child)}});
}

}  // namespace holdfast::op
