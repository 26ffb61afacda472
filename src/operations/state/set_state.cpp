#include "operations/state/set_state.h"

#include "base/json/patch.h"

namespace holdfast::op {

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
    auto state = view.computed<Document>(
        computation_key("setState", {op.patch.checksum(), found->state.checksum()}),
        [&op, before = found->state](Effort& effort) {
            if (!effort.spend_on_bytes(4 * (before.text().size() + op.patch.text().size())))
                return Document();
            return Document::of(json::apply_merge_patch(before.value(), op.patch.value()));
        });
    if (auto invalid = check_schema(view, view.definition(*found), state))
        return *std::move(invalid);

    Instance& instance = record_at_index(view, op.instance,
                                         {.instance = op.instance,
                                          .index = op.run.index,
                                          .name = op.step_name,
                                          .input_hash = op.input_hash,
                                          .value = state,
                                          .at = view.now()},
                                         op.cause);
    instance.state = std::move(state);
    instance.last_modified_at = view.now();
    view.execute(
        instance,
        {.type = HistoryType::state_changed, .payload = instance.state.text(), .cause = op.cause});
    return StateSet{instance.version, view.now()};
}

}  // namespace holdfast::op
