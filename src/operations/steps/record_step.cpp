#include "operations/steps/record_step.h"

#include "base/json/canonical.h"
#include "operations/events/react.h"

namespace holdfast::op {
namespace {

// As canonical text; the value is canonical already.
std::string payload_of(const Step& step) {
    const std::string index = std::to_string(step.index);
    std::string text = step.result == StepResult::error
                           ? "{\"error\":" + step.value.text() + ",\"index\":" + index
                           : "{\"index\":" + index;
    text += ",\"name\":";
    json::append_canonical_string(text, step.name);
    if (step.result == StepResult::value) text += ",\"value\":" + step.value.text();
    return text += '}';
}

}  // namespace

std::optional<Repeat> answer_repeat(const View& view, const Instance& instance, const Run& run,
                                    const std::string& step_name, const Digest& input_hash) {
    if (run.run != instance.run || run.index > instance.index || is_fenced_off(view, instance, run))
        return overtaken(instance);
    if (run.index < instance.index) {
        const Step* step = view.step(instance.id, run.index);
        if (!step) return overtaken(instance);
        // The program was cancelled at this index, whatever step it was about to record.
        if (step->name == cancelled_step) return AlreadyRecorded{*step};
        if (step->name != step_name || step->input_hash != input_hash) return Diverged{*step};
        return AlreadyRecorded{*step};
    }
    if (!instance.waits.empty()) return overtaken(instance);
    return std::nullopt;
}

Instance& record_at_index(View& view, const InstanceId& id, const Step& step, const Cause& cause,
                          Undo undo) {
    react(view, id, stimulus::StepRecorded{step, undo == Undo::registered}, cause);
    view.progress(id);
    return view.edit(id);
}

void reads(const RecordStep& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.step(op.instance, op.run.index);
    read_fence(reads, op.instance, op.run);
}

RecordStep::Outcome decide(const RecordStep& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (auto repeat = answer_repeat(view, *found, op.run, op.step_name, op.input_hash))
        return repeat_as<RecordStep::Outcome>(*std::move(repeat));

    const Step step{.instance = op.instance,
                    .index = op.run.index,
                    .name = op.step_name,
                    .input_hash = op.input_hash,
                    .result = op.result,
                    .value = op.value,
                    .at = std::min(op.at.value_or(view.now()), view.now())};
    Instance& instance = record_at_index(view, op.instance, step, op.cause,
                                         op.rollback ? Undo::registered : Undo::none);
    view.execute(
        instance,
        {.type = HistoryType::step_recorded, .payload = payload_of(step), .cause = op.cause});
    return Recorded{instance.version, step.at};
}

}  // namespace holdfast::op
