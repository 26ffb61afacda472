#include "operations/state/set_state.h"

#include <boost/json.hpp>

#include "base/json/patch.h"
#include "model/codec/codec.h"

namespace holdfast::op {

namespace bj = boost::json;

void reads(const SetState& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::document);
    reads.step(op.instance, op.run.index);
    read_fence(reads, op.instance, op.run);
}

SetState::Outcome decide(const SetState& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (auto repeat = answer_repeat(view, *found, op.run, op.step_name, op.input_hash))
        return repeat_as<SetState::Outcome>(*std::move(repeat));
    Document state = Document::of(json::apply_merge_patch(found->state.value(), op.patch.value()));
    if (auto invalid = check_schema(view.definition(found->definition), state))
        return *std::move(invalid);

    Instance& instance = record_at_index(view, op.instance,
                                         {.instance = op.instance,
                                          .index = op.run.index,
                                          .name = op.step_name,
                                          .input_hash = op.input_hash,
                                          .value = state,
                                          .at = view.now()});
    instance.state = std::move(state);
    instance.last_modified_at = view.now();
    view.execute(
        instance,
        {.type = HistoryType::state_changed, .payload = instance.state.text(), .cause = op.cause});
    return StateSet{instance.version, view.now()};
}

bj::object to_json(const SetState& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"run", to_json(op.run)},
            {"name", op.step_name},
            {"inputHash", to_hex(op.input_hash)},
            {"patch", op.patch.value()}};
}

bj::object to_json(const StateSet& outcome) {
    return named("stateSet", {{"version", outcome.version}});
}

}  // namespace holdfast::op
