#include "operations/steps/record_step.h"

#include <boost/json.hpp>

#include "base/defect.h"
#include "base/json/canonical.h"
#include "model/codec/codec.h"

namespace holdfast::op {
namespace {

namespace bj = boost::json;

std::string_view member_of(StepResult result) {
    return result == StepResult::value ? "value" : "error";
}

bj::object step_json(const Step& step) {
    return {
        {"index", step.index}, {"name", step.name}, {member_of(step.result), step.value.value()}};
}

}  // namespace

std::optional<Repeat> answer_repeat(const View& view, const Instance& instance, const Run& run,
                                    const std::string& step_name, const Digest& input_hash) {
    const bool other_run = run.run != instance.run && !defect("run_not_fenced");
    if (other_run || run.index > instance.index || is_fenced_off(view, instance, run))
        return overtaken(instance);
    if (run.index < instance.index) {
        const Step* step = view.step(instance.id, run.index);
        if (!step) return overtaken(instance);
        // The program was cancelled at this index, whatever step it was about to record.
        if (step->name == cancelled_step) return AlreadyRecorded{*step};
        if (step->name != step_name || step->input_hash != input_hash) return Diverged{*step};
        return AlreadyRecorded{*step};
    }
    if (instance.waiting) return overtaken(instance);
    return std::nullopt;
}

Instance& record_at_index(View& view, const InstanceId& id, Step step) {
    view.record(std::move(step));
    Instance& instance = view.edit(id);
    ++instance.index;
    if (!instance.program) return instance;
    instance.program->retry.reset();
    instance.incident = false;
    view.progress(id);
    return instance;
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
    Instance& instance = record_at_index(view, op.instance, step);
    if (op.rollback && instance.program) instance.program->rollback = true;
    view.execute(instance, {.type = HistoryType::step_recorded,
                            .payload = json::canonical(step_json(step)),
                            .cause = op.cause});
    return Recorded{instance.version, step.at};
}

bj::object to_json(const RecordStep& op) {
    bj::object object{{"operation", op.name},
                      {"cause", to_json(op.cause)},
                      {"instance", to_string(op.instance)},
                      {"run", to_json(op.run)},
                      {"name", op.step_name},
                      {"inputHash", to_hex(op.input_hash)},
                      {member_of(op.result), op.value.value()}};
    if (op.rollback) object["rollback"] = true;
    if (op.at) object["at"] = to_iso8601(*op.at);
    return object;
}

bj::object to_json(const Recorded& outcome) {
    return named("recorded", {{"version", outcome.version}});
}
bj::object to_json(const AlreadyRecorded& outcome) {
    return named("alreadyRecorded", {{"step", step_json(outcome.step)}});
}
bj::object to_json(const Diverged& outcome) {
    return named("diverged", {{"step", step_json(outcome.step)}});
}

}  // namespace holdfast::op
