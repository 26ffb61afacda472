#include "coordinator/record_step.h"

#include <boost/json.hpp>

#include "base/defect.h"
#include "base/json/canonical.h"
#include "model/codec.h"

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

std::optional<RecordStep::Outcome> answer_again(const RecordStep& op, const View& view,
                                                const Instance& instance) {
    const bool other_run = op.run.run != instance.run && !defect("run_not_fenced");
    if (other_run || op.run.index > instance.index) return overtaken(instance);
    if (op.run.index < instance.index) {
        const Step* step = view.step(op.instance, op.run.index);
        if (!step) return overtaken(instance);
        if (step->name != op.step_name || step->input_hash != op.input_hash) return Diverged{*step};
        return AlreadyRecorded{*step};
    }
    if (instance.waiting) return overtaken(instance);
    return std::nullopt;
}

}  // namespace

void reads(const RecordStep& op, ReadSet& reads) {
    reads.instance(op.instance, Depth::row);
    reads.step(op.instance, op.run.index);
}

RecordStep::Outcome decide(const RecordStep& op, View& view) {
    const Instance* found = view.find(op.instance);
    if (!found) return NotFound{};
    if (is_quarantined(view, *found)) return Quarantined{};
    if (!is_open(found->status)) return Ended{found->status, found->version};
    if (auto again = answer_again(op, view, *found)) return *std::move(again);

    const Step step{.instance = op.instance,
                    .index = op.run.index,
                    .name = op.step_name,
                    .input_hash = op.input_hash,
                    .result = op.result,
                    .value = op.value,
                    .at = view.now()};
    view.record(step);
    Instance& instance = view.edit(op.instance);
    ++instance.index;
    view.execute(instance, {.type = HistoryType::step_recorded,
                            .payload = json::canonical(step_json(step)),
                            .cause = op.cause});
    return Recorded{instance.version};
}

bj::object to_json(const RecordStep& op) {
    return {{"operation", op.name},
            {"cause", to_json(op.cause)},
            {"instance", to_string(op.instance)},
            {"run", to_json(op.run)},
            {"name", op.step_name},
            {"inputHash", to_hex(op.input_hash)},
            {member_of(op.result), op.value.value()}};
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
